import { beforeAll, expect, test } from 'vitest'
import { staticModel } from '../../../src/adapters/static-model/static-model.ts'
import { builtInModel } from '../../../src/compose/open-models.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { absentNames, office, presentNames } from './unlisted-names.ts'

let model: EmbeddingModel
let snapshot: CatalogSnapshot
beforeAll(async () => {
  model = await staticModel(builtInModel)
  snapshot = await memorySnapshot(office, model)
})

const missingIn = async (query: string) => {
  const { note, match } = await search({ snapshot, model }, { kind: 'tool', query })
  return { missing: /No indexed card is of "([^"]+)"/.exec(note)?.[1], match }
}

test('of forty systems that an office does not have most are told, and none of their answers is good', async () => {
  const missed: string[] = []
  for (const [query, system] of absentNames) {
    const { missing, match } = await missingIn(query)
    if (missing !== system) missed.push(`${query}: ${missing}`)
    else expect(match, query).not.toBe('good')
  }
  expect(absentNames).toHaveLength(40)
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(6)
})

test('forty other names and words are taken for none', async () => {
  const told: string[] = []
  for (const query of presentNames) {
    const { missing } = await missingIn(query)
    if (missing !== undefined) told.push(`${query}: ${missing}`)
  }
  expect(presentNames).toHaveLength(40)
  expect(told).toEqual([])
})
