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

/** Reads outcomes as {@link readJsonLines} does. */
export function readOutcomeLines(text: string): {
  readonly outcomes: readonly Outcome[]
  readonly problems: readonly BadLine[]
} {
  const { items, problems } = readJsonLines(text, outcomeSchema, 'not an outcome')
  return { outcomes: items.map(({ item }) => item), problems }
}

/**
 * Reads one JSON object a line: blank lines are passed over, bad ones told by number and field, and the rest is taken.
 *
 * @param none - says of an object that it is none of these
 */
export function readJsonLines<Item>(
  text: string,
  schema: z.ZodType<Item>,
  none: string,
): {
  readonly items: readonly { readonly item: Item; readonly line: number }[]
  readonly problems: readonly BadLine[]
} {
  const items: { item: Item; line: number }[] = []
  const problems: BadLine[] = []
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  for (const [at, written] of lines.entries()) {
    if (written.trim() === '') continue
    const line = at + 1
    const value = jsonIn(written)
    if (value === undefined) {
      problems.push({ line, message: 'not complete JSON' })
      continue
    }
    const { success, data, error } = schema.safeParse(value)
    if (success) {
      items.push({ item: data, line })
      continue
    }
    const [issue] = error.issues
    const field = issue?.path.map(String).join('.') ?? ''
    problems.push({
      line,
      message: field === '' ? `${none}: ${issue?.message}` : `"${field}": ${issue?.message}`,
    })
  }
  return { items, problems }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
