import { createHash } from 'node:crypto'
import { cut } from '../domain/text/cut.ts'
import type { AgentCard, Card } from '../domain/card.ts'
import { normalised } from '../domain/text/normalised.ts'
import type { CardDraft, Problem } from './ports.ts'

/** Raised when readers or cards change shape: sources read by another version are read again. */
export const cardVersion = 1

const longestKey = 200

/**
 * The part of a card's id after the slash: the published name or key with spaces as dashes, without slashes and control
 * characters, in any script, at most 200 characters.
 */
export function keyOf(name: string): string {
  const key = normalised(name, 'NFC')
    .trim()
    .replace(/[\s/\\]+/g, '-')
    .replace(/[\p{C}]/gu, '')
    .slice(0, longestKey)
    .toWellFormed()
  return key === '' ? 'unnamed' : key
}

/** The name of a source: like a key, and without the characters that separate ids and locations. */
export const sourceIdOf = (name: string): string => keyOf(name).replace(/[#?:]+/g, '-')

/** SHA-256 (hex, 32 characters) of what a card says; where it was read, and what we found in it or had written of it, do not count. */
export function contentHash({ provenance: _, flags: _flags, enrichment: _ours, ...said }: Card): string {
  return createHash('sha256')
    .update(`${cardVersion}\n${JSON.stringify(said)}`)
    .digest('hex')
    .slice(0, 32)
}

/** Where the drafts of one document come from. */
export type Origin = { readonly reader: string; readonly location: string }

/**
 * Gives the drafts of one source their ids. Of drafts that say the same under one key, one stays; different ones under
 * one key are told apart as `key~2`, `key~3` in the order they come. Agents' tools of the same source get their ids.
 *
 * @param kept - cards of the source that have their ids already
 */
export function identify(
  source: string,
  drafts: readonly { readonly draft: CardDraft; readonly origin: Origin }[],
  kept: readonly Card[] = [],
): { readonly cards: readonly Card[]; readonly problems: readonly Problem[] } {
  const byId = new Map(kept.map((card) => [card.id, card]))
  const saysSame = (a: Card, b: Card): boolean =>
    contentHash({ ...a, id: '' }) === contentHash({ ...b, id: '' })
  const problems: Problem[] = []
  for (const { draft, origin } of drafts) {
    const { key, details, ...said } = draft
    const wanted = keyOf(key ?? draft.name)
    for (let copy = 1; ; copy++) {
      const id = `${source}/${copy === 1 ? wanted : `${wanted}~${copy}`}`
      const card = { ...said, id, source, provenance: { ...origin, ...(details ? { details } : {}) } } as Card
      const other = byId.get(id)
      if (other === undefined) {
        byId.set(id, card)
        const first = byId.get(`${source}/${wanted}`)
        if (copy > 1 && !isServerOf(card, first)) problems.push(renamed(origin.location, wanted, id))
        break
      }
      if (saysSame(card, other)) break
    }
  }
  return { cards: [...byId.values()].map((card) => linkTools(card, byId)), problems }
}

/** Whether a server has a tool of its own name: two cards that nobody takes for each other, and nothing to mend. */
const isServerOf = (card: Card, other: Card | undefined): boolean =>
  card.kind === 'agent' && card.agentKind === 'toolkit' && other?.kind === 'tool'

const renamed = (file: string, wanted: string, id: string): Problem => ({
  severity: 'warning',
  file,
  message: `"${wanted}" is taken by another card of this source; this one is "${id}"`,
  remedy: 'Give it a name of its own if you want a stable id.',
})

function linkTools(card: Card, byId: ReadonlyMap<string, Card>): Card {
  if (card.kind !== 'agent' || card.tools.length === 0) return card
  const tools = card.tools.map((tool): AgentCard['tools'][number] => {
    const id = `${card.source}/${keyOf(tool.name)}`
    return tool.id === undefined && byId.get(id)?.kind === 'tool' ? { ...tool, id } : tool
  })
  return { ...card, tools }
}

/** Names longer than this, in characters, belong to no honest tool or agent (MCP allows 128). */
export const longestName = 512

type Draft = { readonly draft: CardDraft; readonly origin: Origin }

/** Drafts without those whose name is too long; each of these is a problem. */
export function withinNameLimit<D extends Draft>(
  drafts: readonly D[],
): { readonly drafts: readonly D[]; readonly problems: readonly Problem[] } {
  const isTooLong = ({ draft }: D): boolean => draft.name.length > longestName
  return {
    drafts: drafts.filter((one) => !isTooLong(one)),
    problems: drafts.filter(isTooLong).map(({ draft, origin }) => ({
      severity: 'error',
      file: origin.location,
      field: 'name',
      message: `"${cut(draft.name, 40)}" is longer than ${longestName} characters`,
      remedy: 'Give it a shorter name.',
    })),
  }
}
