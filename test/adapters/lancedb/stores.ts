import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { diagnoseStore } from '../../../src/adapters/lancedb/diagnose-store.ts'
import { lanceReader } from '../../../src/adapters/lancedb/lance-reader.ts'
import { lanceWriter, type WriterOptions } from '../../../src/adapters/lancedb/lance-writer.ts'
import type { CatalogChange } from '../../../src/store/catalog-writer.ts'
import type { CatalogReader } from '../../../src/retrieval/ports.ts'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'
import { type Catalog, changeOf, idsOf } from '../../contracts/catalog.ts'
import { nearestCards } from '../../fakes/nearest-cards.ts'
import { catalogAt, changeTo, type Place, placeIn } from '../../fakes/catalog-series.ts'
import { scatteredModel } from '../../fakes/scattered-model.ts'

/** A folder for a store; nothing is there yet. */
export const storeFolder = (): string => join(temporaryFolder(), 'store')

/** A store as the contract wants it. */
export const catalogIn = (home: string, options: Pick<WriterOptions, 'segmentsFrom'> = {}): Catalog => ({
  writer: (model = null) => lanceWriter(home, { model, ...options }),
  reader: () => lanceReader(home, { recheckMs: 0 }),
})

/** A reader that looks for commits at every call; closed after the test. */
export function freshReader(home: string): CatalogReader {
  const reader = lanceReader(home, { recheckMs: 0 })
  onTestFinished(() => reader.close())
  return reader
}

/** Commits one change with a writer of its own. */
export async function commit(
  home: string,
  change: Partial<CatalogChange>,
  options: Partial<WriterOptions> = {},
): Promise<void> {
  const writer = await lanceWriter(home, { model: null, ...options })
  try {
    await writer.commit(changeOf(change))
  } finally {
    await writer.close()
  }
}

/** Brings a store to a place of the series. */
export async function commitSeries(
  home: string,
  place: Place,
  options: Pick<WriterOptions, 'segmentsFrom'> = {},
): Promise<void> {
  const writer = await lanceWriter(home, { model: scatteredModel(), ...options })
  try {
    await writer.commit(await changeTo(writer, place))
  } finally {
    await writer.close()
  }
}

/** Checks that cards, search images, vectors and states are all of one place of the series. @returns the place */
export async function expectWholeSeries(home: string): Promise<Place> {
  const reader = lanceReader(home, { recheckMs: 0 })
  try {
    const place = placeIn(await reader.sources())
    const snapshot = await reader.snapshot()
    const [vector] = await scatteredModel().embed(['anything'], 'query')
    for (const kind of ['tool', 'agent'] as const) {
      const cards = catalogAt(place).filter((card) => card.kind === kind)
      const ids = cards.map(({ id }) => id)
      expect(idsOf(snapshot, kind)).toEqual([...ids].sort())
      expect(await snapshot.cards(ids)).toEqual(cards)
      const near = nearestCards(snapshot.indexes[kind], vector!, 1000, null)
      expect(near.map(({ id }) => id).sort()).toEqual([...ids].sort())
    }
    expect(await diagnoseStore(home)).toMatchObject({ state: 'ready' })
    return place
  } finally {
    await reader.close()
  }
}

/** Bytes of all files in a folder. */
export const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

/** All files in a folder with their sizes and times: equal lists mean that nothing was written. */
export const listing = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => `${path} ${statSync(path).size} ${statSync(path).mtimeMs}`)
    .sort()
