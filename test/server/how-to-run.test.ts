import { expect, test } from 'vitest'
import type { AgentCard } from '../../src/domain/card.ts'
import { howToRunLine } from '../../src/server/answers/card-fields.ts'
import { agentCard } from '../fakes/sample-cards.ts'

const backbone: AgentCard['backbone'] = { name: 'opus' }
const runtime: AgentCard['runtime'] = { kind: 'profile', file: '/home/ann/agents/clerk.yaml' }

test.each([
  { why: 'a profile on a model is whole in its YAML', card: { backbone, runtime }, line: 'run its YAML' },
  { why: 'the command of a profile is not in its YAML', card: { runtime }, line: 'run by probe_agent' },
  { why: 'a prompt can be given to any model', card: { instructions: 'Review.' }, line: 'run its YAML' },
  { why: 'nothing says how', card: {}, line: 'known by description only' },
])('$line: $why', ({ card, line }) => {
  expect(howToRunLine(agentCard(card))).toBe(line)
})
