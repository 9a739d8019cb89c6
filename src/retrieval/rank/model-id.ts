import type { EmbeddingModel } from '../ports.ts'

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
