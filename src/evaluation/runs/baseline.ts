import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { requireOneView, type View } from '../equivalence/one-view.ts'
import type { EvaluationRun } from './evaluation-run.ts'
import type { EvaluationRequest, MeasuredResult } from '../evaluations.ts'
import { besideRun, looksGolden, parseGolden } from './golden-baseline.ts'
import { parseRun, readRunText } from './run-file.ts'
import type { RunStore } from './run-store.ts'

/** Makes the run to compare with; a committed run lacks what only the new run can tell. */
export type BaselineFor = (run: EvaluationRun) => NonNullable<MeasuredResult['baseline']>

/**
 * Reads the run that a request names to compare with. Before the new run is kept, which may take its place.
 *
 * @returns undefined when none is named
 * @throws RunFileError when there is none; IncomparableRunsError when it is judged otherwise
 */
export async function baselineOf(
  { compare, dataset, equivalence = 'strict' }: EvaluationRequest,
  of: { readonly name: string; readonly place: string },
  store: RunStore,
): Promise<BaselineFor | undefined> {
  if (compare === undefined) return undefined
  // Told before the run is made, which may take minutes.
  const comparable = (baseline: View): void => requireOneView(baseline, { name: 'this run', equivalence })
  if (dataset.kind === 'place' && existsSync(compare) && statSync(compare).isFile()) {
    const text = await readRunText(compare)
    if (looksGolden(text)) {
      const golden = parseGolden(text, compare)
      comparable({ name: basename(compare), equivalence: golden.settings?.equivalence ?? 'strict' })
      return (run) => ({ run: besideRun(golden, run, basename(compare)) })
    }
    const read = parseRun(text, compare)
    comparable({ name: read.name, equivalence: read.settings.equivalence })
    return () => ({ run: read })
  }
  const found = await store.find(of.name, compare, of.place)
  comparable(found)
  const whole = await store.read(found)
  return () => whole
}
