import { z } from 'zod'
import { type BadLine, readJsonLines } from '../record/outcome-lines.ts'
import type { Reference, Task, Execution } from '../ports.ts'
import type { Grade } from './reference-check.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'

const word = z.string().min(1)
const tolerance = z.number().min(0).exactOptional()
const jsonValue: z.ZodType<JsonValue> = z.json()
const jsonObject = z.custom<JsonObject>(isJsonObject, 'a JSON object')

const kinds = [
  z.strictObject({ kind: z.literal('exact'), text: word }),
  z.strictObject({ kind: z.literal('states'), text: word }),
  z.strictObject({ kind: z.literal('number'), value: z.number(), tolerance }),
  z.strictObject({ kind: z.literal('pattern'), regex: word, flags: z.string().exactOptional() }),
  z.strictObject({ kind: z.literal('json-schema'), schema: jsonObject }),
  z.strictObject({ kind: z.literal('json-path'), path: word, value: jsonValue, tolerance }),
  z.strictObject({ kind: z.literal('set'), items: z.array(word).min(1) }),
] as const

/** A reference as it is written in files. */
export const referenceSchema: z.ZodType<Reference> = z.discriminatedUnion('kind', kinds, {
  error: `an object such as {"kind": "states", "text": "42.5"}, of a kind ${kinds.map(({ shape }) => shape.kind.value).join(', ')}`,
})

/** An answer that somebody graded. */
export type LabelledAnswer = {
  readonly task: Task
  readonly answer: string
  readonly grade: Grade
  /** Where it stands in its file, counted from 1. */
  readonly line: number
}

const grades = [1, 2, 3, 4, 5] as const

const labelled = z.object({
  task: z.string().trim().min(1, 'a task in words'),
  answer: z.string(),
  grade: z.literal(grades, { error: 'a whole number from 1 to 5' }),
  reference: referenceSchema.exactOptional(),
  golden: z.string().min(1).exactOptional(),
})

/**
 * Reads `{"task": "...", "answer": "...", "grade": 1..5}`, with a `reference` or a `golden` answer where there is one, as
 * {@link readJsonLines} does. Further fields are passed over.
 */
export function readLabelledAnswers(text: string): {
  readonly answers: readonly LabelledAnswer[]
  readonly problems: readonly BadLine[]
} {
  const { items, problems } = readJsonLines(text, labelled, 'no labelled answer')
  const answers = items.map(({ item: { task, golden, reference, ...rest }, line }) => ({
    ...rest,
    task: {
      text: task,
      ...(golden === undefined ? {} : { golden }),
      ...(reference === undefined ? {} : { reference }),
    },
    line,
  }))
  return { answers, problems }
}

/** An answer that nobody ran for, as judges take it. */
export const executionOfAnswer = (answer: string): Execution => ({
  ending: 'answered',
  answer,
  failure: null,
  transcript: [],
  seconds: 0,
  outputBytes: Buffer.byteLength(answer),
  tokens: null,
  cost: null,
})
