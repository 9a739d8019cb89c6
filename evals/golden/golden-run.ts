import type { Estimate, EvaluationRun, QueryOutcome } from '../../src/evaluation/evaluation-run.ts'
import { bootstrapMean } from '../../src/evaluation/statistics/bootstrap.ts'

/** Figures by part (and `macro`), then by measure. */
export type Figures = { readonly [part: string]: { readonly [measure: string]: Estimate } }

/** One query of a golden run, for telling which queries lost. */
export type GoldenOutcome = {
  readonly id: string
  readonly part: string
  readonly measures: QueryOutcome['measures']
  readonly match: QueryOutcome['match']
  /** The first ten. */
  readonly candidates: readonly string[]
}

/** What is committed of a run, for later runs to be held against. */
export type GoldenRun = {
  readonly format: 'audition-golden/1'
  readonly dataset: EvaluationRun['dataset']
  readonly settings: EvaluationRun['settings']
  readonly figures: Figures
  /** Absent where the queries are not ours to publish. */
  readonly outcomes?: readonly GoldenOutcome[]
}

/** A figure beside the golden one. */
export type GateRow = {
  readonly part: string
  readonly measure: string
  readonly golden: Estimate
  readonly now: number
  /**
   * The loss that chance may explain: half the width of the golden 95% interval, and at least one whole query, since
   * figures at 0 or 1 have no interval.
   */
  readonly allowed: number
  /**
   * `interval`: the loss is larger than allowed. `paired`: query by query, the loss is larger than a point and its own
   * 95% interval leaves out 0; asked of the headline measure of parts, where the golden run kept its queries.
   */
  readonly fell: 'no' | 'interval' | 'paired'
}

/** Of queries that something serves: 1 unless the answer says that nothing fits. Keeps refusing from being free. */
export const answeredMeasure = 'answered'

const shown = 10

/**
 * @param outcomes - `figures alone` for queries and cards of others: then no text and no id is kept
 */
export function goldenOf(run: EvaluationRun, outcomes: 'with outcomes' | 'figures alone'): GoldenRun {
  const golden = {
    format: 'audition-golden/1' as const,
    dataset: run.dataset,
    settings: run.settings,
    figures: figuresOf(run),
  }
  if (outcomes === 'figures alone') return golden
  return {
    ...golden,
    outcomes: run.outcomes.map(({ id, part, measures, match, candidates }) => ({
      id,
      part,
      measures: Object.fromEntries(Object.entries(measures).map(([name, value]) => [name, rounded(value)])),
      match,
      candidates: candidates.slice(0, shown).map((candidate) => candidate.id),
    })),
  }
}

/** The run's own estimates, and how often it rightly gave an answer. */
function figuresOf(run: EvaluationRun): Figures {
  const answered = (outcomes: readonly QueryOutcome[]) => {
    const served = outcomes.filter(({ relevant }) => Object.keys(relevant).length > 0)
    return { [answeredMeasure]: bootstrapMean(served.map(({ match }) => (match === 'none' ? 0 : 1))) }
  }
  const parts = run.parts.map(({ name, estimates }) => {
    const own = run.outcomes.filter(({ part }) => part === name)
    return [name, roundedAll({ ...estimates, ...answered(own) })] as const
  })
  return { macro: roundedAll({ ...run.macro, ...answered(run.outcomes) }), ...Object.fromEntries(parts) }
}

/** One figure and one query a line: a change of a golden run is read in the diff. */
export function writeGolden({ figures, outcomes, ...head }: GoldenRun): string {
  const lines = Object.entries(figures).flatMap(([part, estimates]) => [
    `    ${JSON.stringify(part)}: {`,
    joined(
      Object.entries(estimates).map(
        ([name, value]) => `      ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
      ),
    ),
    '    },',
  ])
  const body = [
    ...Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
    '  "figures": {',
    lines.join('\n').replace(/,$/, ''),
    outcomes === undefined ? '  }' : '  },',
    ...(outcomes === undefined
      ? []
      : ['  "outcomes": [', joined(outcomes.map((outcome) => `    ${JSON.stringify(outcome)}`)), '  ]']),
  ]
  return `{\n${body.join('\n')}\n}\n`
}

const joined = (lines: readonly string[]): string => lines.join(',\n')

/**
 * Holds a run against the golden one, measure by measure over all its parts.
 *
 * @throws Error when the two asked different queries
 */
export function heldAgainst(golden: GoldenRun, run: EvaluationRun): readonly GateRow[] {
  const figures = figuresOf(run)
  const asked = (all: Figures) =>
    JSON.stringify(Object.entries(all).map(([part, own]) => [part, queriesOf(own)]))
  if (asked(golden.figures) !== asked(figures)) {
    throw new Error(
      `${golden.dataset.name}: the golden run asked other queries (${golden.dataset.origin}) than this run (${run.dataset.origin}). Run: npm run golden`,
    )
  }
  return Object.entries(golden.figures).flatMap(([part, estimates]) =>
    Object.entries(estimates).map(([measure, estimate]): GateRow => {
      const now = figures[part]![measure]!.mean
      const allowed = Math.max((estimate.high - estimate.low) / 2, 1 / estimate.queries)
      const row = { part, measure, golden: estimate, now, allowed }
      if (now < estimate.mean - allowed - rounding) return { ...row, fell: 'interval' }
      const isHeadline = measure === run.measures[0]
      return { ...row, fell: isHeadline && lostSurely(golden, run, part, measure) ? 'paired' : 'no' }
    }),
  )
}

/** A loss smaller than this is not worth anyone's time, however sure it is. */
const smallestLoss = 0.01

function lostSurely(
  { outcomes = [] }: GoldenRun,
  run: EvaluationRun,
  part: string,
  measure: string,
): boolean {
  const before = new Map(outcomes.map(({ id, measures }) => [id, measures[measure]]))
  const differences = run.outcomes
    .filter((outcome) => outcome.part === part)
    .flatMap(({ id, measures }) => {
      const [was, is] = [before.get(id), measures[measure]]
      return was === undefined || is === undefined ? [] : [is - was]
    })
  const { mean, high } = bootstrapMean(differences)
  return mean < -smallestLoss && high < 0
}

const queriesOf = (estimates: Figures[string]): readonly (string | number)[] =>
  Object.entries(estimates)
    .flatMap(([measure, { queries }]) => [measure, queries])
    .sort()

/** What rounding the golden figures can make of nothing. */
const rounding = 1e-5

/** Rounded to five decimals: enough for any report, and the same on every machine. */
const rounded = (value: number): number => Math.round(value * 1e5) / 1e5

const roundedAll = (estimates: Figures[string]): Figures[string] =>
  Object.fromEntries(
    Object.entries(estimates).map(([name, { mean, low, high, queries }]) => [
      name,
      { mean: rounded(mean), low: rounded(low), high: rounded(high), queries },
    ]),
  )
