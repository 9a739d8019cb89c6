import type { RunSettings } from '../runs/evaluation-run.ts'
import { IncomparableRunsError } from '../runs/incomparable-runs-error.ts'

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
