import { expect, test } from 'vitest'
import { countOf } from '../../src/domain/text/count-of.ts'

test.each([
  { count: 0, one: 'card', says: '0 cards' },
  { count: 1, one: 'card', says: '1 card' },
  { count: 12_000, one: 'card', says: '12,000 cards' },
  { count: 1, one: 'query', many: 'queries', says: '1 query' },
  { count: 2, one: 'query', many: 'queries', says: '2 queries' },
])('$count of "$one" is "$says"', ({ count, one, many, says }) => {
  expect(countOf(count, one, many)).toBe(says)
})
