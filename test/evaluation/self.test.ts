import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ToolCard } from '../../src/domain/card.ts'
import { evaluate } from '../../src/evaluation/evaluate.ts'
import { selfFindings } from '../../src/evaluation/self/findings.ts'
import { holdOutSentence, selfDataset } from '../../src/evaluation/self/self-dataset.ts'

const tool = (id: string, description: string, more: Partial<ToolCard> = {}): ToolCard => ({
  kind: 'tool',
  id,
  source: id.slice(0, id.indexOf('/')),
  name: id.slice(id.indexOf('/') + 1),
  description,
  examples: [],
  tags: [],
  parameters: [],
  provenance: { reader: 'test', location: 'here' },
  ...more,
})

describe('a sentence is held out of a description', () => {
  test.each([
    {
      why: 'the last sentence with enough words goes',
      description:
        'Reads a folder of invoices and adds them up. Warns about invoices that were paid twice. Fast.',
      sentence: 'Warns about invoices that were paid twice.',
    },
    {
      why: 'a single sentence is cut at a clause',
      description:
        'Translates subtitle files between languages, with timing kept and speaker names untouched',
      sentence: 'with timing kept and speaker names untouched',
    },
    { why: 'too few words leave nothing to ask', description: 'Adds two numbers.', sentence: undefined },
    { why: 'nothing is held out of nothing', description: '', sentence: undefined },
  ])('$why', ({ description, sentence }) => {
    expect(holdOutSentence(description)?.sentence).toBe(sentence)
  })

  test('what is asked for is no longer in the card', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 5, mode: 'sentences' }), (description) => {
        const held = holdOutSentence(description)
        if (held === null) return
        expect(held.rest.length).toBeLessThan(description.length)
        expect(description).toContain(held.sentence)
        const times = (text: string) => text.split(held.sentence).length - 1
        expect(times(held.rest)).toBe(times(description) - 1)
      }),
    )
  })
})

const weather = tool(
  'a/forecast',
  'Tells the weather of the next days for a city. Rain, wind and temperature are given for each hour.',
  { examples: ['will it rain in Lisbon tomorrow', 'how windy is it in Oslo tonight'] },
)
const mail = tool(
  'b/send_mail',
  'Sends an electronic letter to one or more people. Attachments, hidden copies and delayed delivery are possible.',
  { examples: ['write to Ana that I am late'] },
)

describe('a catalog is measured by its own words', () => {
  test('examples are asked of cards without examples, sentences of cards without them', () => {
    const { parts } = selfDataset([weather, mail], 'test')
    expect(parts.map(({ name, queries }) => [name, queries.length])).toEqual([
      ['tool examples', 3],
      ['tool sentences', 2],
    ])
    expect(parts[0]?.cards.flatMap(({ examples }) => examples)).toEqual([])
    expect(parts[1]?.cards[0]?.description).toBe('Tells the weather of the next days for a city.')
    expect(parts[1]?.queries[0]?.text).toBe('Rain, wind and temperature are given for each hour.')
  })

  test('a copy of a card counts as the card', () => {
    const copy = { ...weather, id: 'c/forecast', source: 'c' }
    const { parts } = selfDataset([weather, copy], 'test')
    expect([...(parts[0]?.queries[0]?.grades.keys() ?? [])]).toEqual(['a/forecast', 'c/forecast'])
  })

  test('cards that cannot be asked for are counted', () => {
    expect(selfDataset([weather, tool('a/x', 'Adds.')], 'test').notes).toEqual([
      '1 of 2 cards have neither an example nor enough words to hold some out.',
    ])
  })
})

describe('findings name the card and the remedy', () => {
  const kindsOf = async (...cards: ToolCard[]) => {
    const { run } = await evaluate(selfDataset(cards, 'test'), { corpus: 'own' }, { model: null })
    return selfFindings(cards, run).map(({ kind, card, others }) => [kind, card, ...others])
  }

  test('a sound catalog has none', async () => {
    const described = { parameters: [{ name: 'city', description: 'The city asked for', required: true }] }
    expect(
      await kindsOf({ ...weather, ...described, examples: ['weather of the next days in a city'] }),
    ).toEqual([])
  })

  test('a card that shares no word with its examples cannot be found', async () => {
    const opaque = tool(
      'a/frobnicate',
      'Performs the canonical frobnication of arbitrary entities promptly.',
      {
        examples: ['please turn my holiday pictures upright'],
      },
    )
    const decoy = tool('b/rotate', 'Turns holiday pictures upright so that nobody has to tilt the head.', {
      examples: ['turn the holiday pictures upright'],
    })
    expect(await kindsOf(opaque, decoy)).toContainEqual(['unfindable', 'a/frobnicate', 'b/rotate'])
  })

  test('a card that always stands behind another is shadowed', async () => {
    const words = 'Converts currencies by the daily rate of a bank'
    const rival = tool(
      'b/currency_converter',
      `${words} for any amount of money, any day and any currency pair`,
    )
    const behind = tool('a/exchange', `${words}`, {
      examples: [
        'convert money by the daily rate for any currency pair',
        'any amount of money in another currency pair',
      ],
    })
    expect(await kindsOf(behind, rival)).toContainEqual(['shadowed', 'a/exchange', 'b/currency_converter'])
  })

  test('a thing listed twice, thin words and bare inputs are told', async () => {
    const copy = { ...weather, id: 'c/forecast', source: 'c' }
    const bare = ['x', 'y'].map((name) => ({ name, description: '', required: true }))
    const found = await kindsOf(weather, copy, tool('d/sum', 'Sum.', { parameters: bare }))
    expect(found).toEqual([
      ['duplicate', 'a/forecast', 'c/forecast'],
      ['thin', 'd/sum'],
      ['undocumented-inputs', 'd/sum'],
    ])
  })
})
