import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ToolCard } from '../../../src/domain/card.ts'
import { isNearDuplicate, type Signature, signatureOf } from '../../../src/retrieval/facts/near-duplicate.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'
import { anyText } from '../arbitrary-text.ts'

const description =
  'Converts an amount of money from one currency to another at the rate of the day, rounded to two places.'
const convert = (parts: Partial<ToolCard> = {}): Signature =>
  signatureOf(toolCard('money/convert', { name: 'convert_currency', description, ...parts }))
const original = convert()

const bothWays = (other: Signature, sameSource: boolean): readonly boolean[] => [
  isNearDuplicate(original, other, sameSource),
  isNearDuplicate(other, original, sameSource),
]

describe('isNearDuplicate', () => {
  test.each([
    { why: 'they say the same', other: convert() },
    { why: 'the name has another separator', other: convert({ name: 'Convert currency' }) },
    { why: 'case and punctuation differ', other: convert({ description: description.toUpperCase() }) },
    {
      why: 'the listing adds tags, a server and examples',
      other: convert({ tags: ['x'], server: 'y', examples: ['z'] }),
    },
    {
      why: 'a word stands there in another form',
      other: convert({ description: description.replace('Converts', 'Convert') }),
    },
    { why: 'the text is repeated', other: convert({ description: `${description} ${description}` }) },
  ])('two sources list the same thing when $why', ({ other }) => {
    expect(bothWays(other, false)).toEqual([true, true])
  })

  test.each([
    { why: 'the name is another', other: convert({ name: 'convert_units' }) },
    {
      why: 'the text is another under the same name',
      other: convert({ description: 'Lists the rates of a bank.' }),
    },
    { why: 'the other says nothing', other: convert({ description: '' }) },
    {
      why: 'the parameters are others',
      other: convert({
        parameters: ['iban', 'holder', 'bank', 'branch', 'country', 'purpose'].map((name) => ({
          name,
          description: `The ${name} of the account that pays`,
          required: true,
        })),
      }),
    },
  ])('two sources list different things when $why', ({ other }) => {
    expect(bothWays(other, false)).toEqual([false, false])
  })

  test('one source lists variants: they differ in a few words only and stay apart', () => {
    const longText = `${description} `.repeat(3)
    const [one, variant] = [convert({ description: longText }), convert({ description: `${longText} x` })]
    expect(isNearDuplicate(one, variant, false)).toBe(true)
    expect(isNearDuplicate(one, variant, true)).toBe(false)
    expect(isNearDuplicate(one, one, true)).toBe(true)
  })

  test('names without a word are compared as they are', () => {
    expect(convert({ name: '???' }).name).not.toBe(convert({ name: '!!!' }).name)
    expect(convert({ name: '???' }).name).toBe(convert({ name: '???' }).name)
  })

  test('agents are compared by their prompts, too', () => {
    const agent = (instructions: string) => signatureOf(agentCard('team/writer', { instructions }))
    const [poet, lawyer] = [
      agent('You write poems about the sea and the wind.'),
      agent('You draft contracts and read laws.'),
    ]
    expect(isNearDuplicate(poet, lawyer, false)).toBe(false)
  })

  test('any card has a signature of whole numbers, the same each time, and is its own duplicate', () => {
    fc.assert(
      fc.property(anyText, anyText, (name, text) => {
        const signature = convert({ name, description: text })
        expect(convert({ name, description: text })).toEqual(signature)
        for (const part of Object.values(signature)) expect(part).toBe(part >>> 0)
        expect(isNearDuplicate(signature, signature, true)).toBe(true)
      }),
    )
  })
})
