import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { openAudition } from '../../../src/compose/app.ts'
import { configFrom } from '../../../src/config.ts'
import type { SearchAnswer, SearchRequest } from '../../../src/retrieval/answer.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { CatalogSnapshot } from '../../../src/retrieval/ports.ts'
import type { searchThreads } from '../../../src/compose/search-threads/search-threads.ts'
import { storeFolder } from '../../adapters/lancedb/stores.ts'
import { graded, outcomeOf } from '../../adapters/lancedb/some-outcomes.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { compiledPackage } from '../../fixtures/compiled-package.ts'

/** Threads are compiled code: so is what starts them here. */
let compiled: { readonly openAudition: typeof openAudition; readonly searchThreads: typeof searchThreads }
beforeAll(async () => {
  const dist = dirname(dirname((await compiledPackage()).main))
  const load = (file: string) => import(pathToFileURL(join(dist, file)).href)
  compiled = {
    ...(await load('compose/app.js')),
    ...(await load('compose/search-threads/search-threads.js')),
  }
})

const nouns = 'parcel letter invoice order customer flight hotel river song recipe'.split(' ')
const verbs = 'list create delete weigh translate'.split(' ')
const functions = (extra: readonly string[] = []): string =>
  JSON.stringify(
    [...nouns.flatMap((noun) => verbs.map((verb) => `${verb}_${noun}`)), ...extra].map((name) => ({
      type: 'function',
      function: {
        name,
        description: `Can ${name.replace('_', ' a ')} for a customer`,
        parameters: { type: 'object', properties: { id: { type: 'string' } } },
      },
    })),
  )

/** Audition over a store with as many threads as wanted. */
function opened(home: string, threads: number, reader = 'none') {
  const env = { AUDITION_READER: reader, AUDITION_HOME: home, AUDITION_THREADS: `${threads}` }
  const audition = compiled.openAudition({ ...configFrom(env), cache: join(home, 'cache') })
  onTestFinished(() => audition.close())
  return audition
}

const requests: readonly SearchRequest[] = nouns.flatMap((noun) => [
  { kind: 'tool', query: `please weigh my ${noun}, then translate it` },
  { kind: 'tool', query: `which ${noun} is there`, instruction: `about a ${noun}`, k: 3 },
  { kind: 'tool', query: `delete the ${noun}`, ranker: 'lexical', filter: { sources: ['tools'] } },
])

describe('searches in several threads', () => {
  test.each([
    { threads: 2, reader: 'none' },
    { threads: 4, reader: 'none' },
    { threads: 2, reader: '' },
  ])(
    'answer as one thread does, also by the record: $threads threads, reader "$reader"',
    async ({ threads, reader }) => {
      const home = storeFolder()
      const one = opened(home, 1, reader)
      await one.index({ locations: [folderWith({ 'tools.json': functions() })] })
      const record = await one.record()
      await record.add([
        outcomeOf({ card: 'tools/weigh_song', task: 'weigh my song', verdict: graded(5) }),
        outcomeOf({ card: 'tools/delete_river', task: 'delete the river', verdict: graded(1) }),
      ])
      const several = opened(home, threads, reader)
      const alone: SearchAnswer[] = []
      for (const request of requests) alone.push(await one.search(request))
      for (let round = 0; round < 3; round += 1)
        expect(await Promise.all(requests.map((request) => several.search(request)))).toEqual(alone)
    },
  )

  test('see a new state of the catalog, all of them', async () => {
    const home = storeFolder()
    const audition = opened(home, 3)
    await audition.index({ locations: [folderWith({ 'tools.json': functions() })] })
    const all = () => Promise.all(requests.map((request) => audition.search(request)))
    await all()
    await all()
    await audition.index({ locations: [folderWith({ 'more.json': functions(['paint_harbour']) })] })
    await audition.search({ kind: 'tool', query: 'anything' })
    const { generation } = await audition.counts()
    for (const answer of await all()) expect(answer.generation).toBe(generation)
    const found = await Promise.all(
      requests.map(() => audition.search({ kind: 'tool', query: 'paint a harbour' })),
    )
    for (const { candidates } of found) expect(candidates[0]!.card.name).toBe('paint_harbour')
  })

  test('fail as one thread does, and end when the caller gives up', async () => {
    const home = storeFolder()
    const audition = opened(home, 2)
    await audition.index({ locations: [folderWith({ 'tools.json': functions() })] })
    await Promise.all(requests.map((request) => audition.search(request)))
    const wrong = requests.map(() => audition.search({ kind: 'tool', query: 'x', ranker: 'cross-encoder' }))
    for (const one of await Promise.allSettled(wrong))
      expect(one).toMatchObject({ status: 'rejected', reason: { name: 'RankerError' } })
    const abort = new AbortController()
    abort.abort(new Error('given up'))
    const given = requests.map((request) => audition.search(request, abort.signal))
    for (const one of await Promise.allSettled(given))
      expect(one).toMatchObject({ status: 'rejected', reason: { message: 'given up' } })
  })
})

describe('threads that search', () => {
  const cards = nouns.map((noun) => toolCard(`shop/${noun}`, { name: noun, description: `Sells a ${noun}` }))
  const asked: SearchRequest = { kind: 'tool', query: 'sell me a song' }

  /** Eight searches at once, again and again until `isOver`: how often this thread looked into the catalog for the last eight. */
  async function searched(model: string | null, isOver: (looks: number, round: number) => boolean) {
    const { indexes, ...rest } = await memorySnapshot(cards)
    let looks = 0
    const snapshot: CatalogSnapshot = {
      ...rest,
      get indexes() {
        looks += 1
        return indexes
      },
    }
    const threads = compiled.searchThreads({ model, cache: '', reader: null }, 1)
    onTestFinished(() => threads.close())
    for (let round = 1; ; round += 1) {
      looks = 0
      const some = Array.from({ length: 8 }, () => threads.search({ snapshot, model: null }, asked))
      for (const { candidates } of await Promise.all(some)) expect(candidates[0]!.card.id).toBe('shop/song')
      if (isOver(looks, round)) return looks
      await new Promise((resolve) => setTimeout(resolve, 20)) // a thread that starts is heard
    }
  }

  test('let others have their turn between two searches of this one', async () => {
    const threads = compiled.searchThreads({ model: 'none', cache: '', reader: null }, 0)
    const snapshot = await memorySnapshot(cards)
    const seen: string[] = []
    const some = Array.from({ length: 4 }, async () => {
      await threads.search({ snapshot, model: null }, asked)
      seen.push('search')
    })
    const all = Promise.all(some).then(() => true)
    while (!(await Promise.race([all, new Promise((resolve) => setImmediate(resolve, false))])))
      seen.push('other')
    expect(seen.join(' ')).toMatch(/search( other)+ search( other)+ search( other)+ search/)
  })

  test('take searches from this one; those that cannot start leave them to it', async () => {
    const alone = await searched('static:/no/such/folder', (_, round) => round === 20)
    const shared = await searched('none', (looks, round) => looks < alone || round === 1000)
    expect(shared).toBeLessThan(alone)
  })
})
