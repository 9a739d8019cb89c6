import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardDifferences, visibleText } from '../../../src/trust/review/card-differences.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'

describe('a visible text', () => {
  test.each([
    { why: 'plain', text: 'Reads a note.', shown: 'Reads a note.' },
    { why: 'other scripts', text: 'Читает заметку, 读取笔记', shown: 'Читает заметку, 读取笔记' },
    { why: 'a zero-width space', text: 'a\u200bb', shown: 'a<U+200B>b' },
    { why: 'a Cyrillic letter in a Latin word', text: 'p\u0430y', shown: 'p<U+0430>y' },
    { why: 'a bidirectional override', text: '\u202egnp', shown: '<U+202E>gnp' },
    { why: 'a tag character', text: 'a\u{e0041}', shown: 'a<U+E0041>' },
    { why: 'a space without break', text: 'a\u00a0b', shown: 'a<U+00A0>b' },
    { why: 'an escape sequence', text: '\u001b[2J', shown: '<U+001B>[2J' },
  ])('shows $why as $shown', ({ text, shown }) => {
    expect(visibleText(text)).toBe(shown)
  })

  test('holds no character that hides, and tells any two texts apart that hold no <', () => {
    const texts = fc.string({ unit: 'binary' }).filter((text) => !text.includes('<'))
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(visibleText(a)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        expect(visibleText(a) === visibleText(b)).toBe(a === b)
      }),
    )
  })
})

describe('differences of cards', () => {
  const old = toolCard('a/x', { description: 'One. Two. Three.', tags: ['t'] })

  test('are by sentence, field by field', () => {
    const now = { ...old, name: 'y', description: 'One. Three. Four.', annotations: { readOnly: true } }
    expect(cardDifferences(old, now)).toEqual([
      { field: 'name', removed: ['x'], added: ['y'] },
      { field: 'description', removed: ['Two.'], added: ['Four.'] },
      { field: 'annotations.readOnly', removed: [], added: ['true'] },
    ])
  })

  test('show both orders when only the order differs', () => {
    expect(cardDifferences(old, { ...old, description: 'Two. One. Three.' })).toEqual([
      { field: 'description', removed: ['One.', 'Two.', 'Three.'], added: ['Two.', 'One.', 'Three.'] },
    ])
  })

  test('name the tools of an agent', () => {
    const before = agentCard('a/b', { tools: [{ name: 'read', description: 'Reads.' }] })
    const after = agentCard('a/b', { tools: [{ name: 'read', description: 'Reads all.' }] })
    expect(cardDifferences(before, after)).toEqual([
      { field: 'tools[read].description', removed: ['Reads.'], added: ['Reads all.'] },
    ])
  })

  test('there are none of a card and itself, and some of any other schema', () => {
    const schemas = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>
    fc.assert(
      fc.property(schemas, (schema) => {
        const card = toolCard('a/x', { inputSchema: schema })
        expect(cardDifferences(card, card)).toEqual([])
        const more = toolCard('a/x', { inputSchema: { ...schema, added_: 'this' } })
        expect(cardDifferences(card, more)).not.toEqual([])
      }),
    )
  })
})
