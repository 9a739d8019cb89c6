import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contentHash } from '../../../src/catalog/identity.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import { jsonLinesOf } from '../../../src/evaluation/datasets/files.ts'
import {
  naturalRecords,
  naturalRequests,
  naturalRequestsOf,
} from '../../../evals/benchmarks/src/natural-requests.ts'
import { devSets } from '../../../evals/benchmarks/src/toolret/dev-sets.ts'
import { readToolretTools } from '../../../evals/benchmarks/src/toolret/toolret-folders.ts'
import { folderWith } from '../../fixtures/temporary-folder.ts'

const tool = (id: string) => ({ id, documentation: { name: `${id}_name`, description: `Does ${id}` } })

const sets = {
  'sets/boats/tools.jsonl': ['row', 'sail', 'moor'].map(tool),
  'sets/kites/tools.jsonl': ['fly', 'mend'].map(tool),
  'sets/kites/queries.jsonl': [{ id: 'k', query: 'its own', labels: [{ id: 'fly', relevance: 1 }] }],
}

/** Requests over the sets of a folder, whose needs are named by id here. */
function requestsOver(
  root: string,
  requests: readonly { id: string; catalog: string; query: string; needs: string[][] }[],
) {
  const hashOf = (catalog: string, id: string): string => {
    const card = readToolretTools(root, catalog).find((one) => one.id === `${catalog}/${id}`)
    return card === undefined ? '0'.repeat(32) : contentHash(card)
  }
  const lines = requests.map(({ catalog, needs, ...rest }) => ({
    ...rest,
    catalog,
    needs: needs.map((members) => members.map((id) => hashOf(catalog, id))),
  }))
  return naturalRequestsOf(join(folderWith({ 'queries.jsonl': lines }), 'queries.jsonl'))
}

describe('natural requests', () => {
  test('ask each set they were written for, and find its cards by what these say', async () => {
    const root = join(folderWith(sets), 'sets')
    const recipe = requestsOver(root, [
      { id: 'n1', catalog: 'boats', query: 'off we go', needs: [['row', 'sail']] },
      { id: 'n2', catalog: 'boats', query: 'there and tied up', needs: [['row', 'sail'], ['moor']] },
      { id: 'n3', catalog: 'kites', query: 'it has a hole', needs: [['mend']] },
    ])
    const { parts, notes } = await recipe.read(root, [])
    expect(parts.map(({ name, kind, cards }) => [name, kind, cards.length])).toEqual([
      ['boats', 'tool', 3],
      ['kites', 'tool', 2],
    ])
    const [row, sail, moor] = ['row', 'sail', 'moor'].map((id) => `boats/${id}`) as [string, string, string]
    expect(parts.flatMap(({ queries }) => queries)).toEqual([
      {
        id: 'n1',
        text: 'off we go',
        grades: new Map([row, sail].map((id) => [id, 1])),
        needs: [[row, sail]],
        group: 'one tool',
      },
      {
        id: 'n2',
        text: 'there and tied up',
        grades: new Map([row, sail, moor].map((id) => [id, 1])),
        needs: [[row, sail], [moor]],
        group: 'several tools',
      },
      {
        id: 'n3',
        text: 'it has a hole',
        grades: new Map([['kites/mend', 1]]),
        needs: [['kites/mend']],
        group: 'one tool',
      },
    ])
    expect(notes).toEqual([expect.stringContaining('completeness for one per need')])
    expect((await recipe.read(root, ['kites'])).parts.map(({ name }) => name)).toEqual(['kites'])
  })

  test('of sets that are absent, or say something else, are left out and told of', async () => {
    const root = join(folderWith(sets), 'sets')
    const recipe = requestsOver(root, [
      { id: 'n1', catalog: 'boats', query: 'off we go', needs: [['row', 'sail']] },
      { id: 'n2', catalog: 'boats', query: 'dry the wet things', needs: [['a card of another edition']] },
      { id: 'n3', catalog: 'trains', query: 'up north', needs: [['ride']] },
    ])
    const { parts, notes } = await recipe.read(root, [])
    expect(parts.map(({ name, queries }) => [name, queries.map(({ id }) => id)])).toEqual([['boats', ['n1']]])
    expect(notes.slice(1)).toEqual([
      expect.stringContaining('1 query was left out'),
      'Sets that are not here are left out: trains.',
    ])
    await expect(recipe.read(root, ['trains'])).rejects.toThrow('no part "trains" here')
    await expect(recipe.read(join(root, 'kites'), [])).rejects.toThrow('no judged query was found')
  })

  test('are recognised where a set of theirs lies, and only there', () => {
    const root = join(folderWith(sets), 'sets')
    const recipe = requestsOver(root, [{ id: 'n1', catalog: 'boats', query: 'off', needs: [['row']] }])
    expect(recipe.recognises(root)).toBe(true)
    expect(recipe.recognises(join(root, 'boats'))).toBe(true)
    expect(recipe.recognises(join(root, 'kites'))).toBe(false)
    expect(recipe.recognises(join(root, 'gone'))).toBe(false)
  })

  test('without their file say where it is', async () => {
    const folder = folderWith(sets)
    const recipe = naturalRequestsOf(join(folder, 'gone.jsonl'))
    await expect(recipe.read(join(folder, 'sets'), [])).rejects.toThrow('come with the repository alone')
  })
})

