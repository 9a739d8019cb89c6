import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bySlidingWindows,
  permutationIn,
  reasonsIn,
} from '../../../src/adapters/ai-sdk/listwise/sliding-windows.ts'

const places = (length: number): readonly number[] => [...Array(length).keys()]
const windows = fc
  .integer({ min: 2, max: 30 })
  .chain((window) => fc.record({ window: fc.constant(window), step: fc.integer({ min: 1, max: window }) }))
const lists = fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 80 })

describe('bySlidingWindows', () => {
  test('goes from the back to the front, each window over the best of the one before', async () => {
    const seen: (readonly number[])[] = []
    await bySlidingWindows(9, { window: 4, step: 2 }, async (window) => {
      seen.push(window)
      return window
    })
    expect(seen).toEqual([
      [5, 6, 7, 8],
      [3, 4, 5, 6],
      [1, 2, 3, 4],
      [0, 1, 2],
    ])
  })

  test('a perfect reranker brings the best of all to the first places: a window less a step of them', async () => {
    await fc.assert(
      fc.asyncProperty(lists, windows, async (values, size) => {
        const better = (a: number, b: number): number => values[b]! - values[a]! || a - b
        const order = await bySlidingWindows(values.length, size, async (window) => window.toSorted(better))
        const ideal = places(values.length).toSorted(better)
        const sure = values.length <= size.window ? values.length : size.window - size.step
        expect(order.slice(0, sure)).toEqual(ideal.slice(0, sure))
      }),
    )
  })

  test('whatever a model answers, no place is lost and none comes twice', async () => {
    const answers = fc.oneof(
      fc.string({ unit: fc.constantFrom('[', ']', '1', '2', '9', '0', ' ', '>', '-', 'x', '\n') }),
      fc
        .array(fc.integer({ min: -3, max: 40 }))
        .map((numbers) => numbers.map((each) => `[${each}]`).join(' > ')),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(lists, windows, fc.infiniteStream(answers), async ({ length }, size, said) => {
        const order = await bySlidingWindows(length, size, async (window) => {
          const permutation = permutationIn(said.next().value, window.length) ?? places(window.length)
          return permutation.map((at) => window[at]!)
        })
        expect(order.toSorted((a, b) => a - b)).toEqual(places(length))
      }),
    )
  })
})

describe('permutationIn', () => {
  test.each([
    { answer: '[2] > [1] > [3]', order: [1, 0, 2], why: 'as it is asked for' },
    { answer: 'The order is:\n[3]>[1]>[2].', order: [2, 0, 1], why: 'with words around it' },
    { answer: '<think>[1] > [2] > [3]?</think>\n[3] > [2] > [1]', order: [2, 1, 0], why: 'after thinking' },
    { answer: '<think>[3] could be', order: null, why: 'where thinking came to no end' },
    { answer: '【3】　【1】　【2】', order: [2, 0, 1], why: 'in the brackets of Chinese' },
    { answer: '[3] > [1]', order: [2, 0, 1], why: 'with one left out: it follows as it stood' },
    { answer: 'Final ranking: **[3] > [2] > [1]**.', order: [2, 1, 0], why: 'behind a title, in Markdown' },
    { answer: '[1] > [2] > [3]\nNo:\n[3] > [1] > [2]', order: [2, 0, 1], why: 'as it was said last' },
    { answer: '[3] > [1]\n> [2]', order: [2, 0, 1], why: 'over two lines' },
    { answer: '1. [3]\n2. [1]\n3. [2]', order: [2, 0, 1], why: 'as a numbered list' },
    { answer: '```json\n{"ranking": ["[3]", "[2]"]}\n```', order: [2, 1, 0], why: 'as JSON in a fence' },
    { answer: '2 > 1 > 3', order: [1, 0, 2], why: 'without brackets' },
    { answer: '[3]', order: null, why: 'of one card alone, which is no order' },
    { answer: 'I cannot rank [3], it is harmful.', order: null, why: 'in a refusal that names a card' },
    { answer: 'I will not compare [3], [1] and [2].', order: null, why: 'in one that names all' },
    { answer: 'I will not compare these cards:\n[3], [1]', order: null, why: 'in one that lists them' },
    { answer: 'I cannot say whether [2] > [1] holds.', order: null, why: 'in a sentence' },
    { answer: '{"refused": [3, 2]}', order: null, why: 'as JSON of something else' },
    { answer: '{"order": [2, 3', order: null, why: 'as half a JSON' },
    { answer: '[2, 3', order: null, why: 'as half a list' },
    { answer: '[2] > [2] > [3] > [2]', order: [1, 2, 0], why: 'with repetitions' },
    { answer: '[9] > [0] > [2] > [1]', order: [1, 0, 2], why: 'with numbers of no card' },
    { answer: '3, 1, 2', order: [2, 0, 1], why: 'as numbers alone' },
    { answer: '{"order": [2, 3, 1]}', order: [1, 2, 0], why: 'as JSON' },
    { answer: 'I rank them all 1 and 2.', order: null, why: 'in words, which may speak of anything' },
    { answer: 'I cannot help with that.', order: null, why: 'not at all' },
    { answer: '[7] > [8]', order: null, why: 'of cards that are not there' },
    { answer: '', order: null, why: 'with silence' },
    { answer: '[2] > [1] > [3]\n[2]: better than [3]', order: [1, 0, 2], why: 'before its reasons' },
  ])('"$answer" is read $why', ({ answer, order }) => {
    expect(permutationIn(answer, 3)).toEqual(order)
  })
})

test('reasons stand on lines of their own, behind the number of their card', () => {
  const answer = '[2] > [1]\n[2]: reads leases\n [1] is for cities, unlike [2].\n[3]:\nnothing of [4]: here'
  expect(Object.fromEntries(reasonsIn(answer))).toEqual({
    0: 'is for cities, unlike [2].',
    1: 'reads leases',
  })
})
