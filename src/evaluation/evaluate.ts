import { setImmediate as nextTurn } from 'node:timers/promises'
import { allInstalled, type Standings } from '../trust/standing.ts'
import { countOf } from '../domain/text/count-of.ts'
import type { RankerName, SearchAnswer, SearchRequest } from '../retrieval/answer.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../retrieval/ports.ts'
import { embeddedTexts, search } from '../retrieval/search/search.ts'
import { askAbsent, limitQueries } from './datasets/adjusted.ts'
import { type BatchedModel, corporaOf, embedInBatches } from './corpora.ts'
import { type Dataset, DatasetError, type DatasetPart, type JudgedQuery } from './datasets/dataset.ts'
import { type Copies, corpusCopies } from './equivalence.ts'
import type { EvaluationRun, QueryOutcome, RunTiming } from './runs/evaluation-run.ts'
import {
  type Clock,
  type EvaluationContext,
  type EvaluationSettings,
  type EvaluationWatch,
  processClock,
} from './evaluation-settings.ts'
import { type GivenRankings, givenRankings, withFirstStage } from './runs/given-run.ts'
import { planRun, type RunPlan } from './plan-run.ts'
import { type Answered, answeredBy, type Measuring, outcomeOf } from './query-outcome.ts'
import type { WeighFor } from './reranking/probed-record.ts'
import { type CountsByPart, rerankGiven, rerankingNotes } from './reranking/reranking-notes.ts'
import { replayRecord } from './record/replay-record.ts'
import { shareNotes, type SpentTime, summarise, timingOf } from './summarise.ts'
import { defined } from '../domain/defined.ts'

/** Queries between two looks at the signal, and embedded at once. */
const batchSize = 32
const noCopies: Copies = new Map()
const nothingKept = {
  reranked: { byPart: new Map(), failure: undefined },
  recorded: [],
  found: new Map(),
} satisfies Partial<Evaluated>
/** Candidates of a first stage that are ranked. */
export const stageDepth = 100
/** Candidates of the answer that a host gets when it does not say how many. */
const usualAnswer = 5

/** A run that was made. */
export type Evaluated = {
  readonly run: EvaluationRun
  readonly timing: RunTiming
  /** What its reranker did, and the last reason of a failure. */
  readonly reranked: { readonly byPart: CountsByPart; readonly failure: string | undefined }
  /** The same queries with a track record that weighs in; empty without one. */
  readonly recorded: readonly QueryOutcome[]
  /** Of each query that was searched for, by its id. */
  readonly found: ReadonlyMap<string, FoundIds>
}

/** Candidates of a query, best first, and which cards are copies of each other. */
export type FoundIds = { readonly ids: readonly string[]; readonly copies: Copies }

/**
 * Asks every query of a dataset by the product's own search and measures the rankings. Equal datasets, settings and
 * models give equal runs; times are told apart.
 *
 * @throws DatasetError when the dataset has no queries, or no cards to search
 */
export async function evaluate(
  whole: Dataset,
  chosen: EvaluationSettings,
  context: EvaluationContext & {
    readonly weighFor?: (model: EmbeddingModel | null) => Promise<WeighFor>
    /** Candidates that are looked for at least, whatever the measures look at. */
    readonly leastFound?: number
  },
): Promise<Evaluated> {
  const { clock = processClock } = context
  const startedAt = clock.date()
  const started = clock.now()
  const { limit, ...unlimited } = chosen
  const limited = limit === undefined ? whole : limitQueries(whole, limit)
  if (limited.judgedRuns !== undefined)
    return { ...(await replayRecord(limited, chosen, context)), ...nothingKept }
  const given = chosen.givenRun && givenRankings(chosen.givenRun, limited)
  const stage = chosen.firstStage && givenRankings(chosen.firstStage, limited)
  const staged = stage ? withFirstStage(limited, stage, stageDepth) : limited
  const dataset = chosen.absent ? askAbsent(staged) : staged
  const parts = askedParts(dataset)
  const plan = planRun(dataset, limited === whole ? unlimited : chosen, context)
  const weighFor = await context.weighFor?.(plan.model)
  const { depth, pack } = plan.settings
  // A diverse answer depends on how many candidates are asked for.
  const k = pack === 'diverse' ? depth : Math.max(depth, context.leastFound ?? 0)
  const refusals = chosen.absent ?? false
  const asking = askerOf(dataset, { ...plan, refusals, given, weighFor, k }, context)
  for (const part of parts) await asking.ask(part)
  const { outcomes, spent } = asking
  const summary = summarise(parts, outcomes, plan.measures)
  const run: EvaluationRun = {
    format: 'audition-run/1',
    name: plan.name,
    dataset: {
      name: dataset.name,
      origin: dataset.origin,
      notes: [
        ...asking.reranked.notes(),
        ...dataset.notes,
        ...givenNotes([given, stage]),
        ...asking.notes(),
        ...shareNotes(parts, summary),
      ],
    },
    settings: plan.settings,
    ...summary,
    outcomes,
  }
  const timing = timingOf(startedAt, clock.now() - started, spent)
  const { recorded, found, reranked } = asking
  return { run, timing, recorded, found, reranked: { byPart: reranked.byPart, failure: reranked.failure() } }
}

