import { describe, expect, test } from 'vitest'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { search } from '../../src/retrieval/search/search.ts'
import { agentsAnswer, answerTokens, toolsAnswer } from '../../src/server/tools/search.ts'
import { budgetOf } from '../../src/server/answers/search-answer.ts'
import { jsonBytes, tokensOf } from '../../src/server/answers/fitted-answer.ts'
import { toolCard } from '../fakes/fake-audition.ts'
import { someCards } from '../fakes/some-cards.ts'

const snapshot = await memorySnapshot(someCards)
const asked = (kind: 'tool' | 'agent', query: string) =>
  search({ snapshot, model: null }, { kind, query, pack: 'ranking' })

describe('tokens of an answer', () => {
  test.each([
    { kind: 'tool', query: 'list the issues of a repository' },
    { kind: 'tool', query: 'weather forecast of a city' },
    { kind: 'tool', query: 'get one issue, and then close an issue of a repository' },
    { kind: 'tool', query: 'xylophone lessons' },
    { kind: 'agent', query: 'review a lease' },
    { kind: 'agent', query: 'xylophone lessons' },
  ] as const)('are those of the structured answer: $kind, $query', async ({ kind, query }) => {
    const found = await asked(kind, query)
    const answer = kind === 'tool' ? toolsAnswer : agentsAnswer
    const budget = budgetOf({ detail: 'standard' }, found)
    expect(answerTokens(found)).toBe(tokensOf(jsonBytes(answer(found, 'standard', budget).structured)))
    expect(answerTokens(found)).toBeLessThanOrEqual(400)
  })

  test('never exceed the budget that a host gets', async () => {
    const long = Array.from({ length: 5 }, (_, at) =>
      toolCard(`big/tool${at}`, {
        description: 'issue '.repeat(500),
        parameters: Array.from({ length: 80 }, (__, place) => ({
          name: `parameter${place}`,
          description: 'Says what it is for. '.repeat(20),
          type: 'string',
          required: true,
        })),
      }),
    )
    const found = await search(
      { snapshot: await memorySnapshot(long), model: null },
      { kind: 'tool', query: 'issue', pack: 'ranking' },
    )
    expect(answerTokens(found)).toBeGreaterThan(400)
    expect(answerTokens(found)).toBeLessThanOrEqual(1_500)
  })
})
