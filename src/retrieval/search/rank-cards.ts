import type { CardKind } from '../../domain/card.ts'
import { mixesTiers } from '../defences/scores-alone.ts'
import { type Suspicion, suspectsOf } from '../defences/suspicion.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { CatalogSnapshot } from '../ports.ts'
import type { Lookup, Need } from '../query/need.ts'
import { doubted, fuseSteps } from '../rank/fuse-steps.ts'
import type { ScoreList } from '../rank/fusion.ts'
import { type Lift, liftOf, type RankedCard, type Retrieved } from '../rank/ranked-card.ts'
import { lookAhead, type Retrieval, retrieve } from './retrieve.ts'

/** The cards that were found, best first, and whether any of them serves. */
type CardRanking = {
  readonly cards: readonly RankedCard[]
  /**
   * Probability that the query is served, by a card or by its tool: as a whole, or over its steps on average, whichever is
   * higher; undefined when no learned ranker took part.
   */
  readonly answerable: number | undefined
  /** How far a card of {@link cards}, or the tool that lifted it, reads as written to be found. */
  suspicionOf(card: RankedCard): Suspicion | null
}

/**
 * Ranks the admitted cards of one kind: retrieves the whole query and each step, mixes both, and lifts agents by their
 * tools. Score descending; equal scores by id descending. No defence has a say yet.
 */
export function rankCards(
  snapshot: CatalogSnapshot,
  need: Need,
  retrieval: Retrieval & { readonly kind: CardKind },
): CardRanking {
  const { kind, settings, admitted } = retrieval
  const { tool: toolIndex, agent: agentIndex } = snapshot.indexes
  const index = snapshot.indexes[kind]
  const before = foundAsStep(index, need.whole, retrieval)
  const steps = [...need.facets, ...(need.perhaps ?? []).map(({ lookup }) => lookup)]
  lookAhead(index, before ? steps : [need.whole, ...steps], retrieval)
  const whole = before ?? retrieve(index, need.whole, retrieval)
  // Whose cards they are counts by the whole request alone.
  const ofSteps = { ...settings, defences: { ...settings.defences, provenance: false } }
  const facets = need.facets.map((facet) => {
    const retrieved = retrieve(index, facet, { ...retrieval, settings: ofSteps })
    rememberStep(index, { lookup: facet, retrieval, retrieved })
    return retrieved
  })
  const perhaps = (need.perhaps ?? []).map(({ lookup, doubt }) =>
    doubted(retrieve(index, lookup, { ...retrieval, settings: ofSteps }), doubt),
  )
  const tools =
    kind === 'agent' && settings.liftShare > 0
      ? retrieve(toolIndex, need.whole, { ...retrieval, admitted: null })
      : undefined
  const lifts = tools ? liftOf(agentIndex, toolIndex, tools.fused) : new Map<number, Lift>()
  // An instruction says what all steps want; a step by itself lacks it.
  const isInstructed = need.whole.besides?.some((beside) => beside.kind === 'instruction') ?? false
  const mixed = isInstructed
    ? whole.fused
    : fuseSteps(whole, [...facets, ...perhaps], { ...settings.stepGain, story: need.story })
  const documents = new Set(mixed.keys())
  for (const document of lifts.keys())
    if (admitted === null || admitted[document] === 1) documents.add(document)

  // Of a story a vector tells little: what is asked for in it tells more.
  const readFacets = perhaps.length > 0 ? [whole, ...facets] : [whole]
  const rankedOf = ranking({ whole, facets, readFacets, tools, lifts, mixed }, toolIndex, settings.liftShare)
  return {
    suspicionOf: suspicionsOf(snapshot, retrieval, { text: need.whole.text, whole, tools }),
    cards: [...documents].map(rankedOf).sort((a, b) => b.score - a.score || b.document - a.document),
    answerable: answerableBy(
      whole,
      { facets, perhaps },
      tools && lifts.size > 0 ? { tools, lifts } : undefined,
    ),
  }
}

/** What was found for the query, its steps, and the tools of agents. */
type FoundParts = {
  readonly whole: Retrieved
  readonly facets: readonly Retrieved[]
  /** Those whose vectors and readings speak for a card. */
  readonly readFacets: readonly Retrieved[]
  readonly tools: Retrieved | undefined
  readonly lifts: ReadonlyMap<number, Lift>
  /** Of the query and its steps together. */
  readonly mixed: ScoreList
}

/** @returns what makes a ranked card of a document */
function ranking(
  { whole, facets, readFacets, tools, lifts, mixed }: FoundParts,
  toolIndex: CardIndex,
  liftShare: number,
): (document: number) => RankedCard {
  const servesField = (document: number, lift: Lift | undefined): Pick<RankedCard, 'serves'> => {
    const own = whole.alone.get(document)
    const ofTool = lift && tools?.alone.get(toolIndex.ids.indexOf(lift.tool))
    return own === undefined && ofTool === undefined ? {} : { serves: Math.max(own ?? 0, ofTool ?? 0) }
  }
  const readingField = (document: number): Pick<RankedCard, 'reading'> => {
    const reading = highest(readFacets.map(({ readings }) => readings?.get(document)))
    return reading === undefined ? {} : { reading }
  }
  return (document) => {
    const lift = lifts.get(document)
    const own = mixed.get(document) ?? 0
    const added = lift ? liftShare * lift.score : 0
    const score = lifts.size === 0 ? own : (1 - liftShare) * own + added
    return {
      document,
      score,
      lexical: whole.lexical.get(document),
      dense: highest(readFacets.map(({ dense }) => dense.get(document))),
      ...readingField(document),
      lift: lift && added > 0 ? { ...lift, share: added / score } : undefined,
      facets: facets.length < 2 ? [] : facets.map(({ fused }) => fused.get(document) ?? 0),
      ...servesField(document, lift),
    }
  }
}

