import fc from 'fast-check'
import { type Candidate, type Ranking, rank } from '../../src/domain/ranking.ts'

/** A ranking that has these ids in this order. */
export const inThisOrder = (...ids: readonly string[]): Ranking =>
  rank(ids.map((id, place) => ({ id, score: -place })))

/** Grades as a test writes them. */
export const gradesOf = (grades: { readonly [id: string]: number }): ReadonlyMap<string, number> =>
  new Map(Object.entries(grades))

const id = fc.constantFrom(...'abcdefghijklmnop')

/** Candidates without a double; few scores, so that ties are common. */
export const candidates: fc.Arbitrary<Candidate[]> = fc.uniqueArray(
  fc.record({ id, score: fc.integer({ min: -3, max: 3 }) }),
  { selector: (candidate) => candidate.id, maxLength: 16 },
)

/** Judged candidates, some with grade 0. */
export const judged: fc.Arbitrary<ReadonlyMap<string, number>> = fc
  .uniqueArray(fc.tuple(id, fc.integer({ min: 0, max: 3 })), { selector: ([key]) => key, maxLength: 12 })
  .map((entries) => new Map(entries))

/** One list of members per need, some without any. */
export const needs: fc.Arbitrary<string[][]> = fc.array(fc.array(id, { maxLength: 3 }), { maxLength: 3 })
