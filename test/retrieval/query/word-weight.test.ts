import { expect, test } from 'vitest'
import { takenByWords, wordWeight } from '../../../src/retrieval/query/beside.ts'

test('words count nothing more for short requests, and the more the longer a request is, up to a bound', () => {
  expect([1, 12, 40].map(wordWeight)).toEqual([0, 0, 0])
  expect(wordWeight(50)).toBeGreaterThan(0)
  expect(wordWeight(70)).toBeGreaterThan(wordWeight(50))
  expect(wordWeight(1_000)).toBe(wordWeight(400))
})

test('they take nothing from the best by words, and all of their weight from what holds no word', () => {
  expect([...takenByWords([4, 2, 0], 3)]).toEqual([0, -1.5, -3])
  expect([...takenByWords([0, 0], 3)]).toEqual([0, 0])
  expect([...takenByWords([], 3)]).toEqual([])
})
