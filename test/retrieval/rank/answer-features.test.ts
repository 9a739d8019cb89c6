import { describe, expect, test } from 'vitest'
import { answerFeatureNames, answerFeatures } from '../../../src/retrieval/rank/answer-features.ts'
import { featureNames } from '../../../src/retrieval/rank/candidate-features.ts'

const width = featureNames.length
const columnOf = (name: (typeof featureNames)[number]): number => featureNames.indexOf(name)

/** One row per candidate, all missing but for what is given. */
function rowsOf(
  candidates: readonly { readonly [name in (typeof featureNames)[number]]?: number }[],
): Float32Array {
  const rows = new Float32Array(candidates.length * width).fill(Number.NaN)
  candidates.forEach((values, place) => {
    for (const [name, value] of Object.entries(values))
      rows[place * width + columnOf(name as (typeof featureNames)[number])] = value
  })
  return rows
}

const told = (rows: Float32Array, scores: readonly number[]) => {
  const row = answerFeatures(rows, scores)
  expect(row).toHaveLength(answerFeatureNames.length)
  return Object.fromEntries(answerFeatureNames.map((name, at) => [name, row[at]]))
}

describe('what the first candidates tell', () => {
  test('is read in the order of their scores, whatever the order of the rows', () => {
    const rows = rowsOf([
      { cosine: 0.25, coverage: 1, corpus: 7 },
      { cosine: 0.75, coverage: 0.5, corpus: 7 },
      { cosine: 0.5, corpus: 7 },
    ])
    expect(told(rows, [1, 4, 3.5])).toMatchObject({
      score: 4,
      'score-second': 0.5,
      'score-fifth': 3,
      'score-mean': expect.closeTo(4 - 8.5 / 3, 5),
      'score-near': expect.closeTo(Math.log(2), 6),
      'first-cosine': 0.75,
      'first-coverage': 0.5,
      'first-corpus': 7,
      'first-length': Number.NaN,
      'best-cosine': 0.75,
      'best-coverage': 1,
      'best-length': Number.NaN,
    })
  })

  test('ends with the fifth: what stands behind it adds nothing to the best', () => {
    const rows = rowsOf([0.1, 0.2, 0.3, 0.4, 0.5, 0.9].map((cosine) => ({ cosine })))
    expect(told(rows, [6, 5, 4, 3, 2, 1])).toMatchObject({
      'first-cosine': expect.closeTo(0.1, 6),
      'best-cosine': 0.5,
      'score-fifth': 4,
    })
  })

  test('of a single candidate is its own', () => {
    expect(told(rowsOf([{ cosine: 0.5 }]), [2])).toMatchObject({
      score: 2,
      'score-second': 0,
      'score-fifth': 0,
      'score-mean': 0,
      'score-near': 0,
      'best-cosine': 0.5,
    })
  })
})
