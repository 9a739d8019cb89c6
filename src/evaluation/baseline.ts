import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { z } from 'zod'
import { requireOneView, type View } from './runs/compare-runs.ts'
import type { EvaluationRun, QueryOutcome } from './evaluation-run.ts'
import type { EvaluationRequest, MeasuredResult } from './evaluations.ts'
import { parseRun, readRunText, RunFileError } from './runs/run-file.ts'
import type { RunStore } from './runs/run-store.ts'
import { isVerdictMeasure, measureNamed } from './measures/measures.ts'
import { summarise } from './summarise.ts'

const goldenSchema = z.object({
  format: z.literal('audition-golden/1'),
  dataset: z.object({ name: z.string(), origin: z.string(), notes: z.array(z.string()) }),
  settings: z.object({ equivalence: z.enum(['strict', 'aware']).default('strict') }).optional(),
  outcomes: z
    .array(
      z.object({
        id: z.string(),
        part: z.string(),
        measures: z.record(z.string(), z.number()),
        match: z.enum(['good', 'weak', 'none']),
        candidates: z.array(z.string()),
      }),
    )
    .optional(),
})

/** A run as it is committed: figures of each query, and its first candidates by id alone. */
type GoldenBaseline = z.output<typeof goldenSchema>

/** Whether a text begins as a committed run does. Cheap. */
const looksGolden = (text: string): boolean => /^\s*\{\s*"format"\s*:\s*"audition-golden\//.test(text)

/** @throws RunFileError when the text is no committed run, or one of figures alone */
export function parseGolden(text: string, where: string): GoldenBaseline {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new RunFileError(`${where}: not JSON.`, 'Give another run.', { cause })
  }
  const parsed = goldenSchema.safeParse(value)
  if (!parsed.success) throw new RunFileError(`${where}: no committed run.`, 'Give another run.')
  if (parsed.data.outcomes !== undefined) return parsed.data
  throw new RunFileError(
    `${where}: holds figures alone, and a comparison goes query by query.`,
    'Compare with a kept run; `audition evaluate` lists them.',
  )
}

/** Half of the last decimal that a committed run keeps of a measure, and a crumb for floating point. */
const rounding = 0.5e-4 + 1e-9

/** Committed values; the new run's own where the two differ by rounding alone, which is no win and no loss. */
const unrounded = (
  golden: QueryOutcome['measures'],
  now: QueryOutcome['measures'],
): QueryOutcome['measures'] =>
  Object.fromEntries(
    Object.entries(golden).map(([measure, value]) => {
      const exact = now[measure]
      return [measure, exact !== undefined && Math.abs(exact - value) <= rounding ? exact : value]
    }),
  )

/** A committed run beside a new one: texts and judgements, which it leaves out, are those of the new run. */
export function besideRun(golden: GoldenBaseline, run: EvaluationRun, name: string): EvaluationRun {
  const keyOf = ({ part, id }: { readonly part: string; readonly id: string }) => JSON.stringify([part, id])
  const now = new Map(run.outcomes.map((outcome) => [keyOf(outcome), outcome]))
  const outcomes = (golden.outcomes ?? []).map((outcome) => {
    const { text = '', relevant = {}, tokens = 0, measures = {} } = now.get(keyOf(outcome)) ?? {}
    const candidates = outcome.candidates.map((id, place) => ({ id, score: -place }))
    return { ...outcome, text, relevant, tokens, candidates, measures: unrounded(outcome.measures, measures) }
  })
  const measures = run.measures.filter((measure) => !isVerdictMeasure(measure)).map(measureNamed)
  const { absent: _, ...common } = run.settings // a committed run asks every query once
  const settings = { ...common, equivalence: golden.settings?.equivalence ?? ('strict' as const) }
  return { ...run, name, settings, ...summarise(run.parts, outcomes, measures), outcomes }
}

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
