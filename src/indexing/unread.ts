import type { Card } from '../domain/card.ts'
import { contains } from '../domain/paths.ts'
import type { Problem } from '../catalog/ports.ts'
import type { CatalogWriter } from '../store/catalog-writer.ts'
import type { SourceReview } from '../store/source-review.ts'

/** A place that could not be read: it says nothing of the cards that came from it. */
export type Unread = {
  /** File, folder with all in it, or URL. */
  readonly path: string
  readonly problem: Problem
}

/** Whether a file or folder is one that could not be read, or lies in one. */
export const isUnread = (path: string, { path: place }: Unread): boolean =>
  path === place || contains({ folder: place, path })

/**
 * The cards of a source that came from places which cannot be read now, as they were last read: one that is held in place
 * of the one in search, and an agent with all its tools. Reviewed again, they stay what they are.
 */
export async function lastRead(
  source: string,
  unread: readonly Unread[],
  reviews: readonly SourceReview[],
  writer: Pick<CatalogWriter, 'hashes' | 'cards'>,
): Promise<readonly Card[]> {
  if (unread.length === 0) return []
  const { held = [], owners = [] } = reviews.find(({ key }) => key === source) ?? {}
  const reviewed = new Map([...held.map(({ card }) => card), ...owners].map((card) => [card.id, card]))
  const replaced = new Set(held.map(({ replaces }) => replaces))
  const ids = [...(await writer.hashes(source)).keys()]
  const stored = await writer.cards(ids.filter((id) => !reviewed.has(id) && !replaced.has(id)))
  return [...stored.map(asRead), ...reviewed.values()].filter(({ provenance }) =>
    unread.some((one) => isUnread(provenance.location, one)),
  )
}

/** Without what the scan found. */
const asRead = ({ flags: _, ...card }: Card): Card => card as Card
