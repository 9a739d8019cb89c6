import { keyOfName } from '../../domain/text/word-rules.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { EmbeddingModel } from '../ports.ts'
import type { LearnedRanker } from '../rank/learned-ranker.ts'
import { analyzeQuery } from '../text/analyze.ts'
import { catalogNames, nameLikelihood } from './catalog-names.ts'
import { isDoubtful, isListed } from './listed-names.ts'
import { knownBy, type NamePlace, namePlaces, type SignName } from './name-places.ts'
import type { NamedSystem } from './named-systems.ts'
import { holders, type RequestWord } from './request-words.ts'

/** Of names that are words too, candidates of at least this part of the best score may speak. */
const comparable = 0.6

/** Documents of the first candidates, and of those that come near the best. */
type Head = { readonly all: readonly number[]; readonly near: readonly number[] }

/** A request, the systems that it names, and the catalog that has them. */
type ReadRequest = {
  readonly words: readonly RequestWord[]
  readonly named: readonly NamedSystem[]
  readonly index: CardIndex
}

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
}: ReadRequest & {
  readonly head: readonly { readonly document: number; readonly score: number }[]
  readonly model: EmbeddingModel | null
}): Promise<string | undefined> {
  const documents = head.map(({ document }) => document)
  const best = head[0]?.score ?? 0
  const near = head.flatMap(({ document, score }) => (score >= comparable * best ? [document] : []))
  const matcher = model?.ranker?.matcher ?? null
  for (const suspected of suspectedSystems({ words, named, index }, { all: documents, near }, matcher))
    if (await isSystem(suspected, { model, index, head: documents })) return suspected.text
  return undefined
}

const days =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)s?$/
/**
 * Log-odds from which a word is taken for a name. One that a model knows is mostly an ordinary word; one that it does not, written large,
 * may be a person or a place.
 */
const leastLikely = { known: 1, unknownLarge: 0.5, unknown: -0.6, unknownUsed: -1.3 } as const

/**
 * Places of a request where a name seems to stand that neither names nor speaks of anything in the first candidates.
 *
 * @param head - documents of the first candidates
 */
function suspectedSystems(
  { words, named, index }: ReadRequest,
  head: Head,
  matcher: Pick<LearnedRanker['matcher'], 'tokensOf'> | null,
): readonly NamePlace[] {
  const [first] = head.all
  const isTaken = (at: number): boolean =>
    named.some(({ from, words: count }) => at >= from && at < from + count)
  const isWorkedOn = ({ text }: Pick<RequestWord, 'text'>): boolean => {
    const query = analyzeQuery(text)
    return first !== undefined && query.length > 0 && index.probe(query).of(first).nameCovered > 0
  }
  const isShouted = words.length > 3 && words.every(({ text }) => text === text.toUpperCase())
  if (isShouted || words.length > longestRequest.listed) return []
  const isKnown = matcher && knownBy(matcher)
  return namePlaces(words, isWorkedOn, isKnown).filter(
    (place) =>
      !isTaken(place.from) &&
      !isTitle(words, place) &&
      (!words[place.from]!.isQuoted || isNameInQuotes(place)) &&
      !days.test(place.text.toLowerCase()) &&
      (isListed(place.text) || (words.length <= longestRequest.unlisted && couldBeNew(place))) &&
      !isHeld(place.text, index, isDoubtful(place.text) ? head.near : head.all),
  )
}

/** A title or a text is quoted as well: only names that are known, and what something is done with. */
const isNameInQuotes = ({ text, signs }: NamePlace): boolean =>
  signs.includes('using') || (isListed(text) && !isDoubtful(text))

/** Longer requests tell of more than systems. */
const longestRequest = { listed: 16, unlisted: 14 } as const

/** "Attack on Titan", "the Bank of England"; "a PDF in Acrobat" is none. */
const isTitle = (words: readonly RequestWord[], { from, signs }: NamePlace): boolean =>
  (signs.includes('other') && !signs.some((sign) => holding.has(sign))) ||
  (from > 1 && /^\p{Lu}/u.test(words[from]!.text) && isWithinName(words[from - 2]!))

const isWithinName = ({ text, key, startsClause, endsClause }: RequestWord): boolean =>
  /^\p{Lu}.*\p{Ll}/u.test(text) && !startsClause && !endsClause && !holders.has(key)

/** Of names that nobody knows: what begins a clause is a verb, "pageTitle" and "my-project" are things, short ones codes. */
const couldBeNew = ({ text, signs }: NamePlace): boolean =>
  !signs.some((sign) => sign === 'start' || sign === 'large-after') &&
  text.length > 3 &&
  !/^\p{Ll}+\p{Lu}|[-.]/u.test(text)

/** Of a word written small, more cards may speak of it than are many: then it is an ordinary word. */
const ordinaryShare = 0.02

