import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentCard, Card, ToolCard } from '../../../src/domain/card.ts'
import { normalisedText } from '../../../embeddings/trainer/src/data/query-text.ts'
import { selfSupervisedPairs } from '../../../embeddings/trainer/src/data/self-supervised-pairs.ts'

const provenance = { reader: 'toolret-jsonl', location: 'tools.jsonl' }

const toolCard = (name: string, description: string, more: Partial<ToolCard> = {}): ToolCard => ({
  kind: 'tool',
  id: `mine/${name}`,
  source: 'mine',
  name,
  description,
  examples: [],
  tags: [],
  parameters: [],
  provenance,
  ...more,
})

const agentCard = (name: string, description: string, more: Partial<AgentCard> = {}): AgentCard => ({
  kind: 'agent',
  agentKind: 'subagent',
  id: `mine/${name}`,
  source: 'mine',
  name,
  description,
  examples: [],
  tags: [],
  backbone: null,
  tools: [],
  policy: {},
  provenance,
  ...more,
})

const pairsOf = (card: Card) =>
  selfSupervisedPairs([card]).map(({ kind, anchor, positive }) => [kind, anchor, positive])

describe('what a card gives', () => {
  test('a tool: sentences, its name as words, its parameters, its examples', () => {
    const card = toolCard('getTideTimes', 'Hours of high water. Give the harbour by its name. Free.', {
      parameters: [{ name: 'harbour', description: 'Name of the port', required: true }],
      examples: ['When can I launch the boat?'],
    })
    const named = 'getTideTimes\nHours of high water. Give the harbour by its name. Free.'
    expect(pairsOf(card)).toEqual([
      [
        'sentence',
        'Hours of high water.',
        'getTideTimes\nGive the harbour by its name. Free.\nWhen can I launch the boat?\nharbour Name of the port',
      ],
      [
        'sentence',
        'Give the harbour by its name.',
        'getTideTimes\nHours of high water. Free.\nWhen can I launch the boat?\nharbour Name of the port',
      ],
      ['name', 'get Tide Times', 'Hours of high water. Give the harbour by its name. Free.'],
      ['fields', 'harbour Name of the port', named],
      ['example', 'When can I launch the boat?', named],
    ])
  })

  test('an agent: its description asks for its prompt, its tools for it', () => {
    const card = agentCard('sailor', 'Plans days on the water', {
      instructions: 'You plan. Plans days on the water. Ask for the port first.',
      tools: [{ name: 'tide_times', description: 'Hours of high and low water' }, { name: 'Read' }],
    })
    expect(pairsOf(card).filter(([kind]) => kind !== 'sentence')).toEqual([
      ['name', 'sailor', 'Plans days on the water'],
      ['prompt', 'Plans days on the water', 'You plan. . Ask for the port first.'],
      ['tools', 'tide times\nHours of high and low water\nRead', 'sailor\nPlans days on the water'],
      ['tool', 'Hours of high and low water', 'sailor\nPlans days on the water'],
    ])
  })

  test.each([
    {
      why: 'the host’s own tools name no agent',
      card: agentCard('x', '', { tools: [{ name: 'Read' }, { name: 'Bash' }] }),
    },
    { why: 'a description that repeats the name says nothing', card: toolCard('tide_times', 'Tide times') },
    { why: 'a card may be all but empty', card: toolCard('?', '') },
  ])('no pair where $why', ({ card }) => {
    expect(pairsOf(card).filter(([kind]) => kind !== 'sentence')).toEqual([])
  })
})

test('one anchor asks for at most four cards, and a copied card gives nothing new', () => {
  const searches = Array.from({ length: 9 }, (_, index) => toolCard('search', `Looks in shelf ${index}`))
  const ofNames = selfSupervisedPairs(searches).filter(({ kind }) => kind === 'name')
  expect(ofNames.map(({ positive }) => positive)).toEqual(
    [0, 1, 2, 3].map((index) => `Looks in shelf ${index}`),
  )
  const card = toolCard('tides', 'Hours of high water')
  expect(selfSupervisedPairs([card, { ...card, id: 'other/tides' }])).toEqual(selfSupervisedPairs([card]))
})

test('a text that a development set asks for is no anchor', () => {
  const card = toolCard('skip', 'Skip to the next track.')
  const kinds = (texts: ReadonlySet<string>) => selfSupervisedPairs([card], texts).map(({ kind }) => kind)
  expect(kinds(new Set())).toEqual(['sentence', 'name'])
  expect(kinds(new Set([normalisedText('skip to the next track')]))).toEqual(['name'])
})

test('no side of any pair is empty, none repeats the other, none comes twice; the same cards give the same', () => {
  const text = fc.oneof(fc.string({ maxLength: 40 }), fc.lorem({ maxCount: 3, mode: 'sentences' }))
  const cards = fc.array(
    fc.oneof(
      fc
        .record({ name: text, description: text, example: text })
        .map(({ name, description, example }) => toolCard(name, description, { examples: [example] })),
      fc
        .record({ name: text, description: text, instructions: text, said: text })
        .map(({ name, description, instructions, said }) =>
          agentCard(name, description, { instructions, tools: [{ name, description: said }] }),
        ),
    ),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(cards, (given) => {
      const pairs = selfSupervisedPairs(given)
      for (const { anchor, positive } of pairs) {
        expect(normalisedText(anchor)).not.toBe('')
        expect(normalisedText(positive)).not.toBe('')
        expect(normalisedText(anchor)).not.toBe(normalisedText(positive))
      }
      const keys = pairs.map(({ anchor, positive }) => `${normalisedText(anchor)}\n${positive}`)
      expect(new Set(keys).size).toBe(pairs.length)
      expect(selfSupervisedPairs(given)).toEqual(pairs)
    }),
  )
})
