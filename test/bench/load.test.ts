import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readCorpus, writeCorpus } from '../../bench/corpus.ts'
import { answerChecks } from '../../bench/load/answer-checks.ts'
import { changingCatalog, revisionOfWitness } from '../../bench/load/changing-catalog.ts'
import { runIndex } from '../../bench/load/repeated-index.ts'
import { runLoad } from '../../bench/load/run-load.ts'
import type { ToolsAnswer } from '../../bench/load/search-client.ts'
import { syntheticQueries, syntheticTools } from '../../bench/synthetic.ts'
import { temporaryFolder } from '../catalog/temporary-folder.ts'
import { type CompiledPackage, compiledPackage } from '../fixtures/compiled-package.ts'

describe('a catalog that changes', () => {
  test('grows by as many tools as it says, has one set of witnesses, and describes some tools anew', () => {
    const folder = temporaryFolder()
    writeCorpus(folder, syntheticTools(300))
    const catalog = changingCatalog(folder)
    const first = readCorpus(folder)
    for (const revision of [1, 2]) {
      catalog.advance()
      const cards = readCorpus(folder)
      expect(cards).toHaveLength(catalog.sizeAt(revision, first.length))
      const witnesses = cards.flatMap(({ id }) => revisionOfWitness(id) ?? [])
      expect(witnesses).toEqual(Array.from({ length: 5 }, () => revision))
      const known = new Map(first.map(({ id, description }) => [id, description]))
      const changed = cards.filter(({ id, description }) => (known.get(id) ?? description) !== description)
      expect(changed.length).toBeGreaterThan(0)
      expect(changed.length).toBeLessThan(30)
    }
  })
})

describe('answers', () => {
  const candidate = (id: string, score = 1, description = 'does') => ({ id, score, description })
  const answer = (searched: number, ...candidates: ToolsAnswer['candidates']): ToolsAnswer => ({
    searched,
    candidates,
  })
  const checks = () => answerChecks((size) => (size >= 100 && size <= 102 ? size - 100 : null))

  test('of whole catalogs pass, also of a newer one and to different callers', () => {
    const all = checks()
    expect(all.check(1, 'q', answer(100, candidate('a/x', 2), candidate('a/quorvex-r0-1')))).toBe(0)
    expect(all.check(1, 'q', answer(102, candidate('a/quorvex-r2-1')))).toBe(2)
    expect(all.check(2, 'q', answer(101))).toBe(1)
    expect(all.faults().size).toBe(0)
  })

  test.each([
    { fault: 'a candidate twice', given: [answer(100, candidate('a/x'), candidate('a/x'))] },
    { fault: 'candidates out of order', given: [answer(100, candidate('a/x', 1), candidate('a/y', 2))] },
    { fault: 'a catalog that never was', given: [answer(103)] },
    { fault: 'two catalogs in one answer', given: [answer(101, candidate('a/quorvex-r0-1'))] },
    { fault: 'an older catalog after a newer one', given: [answer(101), answer(100)] },
    {
      fault: 'two answers of one catalog',
      given: [answer(100, candidate('a/x', 1, 'old')), answer(100, candidate('a/x', 1, 'new'))],
    },
  ])('that show $fault are told', ({ fault, given }) => {
    const all = checks()
    for (const one of given) all.check(1, 'q', one)
    expect([...all.faults().keys()]).toEqual([fault])
  })
})

describe('a small load', () => {
  let audition: CompiledPackage
  beforeAll(async () => {
    audition = await compiledPackage()
  })

  test('leaves no error, no torn answer and no memory behind, while another process commits and slow clients hang on', async () => {
    const folder = temporaryFolder()
    const corpus = join(folder, 'corpus')
    writeCorpus(corpus, syntheticTools(200))
    const catalog = changingCatalog(corpus)
    const env = {
      AUDITION_READER: 'none',
      AUDITION_HOME: join(folder, 'store'),
      AUDITION_SETTINGS: join(folder, 'settings.yaml'),
    }
    const program = audition.main
    await runIndex({ program, env, folder: corpus })
    const report = await runLoad({
      program,
      env,
      catalog,
      queries: syntheticQueries(20),
      clients: 8,
      slow: 3,
      searches: 100,
      rounds: 1,
      commits: 1,
      restMs: 100,
      log: () => undefined,
    })
    expect({ errors: [...report.errors], faults: [...report.faults], exitCode: report.exitCode }).toEqual({
      errors: [],
      faults: [],
      exitCode: 0,
    })
    expect(report.searches).toBeGreaterThanOrEqual(100)
    expect(report.swapsMs.length).toBeGreaterThan(0)
    expect(report.memory.after / report.memory.before).toBeLessThan(3)
  })
})
