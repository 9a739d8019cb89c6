import type { CardKind } from '../domain/card.ts'
import { type StringTable, stringsIn } from '../retrieval/index/string-table.ts'
import { type CatalogReader, type CatalogSnapshot, NoIndexError } from '../retrieval/ports.ts'
import type { PinnedCatalog } from '../trust/review/known-servers.ts'
import type { Neighbour } from '../trust/scan/scan-cards.ts'

/**
 * The catalog as it is committed, for comparing what servers say while a run goes on.
 *
 * @param onSnapshot - reads a snapshot, again when a commit took it away meanwhile
 */
export function pinnedCatalog(
  openReader: () => Promise<CatalogReader>,
  onSnapshot: <T>(use: (snapshot: CatalogSnapshot) => Promise<T>) => Promise<T>,
): PinnedCatalog {
  let known: { readonly generation: number; readonly names: readonly Neighbour[] } | null = null
  return {
    sources: async () => (await openReader()).sources(),
    reviews: async () => (await openReader()).reviews(),
    async tools(source) {
      await (await openReader()).snapshot('now') // reviews are the newest too
      return onSnapshot(async (snapshot) => snapshot.cards(await idsOfSource(snapshot, 'tool', source)))
    },
    async names() {
      try {
        return await onSnapshot(async ({ generation, indexes, engine }) => {
          if (known?.generation !== generation) {
            const ids =
              (await engine?.ids()) ?? Object.values(indexes).flatMap((one) => [...stringsIn(one.ids)])
            known = { generation, names: ids.map(nameOf) }
          }
          return known.names
        })
      } catch (error) {
        if (error instanceof NoIndexError) return []
        throw error
      }
    },
  }
}

/** The ids of a source's cards in search, of one kind. */
export const idsOfSource = async (
  { engine, indexes }: CatalogSnapshot,
  kind: CardKind,
  source: string,
): Promise<readonly string[]> => (await engine?.ids({ kind, source })) ?? idsIn(indexes[kind].ids, source)

/** Ids are in order: those of a source stand together. */
function idsIn(ids: StringTable, source: string): readonly string[] {
  const found: string[] = []
  for (let index = ids.lowerBound(`${source}/`); index < ids.size; index++) {
    const id = ids.at(index)
    if (!id.startsWith(`${source}/`)) break
    found.push(id)
  }
  return found
}

/** No source has a slash in its id. */
function nameOf(id: string): Neighbour {
  const slash = id.indexOf('/')
  return { id, source: id.slice(0, slash), name: id.slice(slash + 1) }
}
