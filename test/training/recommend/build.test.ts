import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildRecommendations } from '../../../embeddings/trainer/src/recommend/build/build-recommendations.ts'
import { readRecommendations } from '../../../embeddings/trainer/src/recommend/recommendations.ts'
import { splitRecommendations } from '../../../embeddings/trainer/src/recommend/split-recommendations.ts'
import { agentSelect } from '../../../evals/benchmarks/src/agentselect/agentselect.ts'
import { sameCapability } from '../../../evals/benchmarks/src/agentselect/agentselect-equivalence.ts'
import type { BuiltRecommendations } from '../../../src/compose/parts/recommender.ts'
import { normalisedText } from '../../../src/evaluation/equivalence.ts'
import { hashedWordsModel } from '../../fakes/hashed-words-model.ts'
import { folderWith, query, tool } from '../data/folders.ts'
import { tinySources } from './tiny-recommendations.ts'

let sources: string
let out: string
let built: BuiltRecommendations
beforeAll(async () => {
  sources = tinySources()
  out = join(mkdtempSync(`${sources}-out-`), 'requests')
  built = await buildRecommendations({
    outcomes: [join(sources, 'outcomes.jsonl')],
    models: join(sources, 'models.jsonl'),
    sets: [join(sources, 'sets')],
    out,
    prototypes: 40,
    model: hashedWordsModel(),
  })
})
afterAll(() => {
  for (const folder of [sources, join(out, '..')]) rmSync(folder, { recursive: true, force: true })
})

const table = (path: string) => JSON.parse(readFileSync(join(out, path, 'merge.json'), 'utf8'))

describe('a dataset of recommendations', () => {
  test('has models alone, toolkits alone, and both together', () => {
    const profiles = (part: string): { M: object; T: { tools: string[] } }[] =>
      Object.values(table(`${part}/agents`))
    expect(profiles('PartI').every(({ M, T }) => 'name' in M && T.tools.length === 0)).toBe(true)
    expect(profiles('PartII').every(({ M, T }) => !('name' in M) && T.tools.length > 0)).toBe(true)
    expect(profiles('PartIII').every(({ M, T }) => 'name' in M && T.tools.length > 0)).toBe(true)
    expect(built.statistics.map(({ part, queries, agents }) => ({ part, queries, agents }))).toMatchObject([
      { part: 'PartI', queries: 40, agents: 3 },
      { part: 'PartII', queries: 72, agents: 18 },
      { part: 'PartIII' },
    ])
    expect(built.statistics[2]!.queries).toBeGreaterThan(0)
    expect(built.unserved).toBe(6)
  })

  test('ranks models by their scores, and leaves out what failed', () => {
    const questions = table('PartI/questions')
    const agents = table('PartI/agents')
    for (const [id, ranking] of Object.entries<string[]>(table('PartI/rankings').rankings)) {
      const names = ranking.map((agent) => agents[agent].M.name)
      expect(names, questions[id].input).toEqual(
        /weather|flights|invoices/.test(questions[id].input)
          ? ['large', 'small', 'middle']
          : ['large', 'middle'],
      )
    }
  })

  test('one toolkit serves all requests that need the same tools, in whatever order', () => {
    const rankings: string[][] = Object.values(table('PartII/rankings').rankings)
    expect(rankings.every((ranking) => ranking.length === 1)).toBe(true)
    expect(new Set(rankings.flat()).size).toBe(18)
    expect(built.statistics[1]!.tools).toMatchObject({ distinct: 12, most: 2, two: 6 / 18 })
  })

  test('composed agents hold models and toolkits of the other parts', () => {
    const models = new Set(
      Object.values<{ M: { name: string } }>(table('PartI/agents')).map(({ M }) => M.name),
    )
    const kits = new Set(
      Object.values<{ T: { tools: string[] } }>(table('PartII/agents')).map(({ T }) =>
        [...T.tools].sort().join(),
      ),
    )
    for (const { M, T } of Object.values<{ M: { name: string }; T: { tools: string[] } }>(
      table('PartIII/agents'),
    )) {
      expect(models).toContain(M.name)
      expect(kits).toContain([...T.tools].sort().join())
    }
  })

  test('is read by the recipe of AgentSelect', async () => {
    const { parts } = await agentSelect.read(out, [], { split: 'all' })
    expect(parts.map(({ name, queries }) => [name, queries.length])).toEqual(
      built.statistics.map(({ part, queries }) => [part, queries]),
    )
    const small = parts[0]!.cards.find(({ name }) => name === 'small')
    expect(small).toMatchObject({
      backbone: { description: 'A small model for weather, flights and invoices.' },
    })
  })

  test('of published sets one for development is read only where it is asked for', async () => {
    const sets = folderWith({
      'callnavi/tools.jsonl': [tool('pay_bill', 'Pays a bill.')],
      'callnavi/queries.jsonl': [query('1', 'settle what I owe', ['pay_bill'])],
      'mine/tools.jsonl': [tool('read_mail', 'Reads mail.')],
      'mine/queries.jsonl': [query('1', 'what is new in my inbox', ['read_mail'])],
    })
    const textsOf = async (use: 'training' | 'development') => {
      const to = join(sets, use)
      await buildRecommendations({ sets: [sets], use, out: to, model: hashedWordsModel() })
      return readRecommendations(to).queries.map(({ text }) => text)
    }
    expect(await textsOf('development')).toEqual(['settle what I owe'])
    expect(await textsOf('training')).toEqual(['what is new in my inbox'])
    rmSync(sets, { recursive: true, force: true })
  })

  test('refuses a folder that is there, and to build of nothing', async () => {
    const sets = [join(sources, 'sets')]
    const model = hashedWordsModel()
    await expect(buildRecommendations({ sets, out, model })).rejects.toThrow('is there already')
    await expect(buildRecommendations({ out: join(out, 'more'), model })).rejects.toThrow(
      'nothing to build from',
    )
  })
})

describe('splits leak nothing', () => {
  const partsOf = (by: 'query' | 'agent' | 'both', seed: string) => {
    const read = readRecommendations(out)
    const { train, test } = splitRecommendations(read, { by, seed })
    const textsOf = (some: typeof train) => new Set(some.map(({ text }) => normalisedText(text)))
    const classesOf = (some: typeof train) =>
      new Set(
        some.flatMap(({ positives }) =>
          positives.map((agent) => sameCapability.classOf(read.agents[agent]!)),
        ),
      )
    return {
      train,
      test,
      texts: [textsOf(train), textsOf(test)],
      classes: [classesOf(train), classesOf(test)],
    }
  }
  const shared = <T>([a, b]: readonly Set<T>[]) => [...a!].filter((one) => b!.has(one))

  test.each(['1', '2', '3', '4', '5', '6'])('of seed %s', (seed) => {
    const byQuery = partsOf('query', seed)
    expect(shared(byQuery.texts)).toEqual([])
    const byAgent = partsOf('agent', seed)
    expect(shared(byAgent.classes)).toEqual([])
    const byBoth = partsOf('both', seed)
    expect(shared(byBoth.texts)).toEqual([])
    expect(shared(byBoth.classes)).toEqual([])
    expect(byQuery.train.length).toBeGreaterThan(byQuery.test.length)
  })

  test('the same seed gives the same split', () => {
    expect(partsOf('query', '7').test).toEqual(partsOf('query', '7').test)
    expect(partsOf('query', '7').test).not.toEqual(partsOf('query', '8').test)
  })
})
