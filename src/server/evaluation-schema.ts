import { z } from 'zod'

const estimate = { low: z.number(), high: z.number() }

const comparison = z.strictObject({
  baseline: z.string(),
  measures: z.array(
    z.strictObject({
      measure: z.string(),
      before: z.number(),
      now: z.number(),
      difference: z.number(),
      ...estimate,
      p: z.number().describe('Of a paired randomisation test.'),
    }),
  ),
  partsBetter: z.number().describe('Parts that surely gained (Holm, 5%).'),
  partsWorse: z.number(),
  regressions: z.array(
    z.strictObject({ id: z.string(), query: z.string(), before: z.number(), now: z.number() }),
  ),
})

/** What `evaluate` answers; flat, because hosts put schemas before their models. Which fields there are follows `state`. */
export const evaluateOutput = z.strictObject({
  state: z.enum(['running', 'done']),
  run_id: z.string(),
  dataset: z.string(),
  done: z.number().optional(),
  total: z.number().optional(),
  seconds_left: z.number().optional(),
  run: z.string().optional().describe('Name of the kept run, for compare.'),
  queries: z.number().optional(),
  parts: z.number().optional(),
  ranker: z.string().optional(),
  corpus: z.string().optional(),
  measures: z
    .array(z.strictObject({ measure: z.string(), mean: z.number(), ...estimate }))
    .optional()
    .describe('Mean over parts with its 95% interval, as shares of 1.'),
  latency_ms: z.strictObject({ p50: z.number(), p95: z.number() }).optional(),
  tokens_per_answer: z.number().optional(),
  comparison: comparison.optional(),
  findings: z
    .array(z.strictObject({ kind: z.string(), card: z.string(), message: z.string(), remedy: z.string() }))
    .optional()
    .describe('What keeps cards of the index from being found, worst first.'),
  findingCount: z.number().optional(),
  notes: z.array(z.string()).optional(),
  report: z.string().optional().describe('Resource with the report, HTML.'),
  next: z.string(),
})
