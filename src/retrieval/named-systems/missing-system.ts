import { analyzeQuery } from '../analyze.ts'
import type { CardIndex } from '../card-index.ts'
import type { EmbeddingModel } from '../ports.ts'
import { type NamedSystem, standsAsName } from './named-systems.ts'
import { catalogNames } from './catalog-names.ts'
import { afterNames, holders, type RequestWord } from './request-words.ts'

/** Candidates of at least this part of the best score may speak of a system for all. */
const comparable = 0.6

/**
 * The name in a request of a system that the catalog does not hold; undefined when there is none, or when it is more
 * likely a place, a person or a thing.
 *
 * @param head - the first candidates, best first
 */
export async function missingSystem({
  words,
  named,
  index,
  head,
  model,
}: {
  readonly words: readonly RequestWord[]
  readonly named: readonly NamedSystem[]
  readonly index: CardIndex
  readonly head: readonly { readonly document: number; readonly score: number }[]
  readonly model: EmbeddingModel | null
}): Promise<string | undefined> {
  const [best] = head
  const documents = head.flatMap(({ document, score }) =>
    score >= comparable * best!.score ? [document] : [],
  )
  for (const suspected of suspectedSystems(words, named, index, documents))
    if (await isSystem(suspected, { model, index, head: documents })) return suspected.text
  return undefined
}

/** A word that may name a system that the catalog does not hold. */
export type Suspected = {
  readonly text: string
  /** `means`: by what something is to be done, or what holds things. `within`: in or on what, as places are too. */
  readonly role: 'means' | 'within'
}

const means: ReadonlySet<string> = new Set(['using', 'via', 'through'])
/** After "to", "from" and "with" stand people and things of all sorts: on the development sets most alarms were false. */
const within: ReadonlySet<string> = new Set(['in', 'on', 'into'])
/** Longer requests tell of more than systems. */
const longestRequest = 14
const days =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)s?$/
const longestName = 3

/**
 * Words of a request that stand where the name of a system stands, and that neither names nor speaks of anything in the
 * first candidates.
 *
 * @param head - documents of the first candidates
 */
export function suspectedSystems(
  words: readonly RequestWord[],
  named: readonly NamedSystem[],
  index: CardIndex,
  head: readonly number[],
): readonly Suspected[] {
  const isTaken = (at: number): boolean =>
    named.some(({ from, words: count }) => at >= from && at < from + count)
  return words.flatMap((word, at): readonly Suspected[] => {
    const before = words[at - 1]
    if (before === undefined || word.startsClause || isTaken(at)) return []
    const span = [word]
    // Names of several words are written large in all of them.
    while (isLarge(word) && span.length < longestName && !span.at(-1)!.endsClause) {
      const next = words[at + span.length]
      if (next === undefined || !isLarge(next)) break
      span.push(next)
    }
    const text = span.map((one) => one.text).join(' ')
    const after = span.at(-1)!.endsClause ? undefined : words[at + span.length]
    const role = roleOf(word, before, after)
    const isTitle = at > 1 && isLarge(words[at - 2]!) && !words[at - 2]!.startsClause
    if (role === null || isTitle || words.length > longestRequest || !couldName(span, words, at)) return []
    return isHeld(text, index, head) ? [] : [{ text, role }]
  })
}

function roleOf(
  word: RequestWord,
  before: RequestWord,
  after: RequestWord | undefined,
): Suspected['role'] | null {
  const isLast = after === undefined || afterNames.has(after.key)
  if (isLarge(word) && after !== undefined && holders.has(after.key)) return 'means'
  if (!isLast) return null
  if (means.has(before.key)) return isLarge(word) ? 'means' : 'within'
  return within.has(before.key) ? 'within' : null
}

/** A word with letters, not a day or month, not all of an address, a path, a date, a code, or a text in capitals. */
function couldName(span: readonly RequestWord[], words: readonly RequestWord[], at: number): boolean {
  const [first] = span
  const isWord = span.every(({ text }) => /^\p{L}[\p{L}\p{M}\p{N}+-]*$/u.test(text) && text.length > 2)
  if (!isWord || days.test(first!.key) || first!.isQuoted) return false
  if (/[-_]\p{N}|\p{N}{2}/u.test(first!.text)) return false
  const isShouted = words.length > 3 && words.every(({ text }) => text === text.toUpperCase())
  const large = words.filter(isLarge).length
  return !isShouted && large <= words.length / 2 && (isLarge(first!) || standsAsName(words, at))
}

const isLarge = ({ text }: RequestWord): boolean => /^\p{Lu}|\p{Ll}\p{Lu}/u.test(text)

/** Of a word written small, more cards may speak of it than are many: then it is an ordinary word. */
const ordinaryShare = 0.02

/** Whether a system of that name is there, or the first candidates speak of it, or it is a word as others. */
function isHeld(text: string, index: CardIndex, head: readonly number[]): boolean {
  const query = analyzeQuery(text)
  if (query.length === 0) return true
  if (catalogNames(index).cardsOf(text.toLowerCase()) > 0) return true
  const probe = index.probe(query)
  if (head.some((document) => probe.of(document).share > 0.5)) return true
  if (/\p{Lu}/u.test(text)) return false
  const cards = Math.max(0, (index.size + 1) / Math.exp(probe.weight / probe.terms) - 0.5)
  return probe.unknownShare < 1 && cards > Math.max(2, ordinaryShare * index.size)
}

/** Parameters that take what "in", "to" or "with" may speak of besides systems. */
const otherwiseTaken =
  'city location place country address region destination origin area latitude town airport station language recipient user person contact name artist author team player currency unit format'

/**
 * Whether a suspected name is one of a system rather than of a place, a person or a thing: by how a model knows the
 * word where it knows it, else by what the first candidate takes.
 */
export async function isSystem(
  { text, role }: Suspected,
  { model, index, head }: { model: EmbeddingModel | null; index: CardIndex; head: readonly number[] },
): Promise<boolean> {
  const [first] = head
  const lead = model && (await systemLead(text.toLowerCase(), model))
  if (lead && (lead.other >= clearlyOther || lead.by < leastLead)) return false
  if (!/\p{Lu}/u.test(text)) return lead !== null && lead.by >= clearLead && lead.system >= clearLead
  if (lead && lead.by >= clearLead) return true
  if (role === 'means' || first === undefined) return role === 'means'
  return analyzeQuery(otherwiseTaken).every((term) => {
    const [, , parameters = 0] = index.probe([term]).of(first).fieldShares
    return parameters === 0
  })
}

/** How much nearer a word is to systems than to places and people; null for a word that the model does not have whole. */
async function systemLead(
  text: string,
  model: EmbeddingModel,
): Promise<{ readonly by: number; readonly system: number; readonly other: number } | null> {
  const matcher = model.ranker?.matcher
  const pieces = matcher?.tokensOf(text, 2 * longestName).length
  if (pieces !== undefined && (pieces === 0 || pieces > text.split(' ').length)) return null
  const [name, ...sorts] = await model.embed([text, ...sortsOfNames], 'query')
  const [system = 0, ...besides] = sorts.map((sort) => dot(name!, sort))
  const other = Math.max(...besides)
  return { by: system - other, system, other }
}

/** What names are of: the first are systems. */
const sortsOfNames = [
  'software app platform workspace account saas integration api',
  'city country town place region state',
  'person friend colleague man woman name',
] as const
/** Cosines, and how far that with systems leads the others: places and people lie at 0.2 and more from their own. */
const clearlyOther = 0.14
const leastLead = -0.1
const clearLead = 0.05

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0)
