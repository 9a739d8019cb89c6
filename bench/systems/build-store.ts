import { lanceWriter } from '../../src/adapters/lancedb/lance-writer.ts'
import { indexSources } from '../../src/indexing/index-sources.ts'
import { HarvestError } from '../../src/catalog/ports.ts'
import type { EmbeddingModel } from '../../src/retrieval/ports.ts'

/** Indexes a corpus the way `audition index` does, with any model. */
export async function buildStore(corpus: string, store: string, model: EmbeddingModel | null): Promise<void> {
  const writer = await lanceWriter(store, { model })
  try {
    const report = await indexSources(writer, filesOnly, { locations: [corpus] })
    const failed = report.sources.find(({ failure }) => failure)
    if (failed?.failure) throw new Error(`${failed.location}: ${failed.failure.message}`)
  } finally {
    await writer.close()
  }
}

/** A corpus of the bench holds files alone. */
const filesOnly = {
  harvester: {
    harvest: () => Promise.reject(new HarvestError('The bench starts no servers.', 'Give it files.')),
  },
  fetchDocument: () => Promise.reject(new Error('The bench fetches nothing.')),
  label: (path: string) => path,
}
