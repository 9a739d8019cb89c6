import { setImmediate as nextTurn } from 'node:timers/promises'
import { defined } from '../domain/defined.ts'
import type { RankerName, SearchAnswer, SearchRequest } from '../retrieval/answer.ts'
import type { CatalogSnapshot } from '../retrieval/ports.ts'
import { embeddedTexts, search } from '../retrieval/search/search.ts'
import { allInstalled, type Standings } from '../trust/standing.ts'
import { type BatchedModel, corporaOf, embedInBatches } from './corpora.ts'
import type { Dataset, DatasetPart, JudgedQuery } from './datasets/dataset.ts'
import { type Copies, corpusCopies } from './equivalence.ts'
import {
  type Clock,
  type EvaluationContext,
  type EvaluationWatch,
  processClock,
} from './evaluation-settings.ts'
import type { RunPlan } from './plan-run.ts'
import { type Answered, answeredBy, type Measuring, outcomeOf } from './query-outcome.ts'
import type { WeighFor } from './reranking/probed-record.ts'
import { rerankGiven, rerankingNotes } from './reranking/reranking-notes.ts'
import type { QueryOutcome } from './evaluation-run.ts'
import type { GivenRankings } from './runs/given-run.ts'
import type { SpentTime } from './summarise.ts'

/** Queries between two looks at the signal, and embedded at once. */
const batchSize = 32
const noCopies: Copies = new Map()
/** Candidates of the answer that a host gets when it does not say how many. */
const usualAnswer = 5

/** Candidates of a query, best first, and which cards are copies of each other. */
export type FoundIds = { readonly ids: readonly string[]; readonly copies: Copies }

/** How parts are asked, and by what their rankings are measured. */
type Asking = Pick<RunPlan, 'model' | 'settings' | 'measures'> & {
  readonly refusals: boolean
  readonly given: GivenRankings | undefined
  readonly weighFor: WeighFor | undefined
  /** Candidates that are looked for. */
  readonly k: number
}

/** Asks the queries of one part after another, and keeps what came of them. */
export function askerOf(dataset: Dataset, asking: Asking, context: EvaluationContext) {
  const { settings, measures, refusals, given } = asking
  const { signal, clock = processClock } = context
  const model = asking.model && embedInBatches(asking.model, signal)
  const standingOf: Standings = settings.defended ? () => 'stranger' : (context.standingOf ?? allInstalled)
  const corpora = corporaOf(dataset, settings.corpus, { model, standingOf, index: context.index })
  const copies = corpusCopies(dataset, settings.equivalence)
  const progress = progressOf(dataset, context, clock)
  const kept: Kept = {
    outcomes: [],
    recorded: [],
    found: new Map(),
    spent: { indexingMs: 0, searchMs: [] },
    reranked: rerankingNotes(),
  }
  const { outcomes, spent } = kept
  const searchAll = searcherOf({ ...asking, model }, { kept, progress }, context)

  async function ask(part: DatasetPart): Promise<void> {
    signal?.throwIfAborted()
    progress(part.name, outcomes.length)
    await nextTurn()
    const indexing = clock.now()
    const snapshot = given === undefined || settings.equivalence === 'aware' ? await corpora.of(part) : null
    const own = snapshot === null ? noCopies : await copies.of(snapshot)
    const measuring = { part: part.name, measures, depth: settings.depth, refusals, copies: own }
    spent.indexingMs += clock.now() - indexing
    if (given === undefined && snapshot !== null) return searchAll(part, snapshot, measuring)
    for (const query of part.queries)
      outcomes.push(outcomeOf(query, givenAnswer(given?.of(query)), measuring))
    progress(part.name, outcomes.length)
  }

  const notes = (): readonly string[] => copies.notes(outcomes.filter(({ standIns }) => standIns).length)
  return { ...kept, ask, notes }
}

/** What came of the queries so far. */
type Kept = {
  readonly outcomes: QueryOutcome[]
  /** The same with a track record that weighs in; empty without one. */
  readonly recorded: QueryOutcome[]
  readonly found: Map<string, FoundIds>
  readonly spent: SpentTime
  readonly reranked: ReturnType<typeof rerankingNotes>
}