describe('the committed requests', () => {
  const records = naturalRecords()

  test('are 300 over development sets, 25 each, a fifth in need of several things', () => {
    expect(records).toHaveLength(300)
    const counts = new Map<string, number>()
    for (const { catalog } of records) counts.set(String(catalog), (counts.get(String(catalog)) ?? 0) + 1)
    expect([...counts.values()]).toEqual(Array.from({ length: 12 }, () => 25))
    expect([...counts.keys()].filter((name) => !devSets.includes(name))).toEqual([])
    expect(records.filter(({ needs }) => (needs as readonly unknown[]).length > 1)).toHaveLength(60)
  })

  test('have ids of their texts, in order, and hold hashes rather than texts of cards', () => {
    const ids = records.map(({ id }) => id)
    const idOf = (text: string) => `natural_${createHash('sha256').update(text).digest('hex').slice(0, 10)}`
    expect(ids).toEqual(records.map(({ query }) => idOf(String(query))))
    expect(ids).toEqual([...new Set(ids)].sort())
    for (const record of records) {
      expect(Object.keys(record)).toEqual(['id', 'catalog', 'query', 'needs'])
      const needs = record.needs as readonly (readonly string[])[]
      expect(needs.length, String(record.query)).toBeGreaterThan(0)
      for (const members of needs) expect(members.join(), String(record.query)).toMatch(hashes)
    }
  })
})

/** One or more, separated by commas. */
const hashes = /^[\da-f]{32}(?:,[\da-f]{32})*$/

const shared = join(import.meta.dirname, '../../../../shared/data')
const isPresent = existsSync(join(shared, 'toolret'))

describe.skipIf(!isPresent)(`published sets${isPresent ? '' : ' (skipped: data not present)'}`, () => {
  test('hold every card that the requests need', async () => {
    const { parts, notes } = await naturalRequests.read(join(shared, 'toolret'), [])
    expect(parts.map(({ queries }) => queries.length)).toEqual(Array.from({ length: 12 }, () => 25))
    // Says more when readers or `cardVersion` change what a card hashes to: the file must then be hashed anew.
    expect(notes).toHaveLength(1)
  })

  test('ask none of the requests themselves', () => {
    const texts = new Set(naturalRecords().map(({ query }) => query))
    const asked = devSets
      .map((name) => join(shared, 'toolret', name, 'queries.jsonl'))
      .filter((file) => existsSync(file))
      .flatMap((file): readonly JsonObject[] => jsonLinesOf(file))
    expect(asked.length).toBeGreaterThan(1000)
    expect(asked.filter(({ query }) => texts.has(query!))).toEqual([])
  })
})
