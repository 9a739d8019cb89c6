import { join } from 'node:path'
import { describe } from 'vitest'
import { lanceReader } from '../../../src/adapters/lancedb/lance-reader.ts'
import { lanceWriter } from '../../../src/adapters/lancedb/commit/lance-writer.ts'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'
import { keepsTheCatalogContract } from '../../contracts/catalog.ts'
import { memoryCatalog } from '../../fakes/memory-catalog.ts'

describe('the LanceDB store', () =>
  keepsTheCatalogContract(() => {
    const home = join(temporaryFolder(), 'a folder, that is "new"')
    return {
      writer: (model = null) => lanceWriter(home, { model }),
      reader: () => lanceReader(home, { recheckMs: 0 }),
    }
  }))

describe('the LanceDB store, however few cards, in segments', () =>
  keepsTheCatalogContract(() => {
    const home = join(temporaryFolder(), 'store')
    return {
      writer: (model = null) => lanceWriter(home, { model, segmentsFrom: 1 }),
      reader: () => lanceReader(home, { recheckMs: 0 }),
    }
  }))

describe('the catalog in memory', () => keepsTheCatalogContract(memoryCatalog))
