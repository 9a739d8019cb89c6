import { setImmediate as nextTurn } from 'node:timers/promises'
import { successGrade } from '../../domain/outcome.ts'
import { rank } from '../../domain/ranking.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import { type Dataset, DatasetError } from '../datasets/dataset.ts'
import type { EvaluationRun, QueryOutcome, RunTiming } from '../evaluation-run.ts'
import { type EvaluationSettings, type EvaluationWatch, processClock } from '../evaluation-settings.ts'
import { grouped } from '../../domain/grouped.ts'
import { summarise, timingOf } from '../summarise.ts'
import { baselineNotes, randomHalves, tiedMeasures } from './record-measures.ts'
import {
  byEstimate,
  isMeasured,
  type Placed,
  placedBy,
  recordRankers,
  type RecordRanker,
  type RecordTask,
  recordWithout,
} from './record-rankings.ts'

/** What a replay works with. */
type ReplayContext = EvaluationWatch & {
  /** Tells which tasks are alike; null: each is only like itself. */
  readonly model: EmbeddingModel | null
}

/**
 * Replays judged runs, one task left out at a time: the track record holds the verdicts of all other tasks, and the candidates
 * of the one are put in order by that alone, by the estimate that search takes, or by a baseline that the dataset names. Tasks that nobody solved are in the record of
 * the others and not measured.
 *
 * @throws DatasetError when no task has a candidate that solved it
 */
export async function replayRecord(
  dataset: Dataset,
  settings: EvaluationSettings,
  context: ReplayContext,
): Promise<{ readonly run: EvaluationRun; readonly timing: RunTiming }> {
  const { model: configured, signal, clock = processClock } = context
  const [startedAt, started] = [clock.date(), clock.now()]
  const model = settings.ranker === 'lexical' ? null : configured
  const tasks = await tasksOf(dataset, model, signal)
  const indexingMs = clock.now() - started
  const measured = tasks.filter(isMeasured)
  if (measured.length === 0)
    throw new DatasetError(`${dataset.name} has no task that a candidate solved.`, 'Check its judgements.')
  const embedding = model && { model: model.id, dimensions: model.dimensions }
  const chosen = recordRankers.find(({ key }) => key === dataset.recordOrder) ?? byEstimate
  const without: RecordWithout = (task, others) => recordWithout(task, others, embedding)
  const { placed, outcomes, searchMs } = await ordersOf(
    dataset,
    { tasks, measured, chosen, without },
    context,
  )
  const run: EvaluationRun = {
    format: 'audition-run/1',
    name:
      settings.name ??
      `${dataset.name}${model === null ? ' words' : ''}${chosen === byEstimate ? '' : ` order ${chosen.key}`}`,
    dataset: {
      name: dataset.name,
      origin: dataset.origin,
      notes: [
        ...baselineNotes(placed, chosen),
        ...(chosen === byEstimate ? [randomHalves(tasks, without)] : []),
        ...dataset.notes,
      ],
    },
    settings: {
      ranker: 'record',
      model: model?.id ?? null,
      corpus: 'own',
      instruction: 'without',
      pack: 'ranking',
      equivalence: 'strict',
      depth: Math.max(...measured.map(({ runs }) => runs.length)),
    },
    ...summarise([{ name: partOf(dataset) }], outcomes, tiedMeasures),
    outcomes,
  }
  return { run, timing: timingOf(startedAt, clock.now() - started, { indexingMs, searchMs }) }
}

/** The record that other tasks leave when one is asked. */
type RecordWithout = (task: RecordTask, others: readonly RecordTask[]) => ReturnType<typeof recordWithout>

/** Each measured task by every ranker; what the chosen one gave is kept as the run's outcomes. */
async function ordersOf(
  dataset: Dataset,
  {
    tasks,
    measured,
    chosen,
    without,
  }: {
    readonly tasks: readonly RecordTask[]
    readonly measured: readonly RecordTask[]
    readonly chosen: RecordRanker
    readonly without: RecordWithout
  },
  { signal, onProgress, clock = processClock }: EvaluationWatch,
) {
  const searchMs: number[] = []
  const outcomes: QueryOutcome[] = []
  const placed = new Map(recordRankers.map((ranker) => [ranker, [] as Placed[]]))
  for (const task of measured) {
    signal?.throwIfAborted()
    const record = without(task, tasks)
    for (const ranker of recordRankers) {
      const since = clock.now()
      const found = placedBy(ranker, record, task)
      if (ranker === chosen) {
        searchMs.push(clock.now() - since)
        outcomes.push(outcomeOf(dataset, task, found))
      }
      placed.get(ranker)!.push(found)
    }
    onProgress?.({ part: partOf(dataset), done: outcomes.length, total: measured.length, secondsLeft: null })
    await nextTurn()
  }
  return { placed, outcomes, searchMs }
}

const partOf = ({ parts }: Dataset): string => parts[0]?.name ?? 'tasks'

async function tasksOf(
  { parts, judgedRuns = [] }: Dataset,
  model: EmbeddingModel | null,
  signal: AbortSignal | undefined,
): Promise<readonly RecordTask[]> {
  const queries = parts.flatMap((part) => part.queries)
  const texts = queries.map(({ text }) => text)
  const vectors = (await model?.embed(texts, 'query', signal)) ?? []
  const runs = grouped(judgedRuns, ({ query }) => query)
  return queries.map(({ id, text }, at) => ({
    id,
    text,
    vector: vectors[at] ?? null,
    runs: runs.get(id) ?? [],
  }))
}

function outcomeOf(dataset: Dataset, { id, text }: RecordTask, placed: Placed): QueryOutcome {
  const relevant = placed.filter(({ grade }) => grade >= successGrade)
  return {
    id,
    text,
    part: partOf(dataset),
    candidates: rank(placed).map((candidate) => ({ ...candidate })),
    relevant: Object.fromEntries(relevant.map((candidate) => [candidate.id, 1])),
    measures: Object.fromEntries(tiedMeasures.map((measure) => [measure.name, measure.of(placed)])),
    match: 'good',
    tokens: 0,
  }
}
