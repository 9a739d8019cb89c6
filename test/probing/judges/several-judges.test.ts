import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../../src/domain/outcome.ts'
import {
  calibrateJudges,
  checkComparer,
  fleissKappa,
  judgesAgreement,
} from '../../../src/probing/judges/several-judges.ts'
import type { Judge } from '../../../src/probing/ports.ts'

const subject = (...counts: readonly number[]): readonly number[] =>
  counts.flatMap((count, category) => new Array<number>(count).fill(category))

describe("Fleiss' kappa", () => {
  test('of ten subjects and fourteen raters is 0.210, as it is worked out in textbooks', () => {
    const ratings = [
      subject(0, 0, 0, 0, 14),
      subject(0, 2, 6, 4, 2),
      subject(0, 0, 3, 5, 6),
      subject(0, 3, 9, 2, 0),
      subject(2, 2, 8, 1, 1),
      subject(7, 7, 0, 0, 0),
      subject(3, 2, 6, 3, 0),
      subject(2, 5, 3, 2, 2),
      subject(6, 5, 2, 1, 0),
      subject(0, 2, 2, 3, 7),
    ]
    expect(fleissKappa(ratings)).toBeCloseTo(0.21, 3)
  })

  test.each([
    {
      why: 'all agree, on different things',
      ratings: [
        [1, 1],
        [2, 2],
      ],
      kappa: 1,
    },
    {
      why: 'nobody ever agrees on two things',
      ratings: [
        [1, 2],
        [2, 1],
      ],
      kappa: -1,
    },
    // Seen: 1/2; by chance: 9/16 + 1/16 = 10/16; (8 - 10) / (16 - 10).
    {
      why: 'worse than chance',
      ratings: [
        [1, 1],
        [1, 2],
      ],
      kappa: -1 / 3,
    },
    {
      why: 'all say the same of everything',
      ratings: [
        [1, 1],
        [1, 1],
      ],
      kappa: null,
    },
    { why: 'there is one rater', ratings: [[1], [2]], kappa: null },
    { why: 'there is nothing', ratings: [], kappa: null },
  ])('is $kappa when $why', ({ ratings, kappa }) => {
    const found = fleissKappa(ratings)
    if (kappa === null) expect(found).toBeNull()
    else expect(found).toBeCloseTo(kappa, 12)
  })
})

const graded = (grade: 1 | 2 | 3 | 4 | 5): Verdict => ({ grade, reason: '', judge: 'j' })
const refused: Verdict = { refusal: 'no', judge: 'j' }

test('answers that some judge refused are left out of kappa, and count in the middle', () => {
  const given = [
    [graded(5), graded(1), graded(4)],
    [graded(4), graded(1), refused],
    [graded(5), graded(2), graded(2)],
  ]
  const agreement = judgesAgreement(given, [{ grade: 5 }, { grade: 1 }, { grade: 4 }])
  expect(agreement).toMatchObject({
    answers: 2,
    fleissKappaOfSuccess: 1,
    middle: { count: 3, accuracy: 2 / 3 },
  })
  // Seen: (1 + 1) / 3 of each three raters, 1/3 each; by chance: grades 5, 5, 4, 1, 1, 2: (4 + 1 + 4 + 1) / 36.
  expect(agreement.fleissKappa).toBeCloseTo((1 / 3 - 10 / 36) / (1 - 10 / 36), 12)
})

const labelled = (task: string, answer: string, grade: 1 | 2 | 3 | 4 | 5, line = 1) => ({
  task: { text: task },
  answer,
  grade,
  line,
})

test('every judge grades every answer, and a stop keeps what there is', async () => {
  const stop = new AbortController()
  const judgeOf = (name: string, grade: 1 | 5): Judge => ({
    name,
    judge: async () => {
      if (name === 'second') stop.abort()
      return { grade, reason: '', judge: name }
    },
  })
  const answers = [labelled('a', 'x', 5), labelled('a', 'y', 1)]
  const { judges } = await calibrateJudges([judgeOf('first', 5), judgeOf('second', 1)], answers, {
    signal: stop.signal,
  })
  expect(judges).toMatchObject([
    { judge: 'first', count: 2, accuracy: 0.5, left: 0 },
    { judge: 'second', count: 1, left: 1 },
  ])
})

test('a judge that compares is counted by pairs of different labels', async () => {
  const comparer = {
    name: 'c',
    compare: async ({ text }: { readonly text: string }) =>
      text === 'lost' ? null : text === 'tied' ? [1.5, 1.5] : [1, 2, 3],
  }
  const found = await checkComparer(comparer, [
    labelled('three', 'a', 5),
    labelled('three', 'b', 2),
    labelled('three', 'c', 3),
    labelled('tied', 'a', 5),
    labelled('tied', 'b', 1),
    labelled('same', 'a', 4),
    labelled('same', 'b', 4),
    labelled('lost', 'a', 4),
    labelled('lost', 'b', 1),
  ])
  // Of "three" a is rightly before b and c, and b wrongly before c.
  expect(found).toEqual({ judge: 'c', tasks: 3, unordered: 1, right: 2, equal: 1, wrong: 1 })
})