/** How parts are asked, and by what their rankings are measured. */
type Asking = Pick<RunPlan, 'model' | 'settings' | 'measures'> & {
  readonly refusals: boolean
  readonly given: GivenRankings | undefined
  readonly weighFor: WeighFor | undefined
  /** Candidates that are looked for. */
  readonly k: number
}

/** Asks the queries of one part after another, and keeps what came of them. */
function askerOf(
  dataset: Dataset,
  { model: planned, settings, measures, refusals, given, weighFor, k }: Asking,
  context: EvaluationContext,
) {
  const { signal, clock = processClock, crossEncoder = null } = context
  const model = planned && embedInBatches(planned, signal)
  const standingOf: Standings = settings.defended ? () => 'stranger' : (context.standingOf ?? allInstalled)
  const corpora = corporaOf(dataset, settings.corpus, { model, standingOf, index: context.index })
  const copies = corpusCopies(dataset, settings.equivalence)
  const spent: SpentTime = { indexingMs: 0, searchMs: [] }
  const outcomes: QueryOutcome[] = []
  const recorded: QueryOutcome[] = []
  const found = new Map<string, FoundIds>()
  const reranked = rerankingNotes()
  const progress = progressOf(dataset, context, clock)

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

  async function searchAll(
    part: DatasetPart,
    snapshot: CatalogSnapshot,
    measuring: Measuring,
  ): Promise<void> {
    for (let start = 0; start < part.queries.length; start += batchSize) {
      signal?.throwIfAborted()
      const batch = part.queries.slice(start, start + batchSize)
      const requests = batch.map((query) => requestOf(query, part.kind, { ...settings, depth: k }))
      const embeddingMs = await embedQueries(model, requests, clock)
      for (const [at, query] of batch.entries()) {
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
      await nextTurn() // searches never wait for anything: without this, no signal and no message gets in
    }
  }

  async function answerTo(query: JudgedQuery, request: SearchRequest, snapshot: CatalogSnapshot) {
    if (query.poolOrder === 'ranked' && settings.ranker === 'cross-encoder' && crossEncoder !== null)
      return rerankGiven(crossEncoder, { snapshot, request, pool: query.pool ?? [] }, signal)
    const answer = await search({ snapshot, model, crossEncoder }, request, signal)
    const tokens = context.answerTokens?.(usualAnswerOf(answer)) ?? 0
    return { ...answeredBy(answer, tokens), reranking: answer.reranking }
  }

  const notes = (): readonly string[] => copies.notes(outcomes.filter(({ standIns }) => standIns).length)
  return { ask, outcomes, recorded, found, spent, reranked, notes }
}

/**
 * The parts that have queries; others only lend their cards to the joined corpus.
 *
 * @throws DatasetError when there are none
 */
function askedParts({ name, parts }: Dataset): readonly DatasetPart[] {
  const asked = parts.filter(({ queries }) => queries.length > 0)
  if (asked.length > 0) return asked
  throw new DatasetError(
    `${name} holds no queries.`,
    'Give a dataset with queries, or name other parts with --part.',
  )
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

/** What a reader should know of runs of others: queries that they lack count as 0. */
const givenNotes = (runs: readonly (GivenRankings | undefined)[]): readonly string[] =>
  runs.flatMap((run) =>
    run === undefined || run.missing === 0
      ? []
      : [
          `The run that was given has no candidate for ${countOf(run.missing, 'query', 'queries')}, which count as 0.`,
        ],
  )

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
