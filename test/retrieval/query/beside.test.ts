import { beforeAll, describe, expect, test } from 'vitest'
import { staticModel } from '../../../src/adapters/static-model/static-model.ts'
import { builtInModel } from '../../../src/compose/open-models.ts'
import {
  type Beside,
  besideWeights,
  takenBeside,
  termsWith,
  vectorWith,
} from '../../../src/retrieval/query/beside.ts'
import type { SearchRequest } from '../../../src/retrieval/answer.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { catalogs, requests } from '../effects/requests.ts'

const beside = (kind: Beside['kind'], text: string, vector: Float32Array | null = null): Beside => ({
  kind,
  text,
  vector,
})

test('terms that only other texts have count less, and those of the request as ever', () => {
  const { lexical, lexicalAdded } = besideWeights.context
  expect(termsWith('pay rent', [beside('context', 'the rent of a flat')])).toEqual([
    { term: 'pai', word: 'pay' },
    { term: 'rent', word: 'rent' },
    { term: 'flat', word: 'flat', weight: lexical + lexicalAdded / 2 },
  ])
  expect(termsWith('pay rent', [])).toEqual([
    { term: 'pai', word: 'pay' },
    { term: 'rent', word: 'rent' },
  ])
})

test('a term of instruction and context counts once, as the instruction has it', () => {
  const both = [beside('context', 'a flat in town'), beside('instruction', 'find a flat')]
  const weights = new Map(termsWith('pay rent', both).map(({ word, weight }) => [word, weight]))
  expect(weights.get('flat')).toBeCloseTo(
    besideWeights.instruction.lexical + besideWeights.instruction.lexicalAdded / 2,
  )
  expect(weights.get('town')!).toBeLessThan(weights.get('flat')!)
})

test('the vector of all is a unit vector, nearer to the request than to a context', () => {
  const [request, other] = [Float32Array.of(1, 0), Float32Array.of(0, 1)]
  const both = vectorWith(request, [beside('context', 'x', other)])
  expect(Math.hypot(...both)).toBeCloseTo(1, 6)
  expect(both[0]!).toBeGreaterThan(both[1]!)
  expect(both[1]!).toBeGreaterThan(0)
  expect(vectorWith(request, [beside('instruction', 'x', other)])[1]!).toBeGreaterThan(both[1]!)
  expect(vectorWith(request, [beside('instruction', 'x')])).toBe(request)
})

test('a context takes nothing from what it speaks for most, and no more than a bounded part from any', () => {
  const sure = { beside: 0.9, request: 1 }
  expect([...takenBeside('context', [2, 2, 1, -40], sure)]).toEqual(
    [0, 0, -0.6, -2.5].map((taken) => expect.closeTo(taken, 9)),
  )
  expect([...takenBeside('context', [], sure)]).toEqual([])
})

test('a context counts less where it names nothing, and more where the request tells nothing', () => {
  const taken = (said: number, request: number) =>
    -takenBeside('context', [0, -9], { beside: said, request })[1]!
  expect(taken(0.04, 1)).toBeCloseTo(0.25, 9)
  expect(taken(0.9, 1)).toBeCloseTo(2.5, 9)
  expect(taken(0.9, 0)).toBeCloseTo(5, 9)
})

test('an instruction counts as the request does, however sure either is', () => {
  for (const sureness of [0.01, 0.9])
    expect([...takenBeside('instruction', [2, -7], { beside: sureness, request: 0.5 })]).toEqual([0, -9])
})

describe('the model that ships', () => {
  let model: EmbeddingModel
  const snapshots = new Map<keyof typeof catalogs, CatalogSnapshot>()
  beforeAll(async () => {
    model = await staticModel(builtInModel)
    for (const of of Object.keys(catalogs) as (keyof typeof catalogs)[])
      snapshots.set(of, await memorySnapshot(catalogs[of], model))
  })
  const first = async (
    of: keyof typeof catalogs,
    query: string,
    besides: Pick<SearchRequest, 'instruction' | 'context'> = {},
  ) => {
    const request = { kind: 'tool', query, ranker: 'learned' } as const
    const context = { snapshot: snapshots.get(of)!, model }
    const { candidates } = await search(context, { ...request, ...besides })
    return candidates[0]?.card.name
  }

  test('puts what an instruction names before its like', async () => {
    expect(
      await first('issues', 'the crash of yesterday', { instruction: 'Retrieve tools that create an issue' }),
    ).toBe('issue_create')
    expect(
      await first('issues', 'the crash of yesterday', { instruction: 'Retrieve tools that add a comment' }),
    ).toBe('comment_add')
    expect(
      await first('calendar', 'the meeting with Ana', { instruction: 'tools that delete an event' }),
    ).toBe('deleteEvent')
    expect(
      await first('calendar', 'the meeting with Ana', { instruction: 'tools that create an event' }),
    ).toBe('createEvent')
  })

  test.each([
    'I am working on a small project for my team. Keep it simple, please, and explain what you do.',
    'The user is a beginner and prefers short answers.',
    'We have a deadline on Friday; the customer waits for the result. Be careful with costs.',
  ])('keeps what it finds where a context names nothing: %s', async (context) => {
    const moved: string[] = []
    for (const [of, query] of requests) {
      const [alone, within] = [await first(of, query), await first(of, query, { context })]
      if (alone !== within) moved.push(`${query}: ${alone}, then ${within}`)
    }
    expect(moved.length, moved.join('\n')).toBeLessThanOrEqual(8)
  })

  test('keeps what it finds where the talk before was of another tool', async () => {
    const lost: string[] = []
    for (const [of, query, serving] of requests) {
      const other = catalogs[of].find(({ name }) => !serving.split(' ').includes(name))!
      const alone = await first(of, query)
      if (!serving.split(' ').includes(alone!)) continue
      const within = await first(of, query, {
        context: `Before this we used ${other.name}: ${other.description}`,
      })
      if (!serving.split(' ').includes(within!)) lost.push(`${query}: ${alone}, then ${within}`)
    }
    expect(lost.length, lost.join('\n')).toBeLessThanOrEqual(12)
  })
})
