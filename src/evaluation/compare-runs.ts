import type { Comparison, EvaluationRun, QueryDifference, QueryOutcome } from './evaluation-run.ts'
import { grouped } from './grouped.ts'
import { estimateOf, macroOf, type Resampled, resample } from './statistics/bootstrap.ts'
import { holm } from './statistics/holm.ts'
import { randomisationTest } from './statistics/randomisation-test.ts'
import { seedOf } from './statistics/seeded-random.ts'

/** The `part` of the rows that speak of all parts: the unweighted mean over them. */
export const wholeRow = 'macro'

/** Regressions and wins that are listed, of each. */
const listed = 10
/** Candidates named of those above the first relevant one. */
const namedAbove = 10

type Row = Comparison['rows'][number]
/** One query as both runs answered it. */
type Pair = { readonly baseline: QueryOutcome; readonly candidate: QueryOutcome }
type PartPairs = { readonly name: string; readonly pairs: readonly Pair[] }

/**
 * Sets two runs over the same queries side by side: per measure that both have, a row for each part and one for the
 * whole. A row takes only the queries that both runs measured; its p-value is that of the difference of means in a
 * paired randomisation test. Holm's correction goes over the parts of one measure; the row of the whole is a test of
 * its own and keeps its p-value.
 *
 * Queries are the same when part, id and text are. Regressions and wins go by the headline: the candidate's first
 * measure that the baseline has too.
 *
 * @throws Error when the runs have no query or no measure in common
 */
export function compareRuns(baseline: EvaluationRun, candidate: EvaluationRun): Comparison {
  const parts = pairedParts(baseline, candidate)
  const pairs = parts.flatMap((part) => part.pairs)
  const measures = candidate.measures.filter((measure) => baseline.measures.includes(measure))
  const [headline] = measures
  const between = `Runs "${baseline.name}" and "${candidate.name}"`
  if (pairs.length === 0)
    throw new Error(`${between} have no query in common. Compare runs of the same dataset and parts.`)
  if (headline === undefined)
    throw new Error(
      `${between} have no measure in common. Run one of them again with the measures of the other.`,
    )

  const differences = pairs.flatMap((pair) => queryDifference(pair, headline) ?? [])
  return {
    baseline: baseline.name,
    candidate: candidate.name,
    rows: measures.flatMap((measure) => rowsOf(parts, measure)),
    regressions: farthest(differences, (query) => query.baseline - query.candidate),
    wins: farthest(differences, (query) => query.candidate - query.baseline),
    unmatched: baseline.outcomes.length + candidate.outcomes.length - 2 * pairs.length,
  }
}

/** Pairs by part, in the order in which the candidate run has them. */
function pairedParts(baseline: EvaluationRun, candidate: EvaluationRun): readonly PartPairs[] {
  const keyOf = ({ part, id, text }: QueryOutcome): string => JSON.stringify([part, id, text])
  const known = new Map(baseline.outcomes.map((outcome) => [keyOf(outcome), outcome]))
  const pairs = candidate.outcomes.flatMap((outcome) => {
    const before = known.get(keyOf(outcome))
    return before === undefined ? [] : [{ baseline: before, candidate: outcome }]
  })
  const parts = grouped(pairs, (pair) => pair.candidate.part)
  return [...parts].map(([name, own]) => ({ name, pairs: own }))
}

/** Values of one measure in one part, for the queries that both runs measured. */
type Columns = { readonly part: string; readonly baseline: Float64Array; readonly candidate: Float64Array }

function rowsOf(parts: readonly PartPairs[], measure: string): readonly Row[] {
  const columns = parts.map((part) => columnsOf(part, measure)).filter(({ baseline }) => baseline.length > 0)
  const differences = columns.map(differencesOf)
  const drawn = columns.map(({ part }, at) => resample([differences[at]!], { seed: seedOf(part) })[0]!)
  const p = columns.map(({ part }, at) => randomisationTest(differences[at]!, { seed: seedOf(part) }))
  const corrected = holm(p)
  const rows = columns.map((column, at) => ({
    part: column.part,
    measure,
    baseline: meanOf(column.baseline),
    candidate: meanOf(column.candidate),
    difference: estimateOf(drawn[at]!),
    p: p[at]!,
    pHolm: corrected[at]!,
  }))
  return columns.length === 0 ? [] : [...rows, wholeRowOf(rows, measure, drawn, differences)]
}

function wholeRowOf(
  rows: readonly Row[],
  measure: string,
  drawn: readonly Resampled[],
  differences: readonly Float64Array[],
): Row {
  // A query weighs as much as it does in the mean of part means.
  const weighted = differences.flatMap((values) => [...values].map((value) => value / values.length))
  const p = randomisationTest(weighted, { seed: seedOf(wholeRow) })
  return {
    part: wholeRow,
    measure,
    baseline: meanOf(rows.map((row) => row.baseline)),
    candidate: meanOf(rows.map((row) => row.candidate)),
    difference: estimateOf(macroOf(drawn)),
    p,
    pHolm: p,
  }
}

function columnsOf({ name, pairs }: PartPairs, measure: string): Columns {
  const measured = pairs.filter(
    ({ baseline, candidate }) =>
      baseline.measures[measure] !== undefined && candidate.measures[measure] !== undefined,
  )
  return {
    part: name,
    baseline: Float64Array.from(measured, (pair) => pair.baseline.measures[measure]!),
    candidate: Float64Array.from(measured, (pair) => pair.candidate.measures[measure]!),
  }
}

const differencesOf = ({ baseline, candidate }: Columns): Float64Array =>
  candidate.map((value, at) => value - baseline[at]!)

const meanOf = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, value) => sum + value, 0) / values.length

function queryDifference({ baseline, candidate }: Pair, headline: string): QueryDifference | undefined {
  const before = baseline.measures[headline]
  const after = candidate.measures[headline]
  if (before === undefined || after === undefined) return undefined
  const worse = after < before ? candidate : baseline
  return {
    id: candidate.id,
    part: candidate.part,
    text: candidate.text,
    baseline: before,
    candidate: after,
    above: aboveFirstRelevant(worse),
    relevant: bestFirst(candidate.relevant),
  }
}

/** All candidates, up to the number named, when no relevant one was found. */
function aboveFirstRelevant({ candidates, relevant }: QueryOutcome): readonly string[] {
  const first = candidates.findIndex(({ id }) => Object.hasOwn(relevant, id))
  return candidates
    .slice(0, Math.min(first === -1 ? candidates.length : first, namedAbove))
    .map(({ id }) => id)
}

const bestFirst = (relevant: QueryOutcome['relevant']): readonly string[] =>
  Object.entries(relevant)
    .sort(([idA, a], [idB, b]) => b - a || byCodeUnits(idA, idB))
    .map(([id]) => id)

/** The queries that moved most in one direction, the farthest first; equal ones by part and id. */
const farthest = (
  queries: readonly QueryDifference[],
  distance: (query: QueryDifference) => number,
): readonly QueryDifference[] =>
  queries
    .filter((query) => distance(query) > 0)
    .sort((a, b) => distance(b) - distance(a) || byCodeUnits(a.part, b.part) || byCodeUnits(a.id, b.id))
    .slice(0, listed)

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
