import { join, resolve, sep } from 'node:path'
import type { Host, HostLaunch } from '../catalog/host-block.ts'
import { packageRoot } from '../package-root.ts'
import type { Environment } from './terminal.ts'

/** What the launch of Audition depends on. */
export type LaunchPlace = {
  /** Folder of the package. */
  readonly root: string
  /** Absolute path of the Node.js that runs us. */
  readonly node: string
  readonly platform: NodeJS.Platform
  readonly cwd: string
  readonly env: Environment
}

/**
 * How a host starts Audition. An installed package is started through npx, which works on every machine that shares
 * the configuration; a working copy by its path. A store and a settings file that are not the default ones are named, so that the
 * host finds the same cards and obeys the same permits.
 */
export function hostLaunch(host: Host, { root, node, platform, cwd, env }: LaunchPlace): HostLaunch {
  const home = env.AUDITION_HOME
  const isAddress = home !== undefined && /^[a-z0-9]+:\/\//iu.test(home)
  const store = {
    ...(home ? { AUDITION_HOME: isAddress ? home : resolve(cwd, home) } : {}),
    ...(env.AUDITION_SETTINGS ? { AUDITION_SETTINGS: resolve(cwd, env.AUDITION_SETTINGS) } : {}),
  }
  const isInstalled = root.split(sep).includes('node_modules')
  if (!isInstalled) {
    // Desktop applications do not see the PATH of a shell, where version managers put node.
    const command = host === 'claude-desktop' ? node : 'node'
    return { command, args: [join(root, 'dist', 'cli', 'main.js'), 'serve'], env: store }
  }
  const npx = ['npx', '-y', 'audition-mcp', 'serve']
  const [command = '', ...args] = platform === 'win32' ? ['cmd', '/c', ...npx] : npx
  return { command, args, env: store }
}

/** The launch of this very package. */
export const ownLaunch = (host: Host, place: Pick<LaunchPlace, 'platform' | 'cwd' | 'env'>): HostLaunch =>
  hostLaunch(host, { root: packageRoot, node: process.execPath, ...place })
