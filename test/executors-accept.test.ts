import { expect, test } from 'vitest'
import { runtimes } from '../src/compose/runtimes.ts'
import { howToRun, shareableCard } from '../src/server/answers/card-fields.ts'
import type { Card } from '../src/domain/card.ts'
import type { Runtime } from '../src/domain/runtime.ts'
import { agentCard, toolCard } from './fakes/fake-audition.ts'

const kinds: readonly (Runtime | undefined)[] = [
  undefined,
  { kind: 'mcp', transport: 'stdio', config: '/home/me/.mcp.json', server: 'desk', display: 'node' },
  { kind: 'a2a', url: 'https://agents.example', binding: 'JSONRPC', protocolVersion: '1.0' },
  { kind: 'profile', file: '/home/me/agent.yaml' },
  { kind: 'claude-subagent', file: '/home/me/agent.md' },
  { kind: 'openai-chat', file: '/home/me/agent.yaml' },
  { kind: 'http', method: 'GET', url: 'https://api.example' },
]

const cards: readonly Card[] = kinds.flatMap((runtime) => {
  const fields = runtime === undefined ? {} : { runtime }
  return [
    toolCard('team/tool', fields),
    agentCard('team/command', fields),
    agentCard('team/agent', { ...fields, backbone: { name: 'Some model' } }),
  ]
})

test('no card has two ways to run, and every way runs some card', () => {
  const taken = cards.map((card) => runtimes.filter((one) => one.accepts(card)))
  expect(Math.max(...taken.map(({ length }) => length))).toBe(1)
  expect(new Set(taken.flat())).toEqual(new Set(runtimes))
})

test('every runtime is told of, and leaves no folder of this machine behind', () => {
  for (const card of cards) {
    const shown = `${JSON.stringify(howToRun(card))} ${JSON.stringify(shareableCard(card).runtime)}`
    expect(howToRun(card) === null, card.runtime?.kind).toBe(card.runtime === undefined)
    expect(shown).not.toContain('/home/me')
  }
})
