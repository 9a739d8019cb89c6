import { realpathSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { isAddress } from '../../config.ts'
import { type HostBlock, hostBlock } from '../../hosts/block.ts'
import type { Host, HostLaunch, Scope } from '../../hosts/host.ts'
import { packageRoot } from '../../package-root.ts'
import { type Context, hostUser } from '../context.ts'
import type { Environment } from '../terminal.ts'

/** What the launch of Audition depends on. */
type LaunchPlace = {
  /** Folder of the package. */
  readonly root: string
  /** Absolute path of the Node.js that runs us. */
  readonly node: string
  readonly cwd: string
  readonly env: Environment
}

/**
 * How a host starts Audition: this Node.js, and the main file of this installation, both by their paths. A name would be
 * looked up when the host starts it: in a PATH that desktop applications do not share with the shell, or, through a
 * package runner, in a registry where anybody may publish under a name that is free. A store and a settings file that
 * are not the default ones are named, so that the host finds the same cards and obeys the same permits.
 */
export function hostLaunch({ root, node, cwd, env }: LaunchPlace): HostLaunch {
  const { AUDITION_HOME: home, AUDITION_SETTINGS: settings } = env
  return {
    command: node,
    args: [join(root, 'dist', 'cli', 'main.js'), 'serve'],
    env: {
      ...(home ? { AUDITION_HOME: isAddress(home) ? home : resolve(cwd, home) } : {}),
      ...(settings ? { AUDITION_SETTINGS: resolve(cwd, settings) } : {}),
    },
  }
}

/** The launch of this very package. Version managers start Node.js through links that end with the shell. */
export const ownLaunch = (place: Pick<LaunchPlace, 'cwd' | 'env'>): HostLaunch =>
  hostLaunch({ root: packageRoot, node: realpathSync(process.execPath), ...place })

/** The block that makes a host start this Audition. */
export function blockOf(host: Host, context: Context, scope?: Scope): HostBlock {
  const { terminal, env } = context
  const { cwd } = terminal
  return hostBlock(host, ownLaunch({ cwd, env }), {
    place: { ...hostUser(context), cwd },
    ...(scope === undefined ? {} : { scope }),
  })
}

/** Whether an installation lies where a package runner keeps what it fetched, and clears it away again. */
export const isShortLived = (root: string): boolean =>
  /[\\/](?:_npx|dlx-[^\\/]*|xfs-[^\\/]*|bunx-[^\\/]*)[\\/]/.test(`${root}${sep}`)
