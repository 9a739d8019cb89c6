import { functionWords, requestWords } from '../../retrieval/text/analyze.ts'
import { plainWords, type SearchedTool } from '../host-rankers/host-ranker.ts'
import { measured } from './places.ts'
import { type Draft, half, type Suggestion, type SuggestionGround, tried, type Tried } from './try-text.ts'

/** What became of the search for another text that would help a tool. */
export type Attempt = {
  /** By its place in the list of one's own. */
  readonly tool: number
  readonly outcome: AttemptOutcome
  /** Of the texts that were tried the one that won most, kept or not; absent where none was. */
  readonly best?: Omit<Suggestion, 'near' | 'hosts'>
}

/**
 * `too few requests`: one is learnt from and another one measured on. `others are worse`: only the worst tools are looked at. `no words`: the
 * tool lacks no word that two requests share or that another tool has.
 */
export type AttemptOutcome =
  | 'not asked for'
  | 'too few requests'
  | 'found first'
  | 'others are worse'
  | 'no words'
  | 'no gain'
  | 'helped'

/** Tools for which texts are tried, worst first, and words that one text adds. */
const mostTools = 10
const mostAdded = 6

/**
 * Texts that let tools be found better. Of each tool's requests every second one is learnt from: the words that it lacks. A text is kept only
 * if the others, which it was not made of, then have the tool nearer to the first place, those of the tools around it do not lose more than that, and as many
 * are among the first five.
 */
export async function suggestionsOf(ground: SuggestionGround): Promise<{
  readonly suggestions: readonly Suggestion[]
  /** One of each tool, in their order. */
  readonly attempts: readonly Attempt[]
}> {
  const ranked = worstTools(ground)
  const worst = ranked.filter(({ outcome }) => outcome === undefined).map(({ tool }) => tool)
  const suggestions: Suggestion[] = []
  const attempts = ranked
    .map(({ tool, outcome = 'others are worse' }): Attempt => ({ tool, outcome }))
    .sort((a, b) => a.tool - b.tool)
  for (const tool of worst.slice(0, mostTools)) {
    const results: Tried[] = []
    for (const draft of [...withWords(tool, ground), ...withoutSentence(tool, ground)]) {
      const result = await tried(draft, ground)
      if (result !== undefined) results.push(result)
    }
    const kept = results.filter(({ isGain }) => isGain).map(({ suggestion }) => suggestion)
    suggestions.push(...kept)
    attempts[tool] = attemptOf(tool, kept, results)
  }
  return { suggestions, attempts }
}

function attemptOf(tool: number, [kept]: readonly Suggestion[], results: readonly Tried[]): Attempt {
  const gain = ({ before, after }: Suggestion): number => after.mrr - before.mrr
  const [first] = results.map(({ suggestion }) => suggestion).sort((a, b) => gain(b) - gain(a))
  if (first === undefined) return { tool, outcome: 'no words' }
  const { near: _near, hosts: _hosts, ...best } = kept ?? first
  return { tool, outcome: kept === undefined ? 'no gain' : 'helped', best }
}

type RankedTool = { readonly tool: number; readonly mrr: number; readonly outcome?: AttemptOutcome }

/** Tools by the requests that are learnt from, worst first, and why no text can be made or measured for some. */
function worstTools({ byRanker, list }: SuggestionGround): readonly RankedTool[] {
  return list.all
    .slice(list.others)
    .map((_, tool): RankedTool => {
      const learnt = byRanker.flatMap(({ places }) => half(places, tool, 'learnt'))
      const isTestable = byRanker.some(({ places }) => half(places, tool, 'held out').length > 0)
      const { mrr } = measured(learnt)
      if (learnt.length === 0) return { tool, mrr, outcome: 'not asked for' }
      if (!isTestable) return { tool, mrr, outcome: 'too few requests' }
      return mrr < 1 ? { tool, mrr } : { tool, mrr, outcome: 'found first' }
    })
    .sort((a, b) => a.mrr - b.mrr || a.tool - b.tool)
}

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
