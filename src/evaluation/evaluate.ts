import { countOf } from '../domain/text/count-of.ts'
import type { EmbeddingModel } from '../retrieval/ports.ts'
import { askerOf, type FoundIds } from './ask-parts.ts'
import { askAbsent, limitQueries } from './datasets/adjusted.ts'
import { type Dataset, DatasetError, type DatasetPart } from './datasets/dataset.ts'
import type { EvaluationRun, QueryOutcome, RunTiming } from './evaluation-run.ts'
import { type EvaluationContext, type EvaluationSettings, processClock } from './evaluation-settings.ts'
import { type GivenRankings, givenRankings, withFirstStage } from './runs/given-run.ts'
import { planRun } from './plan-run.ts'
import type { WeighFor } from './reranking/probed-record.ts'
import type { CountsByPart } from './reranking/reranking-notes.ts'
import { replayRecord } from './record/replay-record.ts'
import { shareNotes, summarise, timingOf } from './summarise.ts'

const nothingKept = {
  reranked: { byPart: new Map(), failure: undefined },
  recorded: [],
  found: new Map(),
} satisfies Partial<Evaluated>
/** Candidates of a first stage that are ranked. */
export const stageDepth = 100

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

/** What a reader should know of runs of others: queries that they lack count as 0. */
const givenNotes = (runs: readonly (GivenRankings | undefined)[]): readonly string[] =>
  runs.flatMap((run) =>
    run === undefined || run.missing === 0
      ? []
      : [
          `The run that was given has no candidate for ${countOf(run.missing, 'query', 'queries')}, which count as 0.`,
        ],
  )
