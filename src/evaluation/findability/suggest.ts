import { functionWords, requestWords } from '../../retrieval/text/analyze.ts'
import { type HostRanker, plainWords, type SearchedTool } from '../host-rankers/host-ranker.ts'
import type { Confusion } from './confusions.ts'
import { type Measured, measured, type Place, placesBy, type RankedList } from './places.ts'

/** Another text of a tool, and what it changes for requests that it was not made of. */
export type Suggestion = {
  /** The tool whose text it is, by its place in the list of one's own. */
  readonly tool: number
  readonly field: 'description' | 'searchHint'
  readonly text: string
  /** Words that it adds, or those of the sentence that it drops. */
  readonly adds: readonly string[]
  readonly drops: readonly string[]
  /** The tool that it helps: another one where it drops what draws requests away. */
  readonly helps: number
  /** Rankers that read the field. */
  readonly hosts: readonly string[]
  /** Requests of the helped tool that were held out, asked of each ranker: before and after. */
  readonly requests: number
  readonly before: Measured
  readonly after: Measured
  /** The same for held out requests of other tools that stand near. */
  readonly near: { readonly requests: number; readonly before: Measured; readonly after: Measured }
}

/** What suggestions are made from. */
export type SuggestionGround = {
  readonly list: RankedList
  readonly byRanker: readonly { readonly ranker: HostRanker; readonly places: readonly Place[] }[]
  readonly confusions: readonly Confusion[]
}

/** Tools for which texts are tried, worst first, and words that one text adds. */
const mostTools = 10
const mostAdded = 6
/** Requests of other tools that a text is tried on. */
const mostNear = 60
/** Reciprocal ranks that a text must win: what only moves a tool about far behind is no help. */
const leastGain = 0.02

/**
 * Texts that let tools be found better. Of each tool's requests every second one is learnt from: the words that it lacks. A text is kept only
 * if the others, which it was not made of, then have the tool nearer to the first place, those of the tools around it do not lose more than that, and as many
 * are among the first five.
 */
export async function suggestionsOf(ground: SuggestionGround): Promise<readonly Suggestion[]> {
  const worst = worstTools(ground).slice(0, mostTools)
  const kept: Suggestion[] = []
  for (const tool of worst)
    for (const draft of [...withWords(tool, ground), ...withoutSentence(tool, ground)]) {
      const suggestion = await tried(draft, ground)
      if (suggestion !== undefined) kept.push(suggestion)
    }
  return kept
}

/** The places of a tool that are learnt from, or that are held out: every second request of it. */
function half(places: readonly Place[], tool: number, which: 'learnt' | 'held out'): readonly Place[] {
  const own = places.filter((place) => place.tool === tool)
  return own.filter((_, index) => (index % 2 === 0) === (which === 'learnt'))
}

/** Tools with a learnt request for which they are not first, and another one to measure on; worst first. */
function worstTools({ byRanker, list }: SuggestionGround): readonly number[] {
  return list.all
    .slice(list.others)
    .map((_, tool) => {
      const learnt = byRanker.flatMap(({ places }) => half(places, tool, 'learnt'))
      const isTestable = byRanker.some(({ places }) => half(places, tool, 'held out').length > 0)
      return { tool, mrr: learnt.length === 0 || !isTestable ? 1 : measured(learnt).mrr }
    })
    .filter(({ mrr }) => mrr < 1)
    .sort((a, b) => a.mrr - b.mrr || a.tool - b.tool)
    .map(({ tool }) => tool)
}

type Draft = Pick<Suggestion, 'tool' | 'field' | 'text' | 'adds' | 'drops' | 'helps'>

/** The words of missed requests that the tool lacks, put behind its description, and into its search hint. */
function withWords(tool: number, { byRanker, list }: SuggestionGround): readonly Draft[] {
  const own = list.all[list.others + tool]!
  const [{ places }] = byRanker as readonly [SuggestionGround['byRanker'][number]]
  const missed = new Set(
    byRanker.flatMap(({ places: each }) =>
      half(each, tool, 'learnt').flatMap(({ rank, request }) => (rank === 1 ? [] : [request.text])),
    ),
  )
  const learnt = (index: number) =>
    half(places, index, 'learnt').map(({ request }) => tellingWords(request.text))
  const siblings = list.all.slice(list.others).flatMap((_, index) => (index === tool ? [] : learnt(index)))
  const vocabulary = new Set(list.all.flatMap((each) => plainWords(textOf(each))))
  const counts = new Map<string, number>()
  for (const words of learnt(tool)) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const has = new Set(plainWords(textOf(own)))
  const adds = [...new Set([...missed].flatMap((text) => [...tellingWords(text)]))]
    .filter((word) => !has.has(word) && (counts.get(word)! > 1 || vocabulary.has(word)))
    .map((word) => ({
      word,
      gain: counts.get(word)! - siblings.filter((words) => words.has(word)).length,
    }))
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain || (a.word < b.word ? -1 : 1))
    .slice(0, mostAdded)
    .map(({ word }) => word)
  if (adds.length === 0) return []
  const { description = '', searchHint = '' } = own
  const base = { tool, helps: tool, adds, drops: [] }
  return [
    {
      ...base,
      field: 'description',
      text: `${sentenceOf(description)}Also asked for as: ${adds.join(', ')}.`,
    },
    { ...base, field: 'searchHint', text: `${searchHint} ${adds.join(' ')}`.trim() },
  ]
}