/** "cosmosdb" where the cards say "Cosmos". */
const beginnings = (text: string): readonly string[] =>
  Array.from({ length: Math.max(0, text.length - shortestBeginning(text)) }, (_, less) =>
    text.slice(0, -1 - less),
  )
/** "Image" is too little of "ImageMagick". */
const shortestBeginning = (text: string): number => Math.max(5, Math.ceil(0.6 * text.length))

const isSpokenOf = (text: string, index: CardIndex, head: readonly number[]): boolean => {
  const query = analyzeQuery(text)
  if (query.length === 0) return false
  const probe = index.probe(query)
  return head.some((document) => probe.of(document).share > 0.5)
}

/** Whether a system of that name is there, or the first candidates speak of it, or it is a word as others. */
function isHeld(text: string, index: CardIndex, head: readonly number[]): boolean {
  const query = analyzeQuery(text)
  if (query.length === 0) return true
  if (catalogNames(index).cardsOf(keyOfName(text)) > 0) return true
  const probe = index.probe(query)
  if (head.some((document) => probe.of(document).share > 0.5)) return true
  if (text.includes(' ') && isSpokenOf(text.split(' ')[0]!, index, head)) return true
  if (isListed(text)) return false
  if (beginnings(text).some((beginning) => isSpokenOf(beginning, index, head))) return true
  if (/\p{Lu}/u.test(text)) return false
  const cards = Math.max(0, (index.total + 1) / Math.exp(probe.weight / probe.terms) - 0.5)
  return probe.unknownShare < 1 && cards > Math.max(2, ordinaryShare * index.total)
}

/** Parameters that take what "in", "to" or "with" may speak of besides systems. */
const placesTaken = 'city location place country address destination origin airport station town latitude'
const othersTaken =
  'region area language recipient user person contact name artist author team player currency unit format'

/**
 * Whether a suspected name is one of a system rather than of a place, a person or a thing: by the place and the word, and for names that
 * nobody knows by what the first candidate takes.
 */
async function isSystem(
  place: NamePlace,
  { model, index, head }: { model: EmbeddingModel | null; index: CardIndex; head: readonly number[] },
): Promise<boolean> {
  const [first] = head
  const leadOf = async () => model && systemLead(place.text.toLowerCase(), model)
  if (couldBeClear(place) && isClear(await leadOf())) return true
  if ((await nameLikelihood(place, model)) < leastLikelyOf(place)) return false
  const isHolding = first === undefined || place.signs.some((sign) => holding.has(sign))
  const takes = (parameters: string): boolean =>
    !isHolding &&
    analyzeQuery(parameters).some((term) => (index.probe([term]).of(first).fieldShares[2] ?? 0) > 0)
  if (isListed(place.text)) return place.signs.includes('with-end') || !takes(placesTaken)
  const lead = await leadOf()
  if (lead && (lead.other >= clearlyOther || lead.by < leastLead)) return false
  if (isMaybeTown(place) && first !== undefined && speaksOfPlaces(first, index)) return false
  return !takes(`${placesTaken} ${othersTaken}`)
}

/** Written large after what something is done in or with. */
const couldBeClear = ({ signs }: NamePlace): boolean =>
  signs.includes('large-end') &&
  signs.some((sign) => sign === 'in-end' || sign === 'with-end' || sign === 'using-end')

/** Nearer to systems than persons and places ever are. */
const isClear = (lead: SystemLead | null): boolean =>
  lead !== null && lead.system >= clearlySystem && lead.by >= clearlySystem

const isMaybeTown = ({ signs }: NamePlace): boolean =>
  signs.includes('unknown-large') && signs.includes('in-end')

/** Whether any card of the same server does. */
function speaksOfPlaces(document: number, index: CardIndex): boolean {
  const probe = index.probe(analyzeQuery(placesTaken))
  for (let other = 0; other < index.size; other++)
    if (index.family(other) === index.family(document) && probe.of(other).share > 0) return true
  return false
}

function leastLikelyOf({ signs }: NamePlace): number {
  if (!signs.includes('unknown')) return leastLikely.known
  const isHolding = signs.some((sign) => holding.has(sign))
  if (signs.includes('using-end') && !signs.includes('large')) return leastLikely.unknownUsed
  return signs.includes('large') && !isHolding ? leastLikely.unknownLarge : leastLikely.unknown
}

const holding: ReadonlySet<SignName> = new Set(['system-holder', 'holder', 'held-by-first', 'using'])

type SystemLead = { readonly by: number; readonly system: number; readonly other: number }

/** How much nearer a word is to systems than to places and people; null for a word that the model does not have whole. */
async function systemLead(text: string, model: EmbeddingModel): Promise<SystemLead | null> {
  const matcher = model.ranker?.matcher
  const pieces = matcher?.tokensOf(text, 2 * text.split(' ').length).length
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
const clearlySystem = 0.1
const leastLead = -0.1

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0)