const highest = (values: readonly (number | undefined)[]): number | undefined =>
  values.reduce((best, value) => (best === undefined || (value ?? -1) > best ? value : best), undefined)

/** A card is as suspicious as the texts that its score rests on: its own, and that of the tool that lifted it. */
function suspicionsOf(
  { indexes }: CatalogSnapshot,
  { kind, settings: { defences }, admitted }: Parameters<typeof rankCards>[2],
  {
    text,
    whole,
    tools,
  }: { readonly text: string; readonly whole: Retrieved; readonly tools: Retrieved | undefined },
): CardRanking['suspicionOf'] {
  // Who filters may leave the original out: a copy is then as good.
  const settings = admitted === null ? defences : { ...defences, nearCopies: false }
  const own = suspectsOf({ index: indexes[kind], kind, settings }, text, whole.probe)
  const ofTool =
    tools && suspectsOf({ index: indexes.tool, kind: 'tool', settings: defences }, text, tools.probe)
  return ({ document, lift }) => {
    const said = own(document)
    if (lift === undefined || ofTool === undefined) return said
    const lifted = ofTool(indexes.tool.ids.indexOf(lift.tool))
    const degree = (1 - lift.share) * (said?.degree ?? 0) + lift.share * (lifted?.degree ?? 0)
    const reason = said?.reason ?? lifted?.reason
    return degree === 0 || reason === undefined ? null : { degree, reason }
  }
}

function answerableBy(
  whole: Retrieved,
  { facets, perhaps }: { readonly [of in 'facets' | 'perhaps']: readonly Retrieved[] },
  lifted: { readonly tools: Retrieved; readonly lifts: ReadonlyMap<number, Lift> } | undefined,
): number | undefined {
  if (whole.answerable === undefined) return undefined
  const ofSteps = facets.reduce((sum, { answerable = 0 }) => sum + answerable, 0) / Math.max(1, facets.length)
  const ofPerhaps = perhaps.map(({ answerable = 0 }) => answerable)
  return Math.max(whole.answerable, ofSteps, ...ofPerhaps, lifted ? answerableByTools(lifted) : 0)
}

/** As far as the tools that serve belong to an agent. */
function answerableByTools({
  tools,
  lifts,
}: {
  readonly tools: Retrieved
  readonly lifts: ReadonlyMap<number, Lift>
}): number {
  const best = Math.max(...tools.fused.values())
  const owned = Math.max(...[...lifts.values()].map(({ score }) => score))
  return best > 0 ? (tools.answerable ?? 0) * Math.min(1, owned / best) : 0
}

/** Steps that are remembered: those of one request. */
const remembered = 8

type Found = { readonly lookup: Lookup; readonly retrieval: Retrieval; readonly retrieved: Retrieved }

const lately = new WeakMap<CardIndex, Found[]>()

/** Remembers what was found for a step of a request: composing an agent searches for each step by itself next. */
function rememberStep(index: CardIndex, found: Found): void {
  lately.set(index, [found, ...(lately.get(index) ?? [])].slice(0, remembered))
}

/**
 * What was found for the same text, by the same means and among the same cards; undefined when none of the last steps was that, or when
 * cards of several tiers are first: a request is scored again without the lower ones, its steps were not.
 */
function foundAsStep(index: CardIndex, lookup: Lookup, retrieval: Retrieval): Retrieved | undefined {
  if (lookup.besides !== undefined) return undefined
  const found = lately
    .get(index)
    ?.find((one) => one.lookup.text === lookup.text && isSame(one, { lookup, retrieval }))?.retrieved
  const isReady = !retrieval.settings.defences.provenance || (found && !mixesTiers(index, found.fused))
  return isReady ? found : undefined
}

function isSame(one: Omit<Found, 'retrieved'>, other: Omit<Found, 'retrieved'>): boolean {
  const [{ ranker, learned, admitted, settings }, { retrieval }] = [one.retrieval, other]
  return (
    ranker === retrieval.ranker &&
    learned === retrieval.learned &&
    areEqual(admitted, retrieval.admitted) &&
    areEqual(one.lookup.vector, other.lookup.vector) &&
    JSON.stringify(settings) === JSON.stringify(retrieval.settings)
  )
}

const areEqual = (one: Uint8Array | Float32Array | null, other: Uint8Array | Float32Array | null): boolean =>
  one === null || other === null ? one === other : Buffer.compare(bytesOf(one), bytesOf(other)) === 0

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array | Float32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
