import { join } from 'node:path'
import { describe } from 'vitest'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'
import { keepsTheCatalogContract } from '../../contracts/catalog.ts'
import { memoryCatalog } from '../../fakes/memory-catalog.ts'
import { catalogIn, storeFolder } from './stores.ts'

describe('the LanceDB store', () =>
  keepsTheCatalogContract(() => catalogIn(join(temporaryFolder(), 'a folder, that is "new"'))))

describe('the LanceDB store, however few cards, in segments', () =>
  keepsTheCatalogContract(() => catalogIn(storeFolder(), { segmentsFrom: 1 })))

describe('the catalog in memory', () => keepsTheCatalogContract(memoryCatalog))
