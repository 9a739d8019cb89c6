import { type Outcome, successGrade } from '../../domain/outcome.ts'
import { indexedOutcome, type RecordIndex, recordIndex } from '../../retrieval/record/record-index.ts'
import { recordEstimates } from '../../retrieval/record/record-estimate.ts'
import { neutral, posteriorMean, strengths, type Tally } from '../../retrieval/record/success-estimate.ts'
import { quantisedTask } from '../../retrieval/record/task-vectors.ts'
import type { JudgedRun } from '../datasets/dataset.ts'

/** A task whose candidates are put in order by the record of all other tasks. */
export type RecordTask = {
  readonly id: string
  readonly text: string
  /** Unit vector of the text; null without a model. */
  readonly vector: Float32Array | null
  readonly runs: readonly JudgedRun[]
}

/** Whether somebody solved it: else no order of its candidates is better than another. */
export const isMeasured = ({ runs }: RecordTask): boolean => runs.some(({ grade }) => grade >= successGrade)

/** The candidates of one task with the scores that a ranker gives them, and the grades they got. */
export type Placed = readonly { readonly id: string; readonly score: number; readonly grade: number }[]

/** One way to put candidates in order by a record; a score each. */
export type RecordRanker = {
  /** As it is chosen: `--set order=<key>`. */
  readonly key: string
  readonly name: string
  scores(record: RecordIndex, task: RecordTask): (run: JudgedRun) => number
}

/** The product's own estimate, as a search takes it. */
export const byEstimate: RecordRanker = {
  key: 'record',
  name: 'the record',
  scores(record, { text, vector, runs }) {
    const need = { texts: [text], vectors: vector === null ? [] : [vector] }
    const cards = runs.map(({ card, cardHash }) => ({ id: card, hash: cardHash }))
    const known = recordEstimates(record, { need, cards })
    return ({ card }) => known.get(card)!.estimate
  },
}

/** What the record is held against, simplest first. */
export const recordBaselines: readonly RecordRanker[] = [
  { key: 'random', name: 'random order', scores: () => () => 0 },
  {
    key: 'platform',
    name: 'order of the platforms',
    scores:
      (record) =>
      ({ card }) =>
        successRate(record.sourceTally(card)),
  },
  {
    key: 'agent',
    name: "an agent's success rate shrunken toward its platform's",
    scores:
      (record) =>
      ({ card }) =>
        posteriorMean(
          record.counts(card),
          posteriorMean(record.sourceTally(card), successRate(record.total), strengths.source),
          strengths.card,
        ),
  },
]

/** Every order that a replay can be measured by, the product's own first. */
export const recordRankers: readonly RecordRanker[] = [byEstimate, ...recordBaselines]

const successRate = ({ weight, successes }: Tally): number => (weight === 0 ? neutral : successes / weight)

/** Puts the candidates of a task in order. */
export function placedBy(ranker: RecordRanker, record: RecordIndex, task: RecordTask): Placed {
  const scoreOf = ranker.scores(record, task)
  return task.runs.map((run) => ({ id: run.card, score: scoreOf(run), grade: run.grade }))
}

type TaskModel = { readonly model: string; readonly dimensions: number } | null

/** The record of all tasks but one. */
export const recordWithout = (
  left: RecordTask,
  tasks: readonly RecordTask[],
  model: TaskModel,
): RecordIndex =>
  recordOf(
    tasks.filter((task) => task !== left),
    model,
  )

/** The record of tasks. */
export function recordOf(tasks: readonly RecordTask[], model: TaskModel): RecordIndex {
  const record = recordIndex(model)
  for (const task of tasks) {
    const vector = task.vector === null ? null : quantisedTask(task.vector)
    record.add(task.runs.map((run, place) => indexedOutcome(outcomeOf(task, run, place), vector)))
  }
  return record
}

/** All of one time: a benchmark tells of none, so nothing fades by age. */
const outcomeOf = (
  { id, text }: RecordTask,
  { card, cardHash, grade }: JudgedRun,
  place: number,
): Outcome => ({
  id: `${id} ${place}`,
  card,
  cardHash,
  kind: 'agent',
  task: text,
  time: '2026-01-01T00:00:00.000Z',
  origin: 'imported',
  executor: 'benchmark',
  ending: 'answered',
  verdict: { grade, reason: '', judge: 'benchmark' },
  seconds: 0,
  tokens: null,
  cost: null,
})
