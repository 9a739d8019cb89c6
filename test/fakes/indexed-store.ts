import { lanceWriter } from '../../src/adapters/lancedb/lance-writer.ts'
import type { CatalogWriter } from '../../src/store/catalog-writer.ts'

/** Opens a LanceDB store for each piece of work, as each run of the program does. */
export const writing =
  (home: string) =>
  async <T>(work: (writer: CatalogWriter) => Promise<T>): Promise<T> => {
    const writer = await lanceWriter(home, { model: null })
    try {
      return await work(writer)
    } finally {
      await writer.close()
    }
  }
