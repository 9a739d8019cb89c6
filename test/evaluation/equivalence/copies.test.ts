import { describe, expect, test } from 'vitest'
import { sameCapability } from '../../../evals/benchmarks/src/agentselect/agentselect-equivalence.ts'
import { copiesAmong, sameText } from '../../../src/evaluation/equivalence.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'

const text = { name: 'get_weather', description: 'Weather of a city.' }

describe('by text', () => {
  test.each([
    { why: 'the same text under another source', other: toolCard('b/1', text), copies: true },
    {
      why: 'another case, other punctuation and spaces',
      other: toolCard('b/1', { name: 'Get-Weather', description: 'weather  of a CITY' }),
      copies: true,
    },
    {
      why: 'another description',
      other: toolCard('b/1', { ...text, description: 'Weather of a sea' }),
      copies: false,
    },
    { why: 'another name', other: toolCard('b/1', { ...text, name: 'weather' }), copies: false },
    { why: 'an agent of that text', other: agentCard('b/1', text), copies: false },
  ])('$why: $copies', ({ other, copies }) => {
    const found = copiesAmong([toolCard('a/1', text), other], sameText)
    expect(found.get('a/1')).toEqual(copies ? ['a/1', 'b/1'] : undefined)
    expect(found.size).toBe(copies ? 2 : 0)
  })

  test('two cards that say nothing of themselves but a common name are no copies', () => {
    const bare = { name: 'search', description: ' ' }
    expect(copiesAmong([toolCard('a/1', bare), toolCard('b/1', bare)], sameText).size).toBe(0)
  })

  test('a card that comes twice is no copy of itself', () => {
    expect(copiesAmong([toolCard('a/1', text), toolCard('a/1', text)], sameText).size).toBe(0)
  })
})

test('AgentSelect: the set of tools counts, whatever the backbone; without tools, the backbone', () => {
  const tools = [{ name: 'fly' }, { name: 'sing' }]
  const lark = { name: 'lark', id: 'zoo/lark' }
  const cards = [
    agentCard('s/toolkit', { tools }),
    agentCard('s/composed', { tools: [...tools].reverse(), backbone: lark }),
    agentCard('s/fewer', { tools: tools.slice(1), backbone: lark }),
    agentCard('s/model', { backbone: lark }),
    agentCard('s/model-again', { backbone: { name: 'Lark 7B', id: 'zoo/lark' } }),
    agentCard('s/other-model', { backbone: { name: 'wren' } }),
    agentCard('s/nothing'),
    agentCard('s/nothing-again'),
  ]
  const found = copiesAmong(cards, sameCapability)
  expect([...new Set(found.values())]).toEqual([
    ['s/composed', 's/toolkit'],
    ['s/model', 's/model-again'],
  ])
})
