import { existsSync } from 'node:fs'
import { type HostBlock, scopesOf } from '../../hosts/block.ts'
import type { Host, Scope } from '../../hosts/host.ts'
import type { HostConfigChange, HostConfigUndone } from '../../hosts/writing/write-config.ts'
import { packageRoot } from '../../package-root.ts'
import { isShortLived } from '../ask/host-launch.ts'

/** The command for a host and a scope, without what it is to do. */
export const initCommandOf = ({ name, writing }: Host, scope: Scope): string =>
  `audition init ${name}${scope === writing.usual ? '' : ` --scope ${scope}`}`

/** What a person should know of the block before the host starts it. */
export function noteLines(host: Host, { scope }: HostBlock): readonly string[] {
  const shared =
    scope === 'project' && scopesOf(host).includes('user')
      ? ['Its paths are those of this machine. Where others share the file, take --scope user.']
      : []
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
