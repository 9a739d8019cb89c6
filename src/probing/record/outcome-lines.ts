import { z } from 'zod'
import { type Outcome, useEndings } from '../../domain/outcome.ts'

const judge = z.string().min(1)

const outcomeSchema = z.strictObject({
  id: z.string().min(1).max(200),
  card: z.string().regex(/^[^/]+\/./s, 'an id of a card, source/name'),
  cardHash: z.string(),
  kind: z.enum(['tool', 'agent']),
  task: z.string(),
  time: z.iso.datetime({ offset: true, error: 'a time as 2026-03-01T10:00:00Z' }),
  origin: z.enum(['probe', 'run', 'imported', 'use']),
  use: z.enum(useEndings).optional(),
  executor: z
    .string()
    .min(1)
    .refine((name) => !name.startsWith('simulated-'), 'what was only simulated is no part of the record'),
  model: z.string().min(1).optional(),
  ending: z.enum(['answered', 'failed', 'limit', 'cancelled']),
  verdict: z
    .union([
      z.strictObject({
        grade: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]),
        reason: z.string(),
        judge,
      }),
      z.strictObject({ refusal: z.string(), judge }),
    ])
    .nullable(),
  seconds: z.number().min(0),
  tokens: z.number().min(0).nullable(),
  cost: z.number().min(0).nullable(),
}) satisfies z.ZodType<Outcome>

/** A line that holds no outcome. */
export type BadLine = { readonly line: number; readonly message: string }

/** An outcome as one line of JSON, without its end. */
export const outcomeLine = (outcome: Outcome): string => JSON.stringify(outcome)

/** Reads outcomes, one JSON object a line; blank lines are passed over, bad ones told by number and field, and the rest is taken. */
export function readOutcomeLines(text: string): {
  readonly outcomes: readonly Outcome[]
  readonly problems: readonly BadLine[]
} {
  const outcomes: Outcome[] = []
  const problems: BadLine[] = []
  for (const [at, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue
    const read = outcomeOf(line)
    if (typeof read === 'string') problems.push({ line: at + 1, message: read })
    else outcomes.push(read)
  }
  return { outcomes, problems }
}

/** @returns what is wrong, when it is none */
function outcomeOf(line: string): Outcome | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'not complete JSON'
  }
  const { success, data, error } = outcomeSchema.safeParse(value)
  if (success) return data
  const [issue] = error.issues
  const field = issue?.path.map(String).join('.') ?? ''
  return field === '' ? `not an outcome: ${issue?.message}` : `"${field}": ${issue?.message}`
}
