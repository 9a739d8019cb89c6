import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BaselineFor } from './baseline.ts'
import { compareRuns, IncomparableRunsError } from './runs/compare-runs.ts'
import type { EvaluationRun, RunTiming } from './evaluation-run.ts'
import type { MeasuredResult } from './evaluations.ts'
import { isOfPlace, type RunStore } from './runs/run-store.ts'
import type { SearchFinding } from './self/findings.ts'
import { UnwritableError } from './runs/writable.ts'

/** A run that was made, and what belongs with it. */
type MadeRun = {
  readonly run: EvaluationRun
  readonly timing: RunTiming
  /** Where its dataset lies; see `KeptRun`. */
  readonly place: string
  readonly baselineFor: BaselineFor | undefined
  readonly findings?: readonly SearchFinding[]
  /** Of the caller, who may have given up meanwhile. */
  readonly signal: AbortSignal | undefined
}

/**
 * Compares a run, then keeps it with its report. What fails here takes no figures away: it is told beside them.
 *
 * @throws the signal's reason when it aborts before anything is written: nothing is kept then
 */
export async function keepRun(made: MadeRun, store: RunStore): Promise<MeasuredResult> {
  const { run, timing, findings, signal } = made
  signal?.throwIfAborted()
  const { failure, ...compared } = comparedWith(made)
  const page = await pageOf(made, compared, store)
  await nextTurn() // comparing and rendering take seconds in which no signal gets in
  signal?.throwIfAborted()
  const { kept, failures } = await keptWith(page, made, store)
  return {
    kind: 'measured',
    run,
    timing,
    page,
    ...compared,
    ...(findings === undefined ? {} : { findings }),
    ...(kept === undefined ? {} : { kept }),
    failures: [...(failure === undefined ? [] : [failure]), ...failures],
  }
}

type Compared = Pick<MeasuredResult, 'baseline' | 'comparison'>

function comparedWith({ run, baselineFor }: MadeRun): Compared & { readonly failure?: Error } {
  const baseline = baselineFor?.(run)
  if (baseline === undefined) return {}
  try {
    return { baseline, comparison: compareRuns(baseline.run, run) }
  } catch (failure) {
    if (failure instanceof IncomparableRunsError) return { failure }
    throw failure
  }
}

async function pageOf(
  { run, timing, place, findings }: MadeRun,
  { baseline, comparison }: Compared,
  store: RunStore,
): Promise<string> {
  const others = (await store.list(run.dataset.name)).filter(
    (other) =>
      other.name !== run.name && other.equivalence === run.settings.equivalence && isOfPlace(other, place),
  )
  const { renderReport } = await import('./report/render-report.ts')
  return renderReport({
    run,
    timing,
    ...(baseline === undefined ? {} : { baseline: baseline.run }),
    ...(baseline?.timing === undefined ? {} : { baselineTiming: baseline.timing }),
    ...(comparison === undefined ? {} : { comparison }),
    ...(findings === undefined ? {} : { findings }),
    otherRuns: others.map(({ name, macro, searchMs }) => ({ run: { name, macro }, timing: { searchMs } })),
  })
}

async function keptWith(
  page: string,
  { run, timing, place }: MadeRun,
  store: RunStore,
): Promise<Pick<MeasuredResult, 'kept' | 'failures'>> {
  let kept: MeasuredResult['kept']
  try {
    const id = await store.keep(run, timing, place)
    kept = { id, folder: store.folderOf(id), report: 'missing' }
    await store.keepReport(id, page)
    return { kept: { ...kept, report: 'kept' }, failures: [] }
  } catch (failure) {
    if (!(failure instanceof UnwritableError)) throw failure
    return { ...(kept === undefined ? {} : { kept }), failures: [failure] }
  }
}