/** Searches for the queries of a part, some at once. */
function searcherOf(
  asking: Omit<Asking, 'model'> & { readonly model: BatchedModel | null },
  { kept, progress }: { readonly kept: Kept; readonly progress: ReturnType<typeof progressOf> },
  context: EvaluationContext,
) {
  const { model, settings, weighFor, k } = asking
  const { signal, clock = processClock, crossEncoder = null } = context
  const { outcomes, recorded, found, spent, reranked } = kept
  const answerTo = answererOf(settings, model, context)
  return async (part: DatasetPart, snapshot: CatalogSnapshot, measuring: Measuring): Promise<void> => {
    for (let start = 0; start < part.queries.length; start += batchSize) {
      signal?.throwIfAborted()
      const batch = part.queries.slice(start, start + batchSize)
      const requests = batch.map((query) => requestOf(query, part.kind, { ...settings, depth: k }))
      const embeddingMs = await embedQueries(model, requests, clock)
      for (const [at, query] of batch.entries()) {
        await nextTurn() // searches never wait for anything: without this, no signal and no other request gets in
        signal?.throwIfAborted()
        const since = clock.now()
        const { reranking, ...answer } = await answerTo(query, requests[at]!, snapshot)
        spent.searchMs.push(clock.now() - since + embeddingMs / batch.length)
        reranked.add(part.name, reranking)
        found.set(query.id, { ids: answer.candidates.map(({ id }) => id), copies: measuring.copies })
        outcomes.push(outcomeOf(query, answer, measuring))
        if (weighFor === undefined) continue
        const weighed = { snapshot, model, crossEncoder, ...weighFor(query, snapshot) }
        const { candidates } = answeredBy(await search(weighed, requests[at]!, signal), 0)
        recorded.push(outcomeOf(query, { ...answer, candidates }, measuring))
      }
      progress(part.name, outcomes.length)
      await nextTurn()
    }
  }
}

/** Answers a query by the product's own search; a pool that stands in an order is only put in another. */
function answererOf(
  settings: RunPlan['settings'],
  model: BatchedModel | null,
  { signal, crossEncoder = null, answerTokens }: EvaluationContext,
) {
  return async (query: JudgedQuery, request: SearchRequest, snapshot: CatalogSnapshot) => {
    if (query.poolOrder === 'ranked' && settings.ranker === 'cross-encoder' && crossEncoder !== null)
      return rerankGiven(crossEncoder, { snapshot, request, pool: query.pool ?? [] }, signal)
    const answer = await search({ snapshot, model, crossEncoder }, request, signal)
    const tokens = answerTokens?.(usualAnswerOf(answer)) ?? 0
    return { ...answeredBy(answer, tokens), reranking: answer.reranking }
  }
}

const requestOf = (
  query: JudgedQuery,
  kind: SearchRequest['kind'],
  settings: RunPlan['settings'],
): SearchRequest => ({
  kind,
  query: query.text,
  k: settings.depth,
  ranker: settings.ranker as RankerName,
  pack: settings.pack,
  ...(settings.instruction === 'with' && query.instruction !== undefined
    ? { instruction: query.instruction }
    : {}),
  ...filterOf(query),
})

function filterOf({ pool, exclude }: JudgedQuery): Pick<SearchRequest, 'filter'> {
  if (pool === undefined && exclude === undefined) return {}
  return {
    filter: defined({ only: pool, exclude }),
  }
}

async function embedQueries(
  model: BatchedModel | null,
  requests: readonly SearchRequest[],
  clock: Clock,
): Promise<number> {
  if (model === null) return 0
  const started = clock.now()
  await model.prepare(requests.flatMap(embeddedTexts))
  return clock.now() - started
}

/** Another system's ranking; it says nothing of whether anything fits. */
const givenAnswer = (ranking: Answered['candidates'] = []): Answered => ({
  candidates: ranking,
  match: 'good',
  tokens: 0,
})

const usualAnswerOf = (answer: SearchAnswer): SearchAnswer => ({
  ...answer,
  candidates: answer.candidates.slice(0, usualAnswer),
})

/** Tells how far the run is; time left is reckoned from the queries done since the first of them. */
function progressOf(dataset: Dataset, { onProgress }: EvaluationWatch, clock: Clock) {
  const total = dataset.parts.reduce((sum, { queries }) => sum + queries.length, 0)
  let since: number | undefined
  return (part: string, done: number): void => {
    if (onProgress === undefined) return
    since ??= clock.now()
    const seconds = (clock.now() - since) / 1000
    onProgress({ part, done, total, secondsLeft: done === 0 ? null : (seconds / done) * (total - done) })
  }
}
