import { beforeAll, describe, expect, test } from 'vitest'
import { staticModel } from '../../../src/adapters/static-model/static-model.ts'
import { builtInModel } from '../../../src/compose/open-models.ts'
import { requestIntent } from '../../../src/retrieval/effects/request-effect.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { cardsOf, type Domain, readers, readQuestions, writeRequests } from './read-questions.ts'

let model: EmbeddingModel
beforeAll(async () => {
  model = await staticModel(builtInModel)
})

test('all of them ask to be told something', () => {
  expect(readQuestions.filter(([, query]) => requestIntent(query).asked !== 'reads')).toEqual([])
})

test('who tells others something, or gets something done, asks no question', () => {
  expect(requestIntent('tell the crew that we come later').asked).toBeUndefined()
  expect(requestIntent('get us two seats').asks).toBe(false)
  expect(requestIntent('which seats are free').asks).toBe(true)
})

describe.each([true, false])('over tools whose effects are declared: %s', (declared) => {
  const answer = async (domain: Domain, query: string) => {
    const snapshot = await memorySnapshot(cardsOf(domain, declared), model)
    const { candidates, match, note } = await search({ snapshot, model }, { kind: 'tool', query })
    return { first: candidates[0]!.card.name, score: candidates[0]!.score, match, note }
  }

  test('no question is answered with a tool that changes something and called good', async () => {
    const changing: string[] = []
    for (const [domain, query] of readQuestions) {
      const { first, match, note } = await answer(domain, query)
      if (readers.has(first)) continue
      changing.push(`${query}: ${first}`)
      expect(match, query).not.toBe('good')
      expect(note).not.toBe('')
    }
    expect(readQuestions.length).toBeGreaterThanOrEqual(30)
    expect(changing.length, changing.join('\n')).toBeLessThanOrEqual(6)
  })

  test('nothing is called good whose first candidate is hardly likely', async () => {
    for (const [domain, query] of readQuestions) {
      const { match, score } = await answer(domain, query)
      if (match === 'good') expect(score, query).toBeGreaterThanOrEqual(0.1)
    }
  })

  test('who wants a thing changed gets what changes it', async () => {
    const missed: string[] = []
    for (const [domain, query, expected] of writeRequests) {
      const { first } = await answer(domain, query)
      if (first !== expected) missed.push(`${query}: ${first}`)
    }
    expect(missed).toEqual([])
  })
})
