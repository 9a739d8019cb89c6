/**
 * Whether both ids are of one static model, trained at different times: of the built-in one when the package was upgraded, or
 * of the user's own when it was trained anew. Vectors of the one mean nothing to the other.
 *
 * @param stored - of the model that made the vectors: `static:<name>@<checksum>`
 */
export const isOtherVersion = (stored: string, configured: string): boolean =>
  stored !== configured && stored.startsWith('static:') && nameOf(stored) === nameOf(configured)

const nameOf = (id: string): string => id.slice(0, id.lastIndexOf('@'))
