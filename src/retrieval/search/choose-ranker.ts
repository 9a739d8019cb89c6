import type { CardKind } from '../../domain/card.ts'
import type { Ranker, SearchRequest } from '../answer.ts'
import type { CardIndex } from '../index/card-index.ts'
import { type CatalogSnapshot, type EmbeddingModel, RankerError } from '../ports.ts'
import { looksAtReadings } from '../rank/learned-ranker.ts'

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
  // Agents are lifted by their tools: both are ranked by one ranker, so that scores compare.
  const { tool, agent } = snapshot.indexes
  const areRead = (kind === 'tool' ? [tool] : [agent, tool]).every(isRead)
  if (wanted === 'auto' || wanted === 'cross-encoder') {
    if (!hasVectors) return 'lexical'
    // A search image that was rebuilt without the model has no tokens for its ranker until the next commit.
    if (!snapshot.indexes[kind].tokens) return 'hybrid'
    if (canRead(model) && areRead) return 'reader'
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
  if (wanted === 'reader' && hasVectors && !areRead)
    throw new RankerError(
      'Ranker "reader" needs cards that were read, and not all of them were: there are too many, or they were indexed by another model.',
      'Take auto instead, or run `audition index`.',
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

/** Whether all cards were read that can be: of those that were not, nothing would be known but that. */
const isRead = ({ size, vectors }: CardIndex): boolean => {
  const [first = 0, read = 0] = vectors?.held ?? []
  return size === 0 || (read > 0 && read >= first)
}

const canRank = (model: EmbeddingModel): boolean => {
  const ranker = modelOf('learned', model)?.ranker
  return ranker !== undefined && !looksAtReadings(ranker)
}

/** Whether a model reads cards, and has a ranker that looks at readings. */
export const canRead = ({ parts = [], ranker }: EmbeddingModel): boolean =>
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

/**
 * What searches vectors that a model of this id made: the configured model; its first part, where the vectors have no other or another
 * model's; or it, where it is the first part of the one that made them. Null where it made none of them.
 */
export function searcherOf(stored: string, model: EmbeddingModel): EmbeddingModel | null {
  if (model.id === stored) return model
  const first = model.plain ?? model
  return first.id === stored || stored.startsWith(`${first.id}+`) ? first : null
}

/**
 * Whether both ids are of one static model, trained at different times: of the built-in one when the package was upgraded, or
 * of the user's own when it was trained anew. Vectors of the one mean nothing to the other.
 *
 * @param stored - of the model that made the vectors: `static:<name>@<checksum>`
 */
export const isOtherVersion = (stored: string, configured: string): boolean =>
  stored !== configured && stored.startsWith('static:') && nameOf(stored) === nameOf(configured)

const nameOf = (id: string): string => id.slice(0, id.lastIndexOf('@')).replace(/-\d+$/, '')
