import { expect, test } from 'vitest'
import { a2aExecutor } from '../src/adapters/a2a/a2a-executor.ts'
import { chatExecutor } from '../src/adapters/ai-sdk/agents/chat-executor.ts'
import { profileExecutor } from '../src/adapters/ai-sdk/agents/profile-executor.ts'
import { subagentExecutor } from '../src/adapters/ai-sdk/agents/subagent-executor.ts'
import { commandExecutor } from '../src/adapters/command/command-executor.ts'
import { mcpToolExecutor } from '../src/adapters/mcp-client/mcp-tool-executor.ts'
import { configFrom } from '../src/config.ts'
import type { Card } from '../src/domain/card.ts'
import type { Runtime } from '../src/domain/runtime.ts'
import { executorsFor } from '../src/compose/open-executors.ts'
import { defaultSettings } from '../src/probing/settings/settings.ts'
import { agentCard, toolCard } from './fakes/fake-audition.ts'
import { memoryPins } from './fakes/memory-pins.ts'

const runtimes: readonly (Runtime | undefined)[] = [
  undefined,
  { kind: 'mcp', transport: 'stdio', config: '/home/me/.mcp.json', server: 'desk', display: 'node' },
  { kind: 'a2a', url: 'https://agents.example', binding: 'JSONRPC', protocolVersion: '1.0' },
  { kind: 'profile', file: '/home/me/agent.yaml' },
  { kind: 'claude-subagent', file: '/home/me/agent.md' },
  { kind: 'openai-chat', file: '/home/me/agent.yaml' },
  { kind: 'http', method: 'GET', url: 'https://api.example' },
]

const cards: readonly Card[] = runtimes.flatMap((runtime) => {
  const fields = runtime === undefined ? {} : { runtime }
  return [
    toolCard('team/tool', fields),
    agentCard('team/command', fields),
    agentCard('team/agent', { ...fields, backbone: { name: 'Some model' } }),
  ]
})

const surroundings = { catalogFolder: '/catalog', environment: {}, version: '1', languageModel: null }

test('what is loaded late takes the cards that it takes once loaded, and no card has two ways to run', () => {
  const late = executorsFor(configFrom({}), '/catalog', defaultSettings, memoryPins())
  const real = [
    commandExecutor(surroundings),
    profileExecutor(surroundings),
    subagentExecutor(surroundings),
    chatExecutor(surroundings),
    mcpToolExecutor(surroundings),
    a2aExecutor(surroundings),
  ]
  expect(late.map(({ name }) => name)).toEqual(real.map(({ name }) => name))
  for (const card of cards) {
    const names = (all: readonly { readonly name: string; accepts(card: Card): boolean }[]) =>
      all.filter((one) => one.accepts(card)).map(({ name }) => name)
    const what = `${card.kind} ${card.runtime?.kind}`
    expect(names(late), what).toEqual(names(real))
    expect(names(late).length, what).toBeLessThanOrEqual(1)
  }
})

test('every sort of executor runs some card', () => {
  const late = executorsFor(configFrom({}), '/catalog', defaultSettings, memoryPins())
  expect(late.filter((one) => !cards.some((card) => one.accepts(card)))).toEqual([])
})
