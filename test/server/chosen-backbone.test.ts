import { expect, test } from 'vitest'
import type { Audition } from '../../src/compose/audition.ts'
import type { ComparedModel } from '../../src/models/compare-models.ts'
import { jsonBytes, tokensOf } from '../../src/server/answers/fitted-answer.ts'
import { agentCard, fakeAudition } from '../fakes/fake-audition.ts'
import { connectInMemory } from './connect.ts'

const model = (id: string, outcomes: number): ComparedModel => ({
  id,
  name: id,
  callable: true,
  price: { input: 0.2, output: 0.4 },
  outcomes,
  nearest: [],
  estimate: 0.714,
  low: 0.5,
  high: 0.9,
  score: 0.71,
})

async function answered(models: readonly ComparedModel[], card: Parameters<typeof agentCard>[1]) {
  const app = fakeAudition([agentCard('team/clerk', { description: 'Files letters', ...card })])
  const asked: unknown[] = []
  const compare: Audition['models'] = async (options) => {
    asked.push(options)
    return { task: 'file letters', priceWeight: 1, models, known: models.length, tasks: 40 }
  }
  const client = await connectInMemory({ ...app, models: compare })
  const { structuredContent } = await client.callTool({
    name: 'search_agents',
    arguments: { task: 'file letters' },
  })
  return { asked, answer: structuredContent as { readonly next?: string } }
}

const free = { agentKind: 'profile', backbone: null } as const
const two = [model('ollama/qwen3:8b', 40), model('anthropic/claude-sonnet-5', 12)]
const line =
  'Without a backbone: run it on ollama/qwen3:8b (success 0.71, 40 tasks, $0.3 per million tokens).'

test('for an agent without a backbone the answer says on which model to run it, and why, in few tokens', async () => {
  const { asked, answer } = await answered(two, free)
  expect(asked).toEqual([{ task: 'file letters', among: 'callable' }])
  expect(answer.next).toContain(line)
  expect(tokensOf(jsonBytes({ line }))).toBeLessThanOrEqual(45)
})

test.each([
  { why: 'one model alone can be called', models: two.slice(0, 1), card: free },
  { why: 'nothing is known of the best', models: [model('a/new', 0), ...two], card: free },
  {
    why: 'the agent names its backbone',
    models: two,
    card: { agentKind: 'profile', backbone: { name: 'own' } } as const,
  },
])('nothing is said when $why', async ({ models, card }) => {
  expect((await answered(models, card)).answer.next).not.toContain('Without a backbone')
})
