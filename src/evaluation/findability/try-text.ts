import { type HostRanker, plainWords } from '../host-rankers/host-ranker.ts'
import type { Confusion } from './confusions.ts'
import { type Measured, measured, type ToolPlace, placesBy, type RankedList } from './places.ts'

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
  readonly byRanker: readonly { readonly ranker: HostRanker; readonly places: readonly ToolPlace[] }[]
  readonly confusions: readonly Confusion[]
}

/** Requests of other tools that a text is tried on. */
const mostNear = 60
/** Reciprocal ranks that a text must win: what only moves a tool about far behind is no help. */
const leastGain = 0.02

/** A text that is tried. */
export type Draft = Pick<Suggestion, 'tool' | 'field' | 'text' | 'adds' | 'drops' | 'helps'>

/** The places of a tool that are learnt from, or that are held out: every second request of it. */
export function half(
  places: readonly ToolPlace[],
  tool: number,
  which: 'learnt' | 'held out',
): readonly ToolPlace[] {
  const own = places.filter((place) => place.tool === tool)
  return own.filter((_, index) => (index % 2 === 0) === (which === 'learnt'))
}

/** A text, and whether it is a gain. */
export type Tried = { readonly suggestion: Suggestion; readonly isGain: boolean }

/** Measures a text on requests that were held out; undefined where no ranker reads it. */
export async function tried(draft: Draft, { list, byRanker }: SuggestionGround): Promise<Tried | undefined> {
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
    const afterOf = ({ request, tool }: ToolPlace) =>
      after.find((place) => place.request.text === request.text && place.tool === tool)!
    sums.own.push(...own)
    sums.ownAfter.push(...own.map(afterOf))
    sums.near.push(...near)
    sums.nearAfter.push(...near.map(afterOf))
  }
  return readers.length === 0 ? undefined : weighed(draft, sums, readers)
}

type Sums = { readonly [part in 'own' | 'ownAfter' | 'near' | 'nearAfter']: ToolPlace[] }

function weighed(
  draft: Draft,
  { own, ownAfter, near, nearAfter }: Sums,
  readers: SuggestionGround['byRanker'],
): Tried {
  const total = { before: measured([...own, ...near]), after: measured([...ownAfter, ...nearAfter]) }
  const before = measured(own)
  const after = measured(ownAfter)
  const isGain =
    after.mrr - before.mrr >= leastGain &&
    total.after.mrr > total.before.mrr &&
    total.after.hit5 >= total.before.hit5
  const counted = (places: readonly ToolPlace[]) =>
    new Set(places.map(({ tool, request }) => `${tool} ${request.text}`)).size
  const suggestion = {
    ...draft,
    hosts: readers.map(({ ranker }) => ranker.name),
    requests: counted(own),
    before,
    after,
    near: { requests: counted(near), before: measured(near), after: measured(nearAfter) },
  }
  return { suggestion, isGain }
}

/** Held out requests of other tools that the text may touch: those near which the changed tool stands, or that hold a word which it adds. */
function nearPlaces(places: readonly ToolPlace[], draft: Draft, others: number): readonly ToolPlace[] {
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