/** The description of a rival of one's own without the sentence that holds most of what draws requests away. */
function withoutSentence(tool: number, { confusions, list }: SuggestionGround): readonly Draft[] {
  return confusions.flatMap((confusion): readonly Draft[] => {
    const rival = confusion.rival - list.others
    const { description = '' } = list.all[confusion.rival]!
    const sentences = description.split(/(?<=[.!?])\s+/u)
    if (confusion.tool !== tool || rival < 0 || sentences.length < 2) return []
    const held = sentences.map((sentence) => {
      const words = new Set(plainWords(sentence))
      return confusion.words.filter((word) => !functionWords.has(word) && words.has(word))
    })
    const drops = held.slice(1).reduce((best, words) => (words.length > best.length ? words : best), [])
    if (drops.length === 0) return []
    const text = sentences.filter((_, index) => held[index] !== drops).join(' ')
    return [{ tool: rival, helps: tool, field: 'description', text, adds: [], drops }]
  })
}

const tellingWords = (text: string): ReadonlySet<string> =>
  new Set(
    plainWords(text).filter(
      (word) => word.length > 2 && /\p{L}/u.test(word) && !functionWords.has(word) && !requestWords.has(word),
    ),
  )

const textOf = ({ name, description = '', searchHint = '' }: SearchedTool): string =>
  [name, description, searchHint].join('\n')

const sentenceOf = (text: string): string => {
  const bare = text.trim()
  return bare === '' ? '' : /[.!?]$/u.test(bare) ? `${bare} ` : `${bare}. `
}

/** Measures a text on requests that were held out; undefined where it is no gain. */
async function tried(draft: Draft, { list, byRanker }: SuggestionGround): Promise<Suggestion | undefined> {
  const all = list.all.map((tool, index) =>
    index === list.others + draft.tool ? { ...tool, [draft.field]: draft.text } : tool,
  )
  const sums: Sums = { own: [], ownAfter: [], near: [], nearAfter: [] }
  // No other host reads the hint.
  const readers = byRanker.filter(
    ({ ranker }) => draft.field === 'description' || ranker.name === 'claude-code',
  )
  for (const { ranker, places } of readers) {
    const own = half(places, draft.helps, 'held out')
    const near = nearPlaces(places, draft, list.others)
    const asked = [...own, ...near].map(({ request, tool }) => ({
      text: request.text,
      tools: request.tools,
      tool,
    }))
    const after = await placesBy(ranker, { ...list, all }, asked)
    const afterOf = ({ request, tool }: Place) =>
      after.find((place) => place.request.text === request.text && place.tool === tool)!
    sums.own.push(...own)
    sums.ownAfter.push(...own.map(afterOf))
    sums.near.push(...near)
    sums.nearAfter.push(...near.map(afterOf))
  }
  return keptOf(draft, sums, readers)
}

type Sums = { readonly [part in 'own' | 'ownAfter' | 'near' | 'nearAfter']: Place[] }

function keptOf(
  draft: Draft,
  { own, ownAfter, near, nearAfter }: Sums,
  readers: SuggestionGround['byRanker'],
): Suggestion | undefined {
  const total = { before: measured([...own, ...near]), after: measured([...ownAfter, ...nearAfter]) }
  const before = measured(own)
  const after = measured(ownAfter)
  const isGain =
    after.mrr - before.mrr >= leastGain &&
    total.after.mrr > total.before.mrr &&
    total.after.hit5 >= total.before.hit5
  if (readers.length === 0 || !isGain) return undefined
  const counted = (places: readonly Place[]) =>
    new Set(places.map(({ tool, request }) => `${tool} ${request.text}`)).size
  return {
    ...draft,
    hosts: readers.map(({ ranker }) => ranker.name),
    ...{ requests: counted(own), before, after },
    near: { requests: counted(near), before: measured(near), after: measured(nearAfter) },
  }
}

/** Held out requests of other tools that the text may touch: those near which the changed tool stands, or that hold a word which it adds. */
function nearPlaces(places: readonly Place[], draft: Draft, others: number): readonly Place[] {
  const tools = new Set(places.map(({ tool }) => tool))
  tools.delete(draft.helps)
  return [...tools]
    .flatMap((tool) => half(places, tool, 'held out'))
    .filter(
      ({ first, request }) =>
        first.includes(others + draft.tool) ||
        plainWords(request.text).some((word) => draft.adds.includes(word)),
    )
    .slice(0, mostNear)
}
