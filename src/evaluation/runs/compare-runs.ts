import { grouped } from '../../domain/grouped.ts'
import { seedOf } from '../../domain/random.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import type {
  Comparison,
  EvaluationRun,
  QueryDifference,
  QueryOutcome,
  RunSettings,
} from '../evaluation-run.ts'
import {
  estimateOf,
  macroOf,
  type MeasureValues,
  type Resampled,
  resampleMeasures,
} from '../statistics/bootstrap.ts'
import { holm, randomisationTests } from '../statistics/randomisation-test.ts'

/** Two runs cannot be set side by side. The message says why; the remedy what to do. */
export class IncomparableRunsError extends RemedyError {
  override readonly name: string = 'IncomparableRunsError'
}

/** The runs were judged in different ways. */
export class DifferentViewsError extends IncomparableRunsError {
  override readonly name = 'DifferentViewsError'
}

/** What a run is judged by, and how the run is called. */
export type View = { readonly name: string; readonly equivalence: RunSettings['equivalence'] }

/**
 * Strict figures never stand beside those that credit copies: the difference would be of the judgements.
 *
 * @throws DifferentViewsError
 */
export function requireOneView(baseline: View, candidate: View): void {
  if (baseline.equivalence === candidate.equivalence) return
  throw new DifferentViewsError(
    `Run "${baseline.name}" is judged with equivalence "${baseline.equivalence}", "${candidate.name}" with "${candidate.equivalence}": their figures do not compare.`,
    `Compare with a run that has --equivalence ${candidate.equivalence}, or run with --equivalence ${baseline.equivalence}.`,
  )
}

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
 * @throws DifferentViewsError when one credits copies and the other does not
 * @throws IncomparableRunsError when the runs have no query or no measure in common
 */
export function compareRuns(baseline: EvaluationRun, candidate: EvaluationRun): Comparison {
  requireOneView(viewOf(baseline), viewOf(candidate))
  const parts = pairedParts(baseline, candidate)
  const pairs = parts.flatMap((part) => part.pairs)
  const measures = candidate.measures.filter((measure) => baseline.measures.includes(measure))
  const [headline] = measures
  const between = `Runs "${baseline.name}" and "${candidate.name}"`
  if (pairs.length === 0)
    throw new IncomparableRunsError(
      `${between} have no query in common.`,
      'Compare runs of the same dataset and parts.',
    )
  if (headline === undefined)
    throw new IncomparableRunsError(
      `${between} have no measure in common.`,
      'Run one of them again with the measures of the other.',
    )

  const cells = parts.flatMap((part) => cellsOf(part, measures))
  const differences = pairs.flatMap((pair) => queryDifference(pair, headline) ?? [])
  return {
    baseline: baseline.name,
    candidate: candidate.name,
    rows: rowsOf(measures, cells),
    regressions: farthest(differences, (query) => query.baseline - query.candidate),
    wins: farthest(differences, (query) => query.candidate - query.baseline),
    unmatched: baseline.outcomes.length + candidate.outcomes.length - 2 * pairs.length,
    unmatchedByPart: unmatchedByPart(baseline, candidate, parts),
  }
}

const viewOf = ({ name, settings }: EvaluationRun) => ({ name, equivalence: settings.equivalence })

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

/** In the order of the baseline's parts, then those that only the candidate has. */
function unmatchedByPart(
  baseline: EvaluationRun,
  candidate: EvaluationRun,
  parts: readonly PartPairs[],
): Comparison['unmatchedByPart'] {
  const paired = new Map(parts.map(({ name, pairs }) => [name, pairs.length]))
  const asked = [baseline, candidate].map(({ outcomes }) => grouped(outcomes, ({ part }) => part))
  const names = new Set(asked.flatMap((byPart) => [...byPart.keys()]))
  return [...names].flatMap((part) => {
    const [before = 0, now = 0] = asked.map(
      (byPart) => (byPart.get(part)?.length ?? 0) - (paired.get(part) ?? 0),
    )
    return before + now === 0 ? [] : [{ part, baseline: before, candidate: now }]
  })
}

/** One measure in one part, over the queries that both runs measured. */
type Cell = Omit<Row, 'difference' | 'pHolm'> & {
  readonly differences: readonly number[]
  readonly drawn: Resampled
}

/** A measure that no pair has is left out. */
function cellsOf({ name, pairs }: PartPairs, measures: readonly string[]): readonly Cell[] {
  const seed = seedOf(name)
  const differences = pairs.map((pair) => differencesOf(pair, measures))
  const drawn = [...resampleMeasures(differences, measures, seed)]
  const changes = drawn.map(([measure]) => differences.flatMap((values) => values[measure] ?? []))
  const pValues = randomisationTests(changes, { seed })
  return drawn.map(([measure, resampled], at) => {
    const measured = pairs.filter((_, pair) => measure in differences[pair]!)
    return {
      part: name,
      measure,
      baseline: meanOf(measured.map((pair) => pair.baseline.measures[measure]!)),
      candidate: meanOf(measured.map((pair) => pair.candidate.measures[measure]!)),
      p: pValues[at]!,
      differences: changes[at]!,
      drawn: resampled,
    }
  })
}

const differencesOf = ({ baseline, candidate }: Pair, measures: readonly string[]): MeasureValues =>
  Object.fromEntries(
    measures.flatMap((measure) => {
      const before = baseline.measures[measure]
      const after = candidate.measures[measure]
      return before === undefined || after === undefined ? [] : [[measure, after - before]]
    }),
  )

/** The rows of each measure: its parts, then the whole. */
function rowsOf(measures: readonly string[], cells: readonly Cell[]): readonly Row[] {
  const byMeasure = grouped(cells, ({ measure }) => measure)
  const compared = measures.flatMap((measure) => {
    const own = byMeasure.get(measure)
    return own === undefined ? [] : [{ measure, own }]
  })
  const pValues = randomisationTests(
    compared.map(({ own }) => weightedDifferences(own)),
    { seed: seedOf(wholeRow) },
  )
  return compared.flatMap(({ measure, own }, at) => [...partRows(own), wholeOf(measure, own, pValues[at]!)])
}

/** A query weighs as much as it does in the mean of part means. */
const weightedDifferences = (cells: readonly Cell[]): readonly number[] =>
  cells.flatMap(({ differences }) => differences.map((value) => value / differences.length))

function partRows(cells: readonly Cell[]): readonly Row[] {
  const corrected = holm(cells.map(({ p }) => p))
  return cells.map(({ part, measure, baseline, candidate, drawn, p }, at) => ({
    part,
    measure,
    baseline,
    candidate,
    difference: estimateOf(drawn),
    p,
    pHolm: corrected[at]!,
  }))
}

const wholeOf = (measure: string, cells: readonly Cell[], p: number): Row => ({
  part: wholeRow,
  measure,
  baseline: meanOf(cells.map(({ baseline }) => baseline)),
  candidate: meanOf(cells.map(({ candidate }) => candidate)),
  difference: estimateOf(macroOf(cells.map(({ drawn }) => drawn))),
  p,
  pHolm: p,
})

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

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
