import { join } from 'node:path'
import { indexSources } from '../../../src/indexing/index-sources.ts'
import type { IndexOptions } from '../../../src/indexing/index-report.ts'
import type { SourceSurroundings } from '../../../src/indexing/open-source.ts'
import type { CatalogWriter } from '../../../src/store/catalog-writer.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { notesServer, type ServerSays } from '../../attacks/rug-pull/notes-server.ts'
import type { Stage } from '../../attacks/rug-pull/play.ts'
import { idsOf } from '../../contracts/catalog.ts'
import { memoryCatalog } from '../../fakes/memory-catalog.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'

/** A configuration with one server of this name. */
export const hostConfig = (name: string, launch: object = { command: 'serve', args: ['notes'] }): string =>
  JSON.stringify({ mcpServers: { [name]: launch } })

/** An index in memory over one server that runs in the test's own process. */
export function memoryStage(
  config: string = join(folderWith({ '.mcp.json': hostConfig('notes') }), '.mcp.json'),
) {
  const catalog = memoryCatalog()
  let says: ServerSays = notesServer
  const surroundings: SourceSurroundings = {
    harvester: {
      harvest: async () => {
        const { tools, ...server } = says
        return { server, tools }
      },
    },
    fetchDocument: () => Promise.reject(new Error('nothing is fetched here')),
    label: (path) => path,
  }
  const write = async <T>(use: (writer: CatalogWriter) => Promise<T>): Promise<T> => {
    const writer = await catalog.writer()
    try {
      return await use(writer)
    } finally {
      await writer.close()
    }
  }
  const index = (options: Partial<IndexOptions> = {}) =>
    write((writer) => indexSources(writer, surroundings, { locations: [config], refresh: true, ...options }))
  const stage: Stage = {
    say(server) {
      says = server
    },
    index: async () => void (await index()),
    async cards() {
      const snapshot = await catalog.reader().snapshot()
      return snapshot.cards([...idsOf(snapshot, 'tool'), ...idsOf(snapshot, 'agent')])
    },
    review: async () => (await catalog.reader().reviews()).find(({ key }) => !key.startsWith('retired:')),
    async search(query) {
      const snapshot = await catalog.reader().snapshot()
      const request = { kind: 'tool', query, k: 10, ranker: 'lexical', pack: 'ranking' } as const
      const { candidates } = await search({ snapshot, model: null, crossEncoder: null }, request)
      return candidates.map(({ card }) => card.id)
    },
  }
  return { ...stage, catalog, config, surroundings, write, indexWith: index }
}
