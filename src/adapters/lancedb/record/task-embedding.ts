import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { quantisedTask } from '../../../retrieval/record/task-vectors.ts'
import { batches } from '../batches.ts'

/** What of a model the record needs. */
export type TaskModel = Pick<EmbeddingModel, 'id' | 'dimensions' | 'embed'>

const textsAtOnce = 256

/** Vectors of tasks, as queries, in 8 bits, by text; none without a model. */
export async function embedTasks(
  tasks: readonly string[],
  model: TaskModel | null,
): Promise<ReadonlyMap<string, Int8Array>> {
  const vectors = new Map<string, Int8Array>()
  if (model === null) return vectors
  for (const batch of batches([...new Set(tasks)], textsAtOnce)) {
    const made = await model.embed(batch, 'query')
    batch.forEach((task, at) => {
      vectors.set(task, quantisedTask(made[at]!))
    })
  }
  return vectors
}
