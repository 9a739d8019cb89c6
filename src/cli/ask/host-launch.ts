import { existsSync, realpathSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import type { Environment } from '../../domain/environment.ts'
import { type Context, hostUser } from '../context.ts'
import { configFrom, isAddress } from '../../config.ts'
import { UsageError } from '../errors.ts'
import { type HostBlock, hostBlock, scopesOf } from '../../hosts/block.ts'
import type { Host, HostLaunch, Scope } from '../../hosts/host.ts'
import type { HostConfigChange, HostConfigUndone } from '../../hosts/writing/write-config.ts'
import { packageRoot } from '../../package-root.ts'

/** What the launch of Audition depends on. */
type LaunchPlace = {
  /** Folder of the package. */
  readonly root: string
  /** Absolute path of the Node.js that runs us. */
  readonly node: string
  readonly cwd: string
  readonly env: Environment
  /** Options of `audition serve`. @defaultValue none */
  readonly options?: readonly string[]
}

/**
 * How a host starts Audition: this Node.js, and the main file of this installation, both by their paths. A name would be
 * looked up when the host starts it: in a PATH that desktop applications do not share with the shell, or, through a
 * package runner, in a registry where anybody may publish under a name that is free. A store and a settings file that
 * are not the default ones are named, so that the host finds the same cards and obeys the same permits.
 */
export function hostLaunch({ root, node, cwd, env, options = [] }: LaunchPlace): HostLaunch {
  const { AUDITION_HOME: home, AUDITION_SETTINGS: settings } = env
  return {
    command: node,
    args: [join(root, 'dist', 'cli', 'main.js'), 'serve', ...options],
    env: {
      ...(home ? { AUDITION_HOME: isAddress(home) ? home : resolve(cwd, home) } : {}),
      ...(settings ? { AUDITION_SETTINGS: resolve(cwd, settings) } : {}),
    },
  }
}

/** The launch of this very package. Version managers start Node.js through links that end with the shell. */
export const ownLaunch = (place: Pick<LaunchPlace, 'cwd' | 'env' | 'options'>): HostLaunch =>
  hostLaunch({ root: packageRoot, node: realpathSync(process.execPath), ...place })

/** The block that makes a host start this Audition, and says for which host. */
export function blockOf(
  host: Host,
  context: Context,
  { scope, calls = false }: { readonly scope?: Scope | undefined; readonly calls?: boolean } = {},
): HostBlock {
  const { terminal, env } = context
  const { cwd } = terminal
  const options = ['--for', host.name, ...(calls ? ['--call'] : [])]
  return hostBlock(host, ownLaunch({ cwd, env, options }), {
    place: { ...hostUser(context), cwd },
    ...(scope === undefined ? {} : { scope }),
  })
}

/** Whether an installation lies where a package runner keeps what it fetched, and clears it away again. */
export const isShortLived = (root: string): boolean =>
  /[\\/](?:_npx|dlx-[^\\/]*|xfs-[^\\/]*|bunx-[^\\/]*)[\\/]/.test(`${root}${sep}`)

/** The command for a host and a scope, without what it is to do. */
export const initCommandOf = ({ name, writing }: Host, scope: Scope): string =>
  `audition init ${name}${scope === writing.usual ? '' : ` --scope ${scope}`}`

/** Where a host keeps several configurations: what the chosen one means, and how to take the other. */
export const scopeLines = (scope: Scope, scopes: readonly Scope[]): readonly string[] =>
  scopes.length < 2
    ? []
    : scope === 'project'
      ? ['It counts in this project alone; with --scope user, in all of yours.']
      : ['It counts in all your projects; with --scope project, in this one alone.']

/** What a person should know of the block before the host starts it. */
export function noteLines(host: Host, { scope }: HostBlock): readonly string[] {
  const scopes = scopesOf(host)
  const shared =
    scope === 'project' && scopes.includes('user')
      ? ['Its paths are those of this machine. Where others share the file, take --scope user.']
      : scopeLines(scope, scopes)
  const shortLived = isShortLived(packageRoot)
    ? [`It starts ${packageRoot}, which a package runner may clear away: install Audition first.`]
    : []
  return [...shared, ...shortLived]
}

/** What became of a configuration, and what to do next. */
export function doneLines(
  host: Host,
  block: HostBlock,
  { outcome, path, ...rest }: HostConfigChange | HostConfigUndone,
): readonly string[] {
  switch (outcome) {
    case 'unchanged':
      return [`${path} has Audition already. Nothing was written.`]
    case 'absent':
      return [`${path} has no entry of Audition. Nothing was written.`]
    case 'restored':
      return existsSync(path)
        ? [`${path} is as it was before.`]
        : [`${path} is gone again: Audition had made it.`]
    case 'removed':
      return [`Took Audition out of ${path}. What others changed there since stays.`]
  }
  const did = { created: 'Created', added: 'Added Audition to', replaced: 'Replaced the entry in' }[outcome]
  const kept = 'kept' in rest && rest.kept !== undefined ? rest.kept : undefined
  return [
    `${did} ${path}.`,
    ...noteLines(host, block),
    ...(kept === undefined || outcome === 'created'
      ? []
      : [`The file as it was is kept, for you alone: ${kept}`]),
    `\`${initCommandOf(host, block.scope)} --undo\` takes it out again.`,
    `Restart ${host.title}, then ask it for "the right agent for ..." and it will search.`,
  ]
}

/** @throws UsageError when the host keeps no configuration of that scope */
export function scopeOf(host: Host, wanted: Scope | undefined): Scope | undefined {
  const scopes = scopesOf(host)
  if (wanted === undefined || scopes.includes(wanted)) return wanted
  throw new UsageError(
    scopes.length === 0
      ? `${host.title} has no file that can be written. ${pasteLine(host)}`
      : `${host.title} has no configuration of the scope "${wanted}", only "${scopes.join('", "')}".`,
  )
}

/** Beside the store, or with the downloads where that is elsewhere: on this machine in any case. */
export function ownFolder({ env }: Context): string {
  const { home, cache } = configFrom(env)
  return isAddress(home) ? cache : home
}

/** Configurations as they were. They hold secrets. */
export const keptFolder = (context: Context): string => join(ownFolder(context), 'host-configs')

export const pasteLine = ({ writing }: Host): string => `Paste the block there: ${writing.paste}.`
