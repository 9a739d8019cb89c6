import type { CardKind } from '../domain/card.ts'
import type { SearchRequest } from './answer.ts'
import type { CatalogSnapshot, EmbeddingModel } from './ports.ts'
import { looksAtReadings } from './rank/learned-ranker.ts'
import { RankerError } from './rank/ranker-error.ts'
import type { Ranker } from './retrieve.ts'

/**
 * The ranker of a search: the one that is asked for; for `auto` and `cross-encoder` the best that model and index allow.
 *
 * @throws RankerError when the one that is asked for needs what is not there
 */
export function rankerFor(
  { snapshot, model }: { readonly snapshot: CatalogSnapshot; readonly model: EmbeddingModel | null },
  { kind, wanted }: { readonly kind: CardKind; readonly wanted: NonNullable<SearchRequest['ranker']> },
): Ranker {
  const hasVectors = snapshot.embedding !== null && model !== null
  const { vectors, tokens } = snapshot.indexes[kind]
  if (wanted === 'auto' || wanted === 'cross-encoder') {
    if (!hasVectors) return 'lexical'
    // A search image that was rebuilt without the model has no tokens for its ranker until the next commit.
    if (!tokens) return 'hybrid'
    if (canRead(model) && vectors?.dimensions === model.dimensions) return 'reader'
    return canRank(model) ? 'learned' : 'hybrid'
  }
  if (wanted === 'learned' && hasVectors && !canRank(model))
    throw new RankerError(
      `Ranker "learned" needs a model with a ranker, and ${model.id} has none.`,
      'Take hybrid instead.',
    )
  if (wanted === 'reader' && hasVectors && !canRead(model))
    throw new RankerError(
      `Ranker "reader" needs a model with a reader, and ${model.id} has none.`,
      'Take auto instead.',
    )
  if (wanted !== 'lexical' && !hasVectors)
    throw snapshot.embedding === null ? noVectors(wanted) : noModel(wanted)
  return wanted
}

/** What of a model a ranker works with: `learned` reads no cards, and opens nothing that does. */
export const modelOf = (ranker: Ranker, model: EmbeddingModel | null): EmbeddingModel | null => {
  if (ranker === 'lexical') return null
  return ranker === 'learned' ? (model?.plain ?? model) : model
}

const canRank = (model: EmbeddingModel): boolean => {
  const ranker = modelOf('learned', model)?.ranker
  return ranker !== undefined && !looksAtReadings(ranker)
}

const canRead = ({ parts = [], ranker }: EmbeddingModel): boolean =>
  parts.length > 1 && ranker !== undefined && looksAtReadings(ranker)

const noVectors = (ranker: Ranker): RankerError =>
  new RankerError(
    `Ranker "${ranker}" needs vectors, and the store has none.`,
    'Run `audition index`, which makes them unless AUDITION_MODEL is none.',
  )
const noModel = (ranker: Ranker): RankerError =>
  new RankerError(
    `Ranker "${ranker}" needs a model, and AUDITION_MODEL=none switches it off.`,
    'Unset it, or take ranker lexical.',
  )
