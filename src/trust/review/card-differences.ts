import type { Card } from '../../domain/card.ts'
import { isJsonObject } from '../../domain/json.ts'
import type { HeldCard, ServerIdentity, SourceReview } from '../../store/source-review.ts'

/** Characters that show nothing, move what follows, or pass for a plain space: what a comparison must not hide. */
const hidden =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\p{Variation_Selector}|(?! )\p{Zs}/gu

/** Runs of letters; where they hold Latin ones too, letters of these scripts are shown for what they are. */
const words = /\p{L}+/gu
const latin = /\p{Script=Latin}/u
const lookAlike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu

/**
 * A text on one line, for people who compare: characters that cannot be seen, and letters of another script among Latin
 * ones, stand as `<U+200B>`. Printable by construction.
 */
export const visibleText = (text: string): string =>
  text
    .replace(words, (word) => (latin.test(word) ? word.replace(lookAlike, codePoint) : word))
    .replace(hidden, codePoint)

const codePoint = (character: string): string =>
  `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`

/** What two cards say differently of one thing, as lines of visible text. */
export type Difference = {
  /** Path of the field, for example `inputSchema.properties.path.description`. */
  readonly field: string
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/**
 * Compares what two cards say, sentence by sentence; ids, files and findings are not compared.
 *
 * @param before - null for a card that is new: then all of it is added
 * @returns the fields that differ, in the order of the newer card; none when both say the same
 */
export function cardDifferences(before: Card | null, after: Card): readonly Difference[] {
  return compared(before === null ? new Map() : factsOf(before), factsOf(after))
}

/** Compares what answered before with what answers now. */
export function serverDifferences(
  before: ServerIdentity | undefined,
  after: ServerIdentity | undefined,
): readonly Difference[] {
  if (before === undefined || after === undefined) return []
  return compared(serverFacts(before), serverFacts(after))
}

const serverFacts = ({ launch, name = '' }: ServerIdentity): Facts =>
  new Map([
    ['server.launch', launch.split('\n').map(visibleText)],
    ['server.name', [visibleText(name)]],
  ])

/** Lines by field. */
type Facts = ReadonlyMap<string, readonly string[]>

function compared(before: Facts, after: Facts): readonly Difference[] {
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((field) => {
    const [old, now] = [before.get(field) ?? [], after.get(field) ?? []]
    const removed = old.filter((line) => !now.includes(line))
    const added = now.filter((line) => !old.includes(line))
    // Lines that merely stand elsewhere: both orders are shown whole.
    if (removed.length + added.length === 0 && old.join('\n') !== now.join('\n'))
      return [{ field, removed: old, added: now }]
    return removed.length + added.length === 0 ? [] : [{ field, removed, added }]
  })
}

function factsOf(card: Card): Facts {
  const { kind: _kind, id: _id, source: _source, provenance: _from, flags: _flags, runtime, ...said } = card
  const { parameters: _, ...rest } = { parameters: [], ...said }
  const facts = new Map<string, string[]>()
  // Parameters are made of the schema, where there is one.
  gather(card.kind === 'tool' && card.inputSchema !== undefined ? rest : said, '', facts)
  if (runtime !== undefined && 'url' in runtime) gather(runtime, 'runtime', facts)
  return facts
}

function gather(value: unknown, field: string, facts: Map<string, string[]>): void {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    add(facts, field, value.map(plain))
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) gather(item, `${field}[${named(item) ?? index}]`, facts)
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      gather(item, field === '' ? visibleText(key) : `${field}.${visibleText(key)}`, facts)
    }
  } else if (typeof value === 'string') {
    add(facts, field, sentencesOf(value))
  } else if (value !== undefined && value !== null) {
    add(facts, field, [plain(value)])
  }
}

/** The items of a list that have names are told apart by them. */
const named = (item: unknown): string | undefined =>
  isJsonObject(item) && typeof item.name === 'string' ? visibleText(item.name) : undefined

const add = (facts: Map<string, string[]>, field: string, lines: readonly string[]): void => {
  if (lines.length > 0) facts.set(field, [...(facts.get(field) ?? []), ...lines])
}

const plain = (value: unknown): string =>
  visibleText(typeof value === 'string' ? JSON.stringify(value) : String(value))

const sentencesOf = (text: string): readonly string[] =>
  text
    .split(/\r?\n|(?<=[.!?])[ \t]+/)
    .map((part) => visibleText(part.trim()))
    .filter((part) => part !== '')

/** A held card, and what it would change. */
export type HeldView = HeldCard & { readonly differences: readonly Difference[] }

/** Held cards with what they would change, compared with the cards they would take the place of. */
export function heldViews({ held }: SourceReview, inSearch: readonly Card[]): readonly HeldView[] {
  const byId = new Map(inSearch.map((card) => [card.id, card]))
  return held.map((one) => ({
    ...one,
    differences: cardDifferences(byId.get(one.replaces ?? '') ?? one.former ?? null, one.card),
  }))
}
