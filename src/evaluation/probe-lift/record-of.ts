import type { Outcome } from '../../domain/outcome.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import { indexedOutcome, type RecordIndex, recordIndex } from '../../retrieval/track-record/record-index.ts'
import { quantisedTask } from '../../retrieval/track-record/task-vectors.ts'

/** A track record in memory, as a search reads it. Without a model no task is nearer than another. */
export async function recordOf(
  outcomes: readonly Outcome[],
  model: EmbeddingModel | null,
  signal: AbortSignal,
): Promise<RecordIndex> {
  const texts = [...new Set(outcomes.map(({ task }) => task))]
  const vectors = (await model?.embed(texts, 'query', signal)) ?? []
  const vectorOf = new Map(texts.map((text, at) => [text, vectors[at]]))
  const record = recordIndex(model && { model: model.id, dimensions: model.dimensions })
  record.add(
    outcomes.map((outcome) => {
      const vector = vectorOf.get(outcome.task)
      return indexedOutcome(outcome, vector ? quantisedTask(vector) : null)
    }),
  )
  return record
}
