import type { Card } from '../domain/card.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import { printableLine } from '../domain/text/printable.ts'
import { shellWord } from '../domain/text/shell-word.ts'
import { scopesOf } from '../hosts/block.ts'
import type { Host } from '../hosts/host.ts'
import type { HostUser } from '../hosts/surroundings.ts'
import { serverFor, serverToHire } from './server-block.ts'

/** What `audition hire` writes for a card. */
export type HiredKind = 'server' | 'subagent' | 'skill'

/** @returns undefined for a card that no host's configuration can hold */
export function hiredKindOf(card: Card): HiredKind | undefined {
  if (card.runtime?.kind === 'mcp') return 'server'
  if (card.kind === 'tool') return undefined
  if (card.agentKind === 'skill') return 'skill'
  return card.agentKind === 'subagent' || card.agentKind === 'profile' ? 'subagent' : undefined
}

export const takes = (host: Host, kind: HiredKind): boolean =>
  kind === 'server' ? scopesOf(host).length > 0 : (host.folders ?? []).some((folder) => folder.takes === kind)

/**
 * The line that gives a host what it lacks: `audition hire`, or where that would refuse, the one that prints the block to paste.
 *
 * @returns undefined where there is nothing to write, such as of a server that no configuration names any more
 */
export function lineToAdd(card: Card, host: Host, user: HostUser): string | undefined {
  const kind = hiredKindOf(card)
  if (kind === undefined) return undefined
  const id = shellWord(printableLine(card.id), user.platform)
  if (takes(host, kind) && (kind !== 'server' || isFitToHire(card, host, user)))
    return `audition hire ${id} --into ${host.name}`
  return serverFor(card, host, user) === undefined ? undefined : `audition init ${host.name} --add ${id}`
}

function isFitToHire(card: Card, host: Host, user: HostUser): boolean {
  try {
    serverToHire(card, host, user)
    return true
  } catch (error) {
    if (RemedyError.isInstance(error)) return false
    throw error
  }
}
