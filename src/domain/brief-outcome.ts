import { type Ending, gradeOf, type Outcome, successGrade } from './outcome.ts'

/** How it ended; of uses an answer with nothing in it is told from others. */
export type BriefEnding = Ending | 'empty'

/** What a summary needs of an outcome. */
export type BriefOutcome = Pick<Outcome, 'id' | 'card' | 'task' | 'seconds'> & {
  readonly ending: BriefEnding
  /** Milliseconds since 1970. */
  readonly time: number
  /** It is a use: kept apart. @defaultValue false */
  readonly isUse?: boolean
  /** Of its verdict, 1..5; null without one. */
  readonly grade: number | null
}

export function briefOutcome({
  id,
  card,
  task,
  seconds,
  verdict,
  origin,
  time,
  ...ended
}: Outcome): BriefOutcome {
  return {
    ...{ id, card, task, seconds, ending: briefEnding(ended), isUse: origin === 'use' },
    ...{ time: Date.parse(time), grade: gradeOf(verdict) },
  }
}

export const briefEnding = ({ use, ending }: Pick<Outcome, 'use' | 'ending'>): BriefEnding =>
  use === 'empty' ? 'empty' : ending

/**
 * Whether an outcome is a success: by its grade, or a failure because nothing came of it. Undefined: it says neither, as
 * an answer that nobody graded, or a run that was stopped by its caller.
 */
export function succeeded({ grade, ending }: Pick<BriefOutcome, 'grade' | 'ending'>): boolean | undefined {
  if (grade !== null) return grade >= successGrade
  return ending === 'failed' || ending === 'limit' ? false : undefined
}
