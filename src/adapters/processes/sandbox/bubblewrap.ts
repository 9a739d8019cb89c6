import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { contains, isFolder, realPath } from '../../../domain/paths.ts'
import { limitedLine } from '../child-limits.ts'
import { findProgram } from '../find-program.ts'
import { type Enclosure, type Sandbox, SandboxError, isStartable, withLine } from './sandbox.ts'
import { exposedSecrets, neededPaths, secretPaths, showsTooMuch, environmentFiles } from './visible-paths.ts'

/** All files, to be read alone, beside devices and processes of its own. */
const readOnlySystem = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc']

/** What the sandbox knows of the user. */
type BubblewrapOptions = {
  /** Absolute folder. */
  readonly home: string
  /** Absolute files and folders that stay hidden: Audition's own store, settings and downloads. */
  readonly hidden: readonly string[]
  /** Where `bwrap` is looked for. @defaultValue the PATH of this process */
  readonly path?: string
}

const needs = 'Install bubblewrap (https://github.com/containers/bubblewrap)'
const grants = 'Allow unprivileged user namespaces (on Ubuntu: an AppArmor profile for bwrap)'
const orNone = ', or set "sandbox.kind" to none in settings.yaml.'
/** Folders of others' files and sockets; each is empty inside. */
const emptied = ['/tmp', '/var/tmp', '/run', '/home', '/root', '/media', '/mnt']
/** Files that only root could read, for when we are root. */
const systemSecrets = ['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/ssh']
const probeTimeoutMs = 5_000

/**
 * Bubblewrap, on Linux: the machine is there to read only, without the user's home, secrets, temporary files and sockets; processes,
 * users and (unless it is opened) the network are its own; all of it is gone when the program ends.
 *
 * @see https://github.com/containers/bubblewrap
 */
export function bubblewrap({ home, hidden, path = process.env.PATH ?? '' }: BubblewrapOptions): Sandbox {
  const program = findProgram('bwrap', { PATH: path }, '/')
  let works: Promise<SandboxError | null> | undefined
  return {
    name: 'bubblewrap',
    async fault() {
      works ??= faultOf(program)
      const fault = await works
      if (fault !== null) works = undefined
      return fault
    },
    enclose(enclosure) {
      const { launch, limits, mark } = enclosure
      if (!isStartable(launch)) return { start: launch }
      const inside = limitedLine(launch, limits, mark)
      const args = [...flags(enclosure, { home, hidden }), '--', inside.command, ...inside.args]
      return { start: withLine(launch, { command: program ?? 'bwrap', args }) }
    },
    describe: ({ network, writable }) =>
      [
        'bubblewrap: the system to read only; your home, secrets and temporary files hidden',
        network ? 'network open' : 'no network',
        `writes only in its working folder${writable.length === 0 ? '' : ` and ${writable.join(', ')}`}`,
      ].join('; '),
  }
}

async function faultOf(program: string | undefined): Promise<SandboxError | null> {
  if (process.platform !== 'linux')
    return new SandboxError(
      'the sandbox bubblewrap exists on Linux only',
      'Set "sandbox.kind" to none or container in settings.yaml.',
    )
  if (program === undefined)
    return new SandboxError(
      'the sandbox bubblewrap is not installed: there is no bwrap on PATH',
      `${needs}${orNone}`,
      { mend: `${needs}.` },
    )
  const trial = [...readOnlySystem, '--tmpfs', '/tmp', ...apart, '--', '/bin/true']
  try {
    await promisify(execFile)(program, trial, { timeout: probeTimeoutMs, env: {} })
    return null
  } catch (cause) {
    const said = (cause as { readonly stderr?: string }).stderr?.trim().split('\n').at(-1) ?? ''
    return new SandboxError(
      `the sandbox bubblewrap does not work here${said === '' ? '' : `: ${said}`}`,
      `${grants}${orNone}`,
      { cause, mend: `${grants}.` },
    )
  }
}

/** Namespaces of its own, no rights, and an end with ours. */
const apart = [
  '--unshare-user',
  '--unshare-ipc',
  '--unshare-pid',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--unshare-net',
  '--die-with-parent',
  '--cap-drop',
  'ALL',
]

function flags(
  { launch, opening, limits: { fileBytes } }: Enclosure,
  { home, hidden }: Pick<BubblewrapOptions, 'home' | 'hidden'>,
): readonly string[] {
  const { network, readable, writable } = opening
  const secrets = [...secretPaths(home), ...hidden]
  const empty = [...new Set([...emptied, home])].filter(isFolder)
  const shown = [
    ...neededPaths(launch, { home, hidden: empty, secrets }),
    ...readable.filter((path) => existsSync(path)),
  ]
  // A working folder that is the home folder, or holds it, stays hidden: an empty one stands in its place.
  const isOwn = !showsTooMuch(launch.cwd, home, secrets)
  // Where it leads: a link that lies in an empty folder is not there inside.
  const cwd = isOwn ? launch.cwd : realPath(launch.cwd)
  const holdsHome = cwd !== home && contains({ folder: cwd, path: home })
  const open = [...(isOwn ? [cwd] : []), ...writable.filter((path) => existsSync(path))]
  const variables = environmentFiles([...shown, ...open], launch, opening)
  const size = fileBytes === null ? [] : ['--size', String(fileBytes)]
  return [
    ...apart.filter((flag) => !(network && flag === '--unshare-net')),
    ...readOnlySystem,
    ...empty.flatMap((folder) => [...size, '--tmpfs', folder]),
    ...(network ? resolver() : []),
    ...shown.flatMap((path) => ['--ro-bind', path, path]),
    ...open.flatMap((path) => ['--bind', path, path]),
    ...exposedSecrets([...secrets, ...systemSecrets, ...variables], [...shown, ...open], empty).flatMap(
      (secret) => (isFolder(secret) ? ['--tmpfs', secret] : ['--ro-bind', '/dev/null', secret]),
    ),
    ...(holdsHome ? ['--dir', cwd] : []),
    '--chdir',
    cwd,
  ]
}

/** Names are looked up through a file that may be a link into /run. */
function resolver(): readonly string[] {
  const file = realPath('/etc/resolv.conf')
  return contains({ folder: '/run', path: file }) && existsSync(file)
    ? ['--ro-bind', dirname(file), dirname(file)]
    : []
}
