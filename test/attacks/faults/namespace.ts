import { spawnSync } from 'node:child_process'

let usable: boolean | null = null

/** Whether this machine lets us have mounts of our own: Linux with user namespaces, or as root. */
export function hasOwnMounts(): boolean {
  usable ??=
    process.platform === 'linux' &&
    spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt'], { stdio: 'ignore' })
      .status === 0
  return usable
}

export const noMounts = 'no mounts of our own here (Linux with `unshare -rm` has them)'

/**
 * Words that run a command after a script, in a namespace of its own: mounts it makes are seen by nobody else, and go with it.
 *
 * @param script - may mount what it likes
 */
export const inOwnMounts = (script: string): readonly string[] => [
  'unshare',
  '-rm',
  'sh',
  '-ec',
  `${script}\nexec "$@"`,
  'sh',
]
