import type { AgentCard, Card } from '../../domain/card.ts'
import { type CardFlag, flagNames } from '../../domain/finding.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { shownRuntime } from '../../compose/runtimes.ts'
import type { Hiding } from '../../probing/runtime-kind.ts'
import { oneLine, quoted, shownLocation, withoutPaths } from '../text.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import type { Reach } from '../asking/reached.ts'
import type { UnknownCard } from '../../compose/known-names.ts'
import { textsOfCard } from '../../trust/scan/card-texts.ts'
import { withoutSentences } from '../../trust/scan/cut-sentences.ts'

/** Names shown of one card: what else was found tells a model nothing more. */
const most = 4

/** What the scan at import found in a card, by the names of its rules: our words, never the publisher's. */
export const flagFields = (card: Card): { readonly flags?: string[] } => ruleFields(flagNames(card))

/** The same for a readable line; empty for a card without flags. */
export const flagLine = (card: Card): string => ruleLine(flagNames(card))

/** What a scan found, by the names of its rules. */
export const ruleFields = (names: readonly string[] = []): { readonly flags?: string[] } =>
  names.length === 0 ? {} : { flags: names.slice(0, most) }

/** The same for a readable line; empty without any. */
export function ruleLine(names: readonly string[] = []): string {
  const { flags } = ruleFields(names)
  return flags === undefined ? '' : ` [flagged: ${flags.join(', ')}]`
}

/** How a candidate is reached, for a readable line; empty where nobody can tell. */
export function reachLine(reach: Reach | undefined): string {
  if (reach === undefined) return ''
  return 'call' in reach ? ` by ${reach.call}` : ` (${reach.reach})`
}

/** The name to call a card by and the server to call it on, where its id, `source/name`, does not say them already. */
export function nameFields(card: Card): { readonly name?: string; readonly server?: string } {
  const key = card.id.slice(card.source.length + 1)
  const server = card.kind === 'tool' ? card.server : undefined
  return {
    ...(key === card.name ? {} : { name: oneLine(card.name, 200) }),
    ...(server === undefined || server === card.source ? {} : { server: oneLine(server, 80) }),
  }
}

/** Tags and examples, the first of each. */
export const listFields = ({ tags, examples }: Card): JsonObject => ({
  ...(tags.length === 0 ? {} : { tags: tags.slice(0, 20).map((tag) => oneLine(tag, 40)) }),
  ...(examples.length === 0 ? {} : { examples: examples.slice(0, 5).map((one) => oneLine(one, 200)) }),
})

const hide: Hiding = { location: shownLocation, text: withoutPaths, line: oneLine, quoted }

/** How a card is started, without paths of this machine; null when it is known by description only. */
export const howToRun = (card: Card): JsonObject | null =>
  (card.runtime && shownRuntime(card)?.call(card.runtime, hide)) ?? null

/** The same for a readable line. */
export function howToRunLine(card: AgentCard): string {
  const { runtime, backbone, instructions } = card
  const use = runtime && shownRuntime(card)?.use(runtime, hide)
  return (
    use ?? (backbone === null && instructions === undefined ? 'known by description only' : 'run its YAML')
  )
}

/** What callers need who reach a tool by themselves. */
export function addressField(card: Card): { readonly use?: string } {
  const address = card.runtime && shownRuntime(card)?.address?.(card.runtime)
  return address === undefined ? {} : { use: oneLine(address, 200) }
}

/** A card as it may leave the machine: whole, but for the folders that its paths would tell of. */
export function shareableCard<C extends Card>(card: C): C {
  const { runtime, provenance } = card
  const shared = runtime && shownRuntime(card)?.share(runtime, hide)
  return {
    ...card,
    provenance: { ...provenance, location: shownLocation(provenance.location) },
    ...(shared === undefined ? {} : { runtime: shared }),
  }
}

/**
 * A card as searches deliver it: the sentences that the scan suspects are cut out, and what stands in their place names the rule. `describe` has
 * the card whole. Names stay, since a caller needs them, and so does what a person released.
 */
export function deliveredCard<T extends Card>(card: T): T {
  const suspected = new Map<string, CardFlag[]>()
  for (const flag of card.flags ?? [])
    if (flag.severity === 'soft' && flag.spans !== undefined)
      suspected.set(flag.field, [...(suspected.get(flag.field) ?? []), flag])
  if (suspected.size === 0) return card
  const cuts = new Map<string, string>()
  for (const { field, register, text } of textsOfCard(card)) {
    const flags = register === 'name' ? undefined : suspected.get(field)
    if (flags !== undefined) cuts.set(text, withoutSentences(text, flags))
  }
  return cuts.size === 0 ? card : { ...card, ...textsCut(card, cuts) }
}

/** Fields that searches show texts of. */
const shown = [
  'description',
  'examples',
  'parameters',
  'inputSchema',
  'outputSchema',
  'documentation',
] as const

function textsCut(card: Card, cuts: ReadonlyMap<string, string>): Partial<Card> {
  const fields = card as unknown as { readonly [field: string]: JsonValue | undefined }
  return Object.fromEntries(
    shown.flatMap((field) => {
      const value = fields[field]
      return value === undefined ? [] : [[field, cutIn(value, cuts)]]
    }),
  ) as Partial<Card>
}

/** Deeper than any schema that gets this far. */
const deepest = 250

function cutIn(value: JsonValue, cuts: ReadonlyMap<string, string>, depth = 0): JsonValue {
  if (typeof value === 'string') return cuts.get(value) ?? value
  if (depth > deepest) return value
  if (Array.isArray(value)) return value.map((item: JsonValue) => cutIn(item, cuts, depth + 1))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutIn(item, cuts, depth + 1)]))
}

/** The line by which the user sees what is held of a source, and why. */
export const showSourceLine = (source: string): string =>
  `audition sources show ${shellWord(oneLine(source, 200), process.platform)}`

type HeldNotice = NonNullable<UnknownCard['held']>

/** Why a card is held, in words of ours, and the line by which its user reads it. */
export const heldFields = ({ source, why }: HeldNotice) => ({
  held: why.join(', '),
  user_runs: showSourceLine(source),
})

/** The same as a sentence. */
export const heldSentence = ({ id, source, why }: HeldNotice): string =>
  `The card ${quoted(id)} is held and not in search (${why.join(', ')}). Only the user can read and release it: ${showSourceLine(source)}.`
