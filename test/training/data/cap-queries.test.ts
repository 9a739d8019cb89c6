import { expect, test } from 'vitest'
import { capQueries } from '../../../embeddings/trainer/src/data/cap-sets.ts'
import type { TrainingCorpus } from '../../../embeddings/trainer/src/data/corpus.ts'

const corpus: TrainingCorpus = {
  name: 'mine',
  family: 'mine',
  cards: [],
  queries: Array.from({ length: 1000 }, (_, index) => ({
    id: `q${index}`,
    text: `${index}`,
    relevant: ['a'],
  })),
}
const drawn = (most: number, seed: number, name = 'mine') =>
  capQueries({ ...corpus, name }, most, seed).queries.map(({ text }) => Number(text))

test('a corpus within the cap stays as it is', () => {
  expect(capQueries(corpus, 1000, 1)).toBe(corpus)
})

test('a draw has as many as asked for, none twice, in their order', () => {
  for (const most of [0, 1, 250, 999]) {
    const numbers = drawn(most, 7)
    expect(numbers).toHaveLength(most)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  }
})

test('a seed draws the same again; another seed or corpus draws others', () => {
  expect(drawn(250, 7)).toEqual(drawn(250, 7))
  expect(drawn(250, 7)).not.toEqual(drawn(250, 8))
  expect(drawn(250, 7)).not.toEqual(drawn(250, 7, 'other'))
})

test('each query is as likely as any other', () => {
  const counts = new Array<number>(1000).fill(0)
  for (let seed = 0; seed < 400; seed += 1) for (const number of drawn(250, seed)) counts[number]! += 1
  // Binomial(400, 1/4): mean 100, deviation 8.7; six deviations leave nothing to chance in 1,000 queries.
  expect(Math.min(...counts)).toBeGreaterThan(48)
  expect(Math.max(...counts)).toBeLessThan(152)
})
