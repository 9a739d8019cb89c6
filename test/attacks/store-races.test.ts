import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { compiledPackage } from '../fixtures/compiled-package.ts'
import { runStoreRaces } from './store-races/store-races.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-races-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('processes that write one store at the same time, some of them killed, lose nothing that was acknowledged', async () => {
  const { main: program } = await compiledPackage()
  const seed = Date.now() % 2 ** 32
  const races = { storage: 4, folder: 3 }
  const found = await runStoreRaces({ program, folder, races, seed, log: () => undefined })
  for (const { lost, unreadable, failed } of [found.storage, found.folder])
    expect({ lost, unreadable, failed }, `seed ${seed}`).toEqual({ lost: [], unreadable: [], failed: [] })
  expect(found.untrusted, 'a server that ignores the condition of a put').toEqual([])
  expect(found.storage.races + found.folder.races).toBe(7)
  expect(found.storage.reads).toBeGreaterThan(0)
}, 900_000)
