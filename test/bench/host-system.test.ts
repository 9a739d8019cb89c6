import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readCorpus, writeCorpus } from '../../bench/corpus.ts'
import { syntheticTools } from '../../bench/synthetic.ts'
import { hostSystem } from '../../bench/systems/host-system.ts'

const folder = mkdtempSync(join(tmpdir(), 'host-system-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("a host's order is kept where its scores are equal, and its list is that of the corpus", async () => {
  const [corpus, store] = [join(folder, 'corpus'), join(folder, 'store')]
  mkdirSync(store)
  writeCorpus(corpus, syntheticTools(20))
  const cards = readCorpus(corpus)
  const given: string[] = []
  const system = hostSystem({
    name: 'last-first',
    title: 'Last first',
    over(tools) {
      given.push(...tools.map(({ name }) => name))
      return () => Promise.resolve(tools.map((_, index) => ({ index: tools.length - 1 - index, score: 1 })))
    },
  })
  await system.index(corpus, store)
  const searcher = await system.open(store)
  const found = await searcher.search('anything', 3)
  await searcher.close()
  expect(given).toEqual(cards.map(({ name }) => name))
  expect(found.map(({ id }) => id)).toEqual(
    cards
      .slice(-3)
      .toReversed()
      .map(({ id }) => id),
  )
})
