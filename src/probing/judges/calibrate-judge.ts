import { z } from 'zod'
import type { Verdict } from '../../domain/outcome.ts'
import type { Execution, Judge, Task } from '../ports.ts'
import { type Agreement, agreementOf } from './agreement.ts'
import type { Grade } from './reference-check.ts'

/** An answer that somebody graded. */
export type LabelledAnswer = { readonly task: Task; readonly answer: string; readonly grade: Grade }

/** A file of labelled answers cannot be used. The message says which line and what to do. */
export class CalibrationError extends Error {
  override readonly name = 'CalibrationError'
}

const line = z.object({
  task: z.string().min(1),
  answer: z.string(),
  grade: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]),
  golden: z.string().optional(),
})

/**
 * Reads JSON lines `{"task": "...", "answer": "...", "grade": 1..5}`, with a `golden` answer where there is one. Blank lines are skipped.
 *
 * @param file - its name, for errors
 * @throws CalibrationError that names file, line and field
 */
export function readLabelledAnswers(text: string, file: string): readonly LabelledAnswer[] {
  const labelled = text.split('\n').flatMap((written, index) => {
    if (written.trim() === '') return []
    const where = `${file}, line ${index + 1}`
    const read = line.safeParse(parsed(written, where))
    if (!read.success) {
      const [issue] = read.error.issues
      throw new CalibrationError(
        `${where}, ${issue?.path.join('.') || 'line'}: ${issue?.message}. Write {"task": "...", "answer": "...", "grade": 1 to 5}.`,
      )
    }
    const { task, answer, grade, golden } = read.data
    return [{ task: { text: task, ...(golden === undefined ? {} : { golden }) }, answer, grade }]
  })
  if (labelled.length > 0) return labelled
  throw new CalibrationError(
    `${file} holds no labelled answers. Write one {"task", "answer", "grade"} per line.`,
  )
}

function parsed(written: string, where: string): unknown {
  try {
    return JSON.parse(written)
  } catch (cause) {
    throw new CalibrationError(`${where} is no JSON. Write one object per line.`, { cause })
  }
}

/** What a calibration found: the agreement, and each answer where judge and label differ most, worst first. */
export type Calibration = Agreement & {
  readonly judge: string
  readonly misses: readonly { readonly labelled: LabelledAnswer; readonly verdict: Verdict }[]
}

/**
 * Has a judge grade labelled answers, one after the other, and compares. With a model this costs money.
 *
 * @param onProgress - called with the number of answers judged so far
 */
export async function calibrateJudge(
  judge: Judge,
  labelled: readonly LabelledAnswer[],
  {
    signal,
    onProgress,
  }: { readonly signal?: AbortSignal; readonly onProgress?: (done: number) => void } = {},
): Promise<Calibration> {
  const verdicts: Verdict[] = []
  for (const { task, answer } of labelled) {
    signal?.throwIfAborted()
    verdicts.push(await judge.judge(task, executionOf(answer), signal))
    onProgress?.(verdicts.length)
  }
  const distance = (index: number): number => {
    const verdict = verdicts[index]!
    return 'grade' in verdict ? Math.abs(verdict.grade - labelled[index]!.grade) : 0
  }
  const misses = labelled
    .map((_, index) => index)
    .filter((index) => distance(index) > 0)
    .sort((left, right) => distance(right) - distance(left) || left - right)
    .map((index) => ({ labelled: labelled[index]!, verdict: verdicts[index]! }))
  return {
    judge: judge.name,
    ...agreementOf(
      verdicts,
      labelled.map(({ grade }) => grade),
    ),
    misses,
  }
}

const executionOf = (answer: string): Execution => ({
  ending: 'answered',
  answer,
  failure: null,
  transcript: [],
  seconds: 0,
  outputBytes: Buffer.byteLength(answer),
  tokens: null,
  cost: null,
})
