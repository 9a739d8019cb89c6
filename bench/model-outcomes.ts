import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { TaskScores } from '../src/domain/model-card.ts'
import { modelEstimates } from '../src/models/model-estimate.ts'
import { cosinesWith, type ModelTask, taskTable } from '../src/models/task-table.ts'
import type { EmbeddingModel } from '../src/retrieval/ports.ts'
import { quantisedTask } from '../src/retrieval/record/task-vectors.ts'

/** LLMRouter's table, beside the tool sets: what nine models made of 6,108 requests. */
export const outcomesFile = (data: string): string => join(data, '..', 'llms', 'perquery_llmrouter.jsonl.gz')

/** A request, what came of it by model, and its vector. */
export type OutcomeRow = TaskScores & { readonly vector: Float32Array }

/** Both splits, embedded. */
export async function readOutcomes(data: string, model: EmbeddingModel, log: (message: string) => void) {
  const lines = gunzipSync(readFileSync(outcomesFile(data)))
    .toString('utf8')
    .trim()
    .split('\n')
  const read = lines.map(
    (line) =>
      JSON.parse(line) as {
        readonly split: string
        readonly query: string
        readonly scores: TaskScores['scores']
      },
  )
  const rows: (OutcomeRow & { readonly split: string })[] = []
  for (let at = 0; at < read.length; at += 256) {
    if (at % 1024 === 0) log(`outcomes: ${at} of ${read.length} requests embedded`)
    const batch = read.slice(at, at + 256)
    const vectors = await model.embed(
      batch.map(({ query }) => query),
      'query',
    )
    for (const [place, { query, split, scores }] of batch.entries())
      rows.push({ task: query, split, scores, vector: vectors[place]! })
  }
  const part = (name: string): readonly OutcomeRow[] => rows.filter(({ split }) => split === name)
  return { train: part('train'), test: part('test') }
}

/** Of requests what is expected of each model. */
export function byEstimate(
  known: readonly OutcomeRow[],
  asked: readonly OutcomeRow[],
  names: readonly string[],
): readonly ((name: string) => number)[] {
  const table = tableOf(known)
  const estimates = modelEstimates([table])
  return asked.map((task) => {
    const of = estimates.of(taskOf(task))
    const values = new Map(names.map((name) => [name, of(name).estimate]))
    return (name) => values.get(name)!
  })
}

const taskOf = ({ task: text, vector }: OutcomeRow): ModelTask => ({
  text,
  vectors: new Map([['', vector]]),
})

function tableOf(known: readonly OutcomeRow[]) {
  const { length } = known[0]!.vector
  const vectors = new Int8Array(known.length * length)
  for (const [at, { vector }] of known.entries()) vectors.set(quantisedTask(vector), at * length)
  return taskTable(known, { model: '', cosines: (_, vector) => cosinesWith(vectors, vector) })
}
