import type { CardKind } from './card.ts'

/** How an execution ended. */
export type Ending =
  | 'answered'
  /** The agent said that it failed, crashed, or spoke no protocol of ours. */
  | 'failed'
  /** It was stopped at a limit: seconds, bytes of output, tokens, steps or money. */
  | 'limit'
  /** The caller stopped it. */
  | 'cancelled'

/** The endings of {@link UseEnding}. */
export const useEndings = ['worked', 'empty', 'failed', 'arguments', 'timeout', 'refused', 'unknown'] as const

/**
 * What became of a use: a call or a run for a caller, which nobody judged. `worked`: it gave something. `empty`:
 * it answered, and there was nothing in it. `failed` by the tool or agent itself, `arguments` by what the caller gave, `timeout`: it took
 * too long. `refused` by the user's settings, because it changed or since it asked for what is not passed on, `unknown` when calls beside it
 * may be why its server fell silent.
 */
export type UseEnding = (typeof useEndings)[number]

/** So many empty answers, and never another, are no accident. */
const enoughEmpty = 6

/**
 * Whether empty answers of a card count as answers: a search may rightly find nothing, and what never gave anything is broken. Null as long
 * as nobody can tell.
 */
export const doEmptiesCount = (uses: { readonly worked: number; readonly empty: number }): boolean | null =>
  uses.worked > 0 ? true : uses.empty >= enoughEmpty ? false : null

/** What a judge says of an answer: a grade, or why it gives none. */
export type Verdict =
  | {
      /** 1 absent or off-task, 2 misses the request, 3 partial, 4 meets it with minor faults, 5 fully meets it. */
      readonly grade: 1 | 2 | 3 | 4 | 5
      readonly reason: string
      readonly judge: string
    }
  | { readonly refusal: string; readonly judge: string }

/** The grade of a verdict; null where there is none. */
export const gradeOf = (verdict: Verdict | null): number | null =>
  verdict !== null && 'grade' in verdict ? verdict.grade : null

/** Why a judge gave its grade, or why none. */
export const reasonOf = (verdict: Verdict): string => ('grade' in verdict ? verdict.reason : verdict.refusal)

/** Whether a grade counts as success; none does not. */
export const isSuccess = (verdict: Verdict | null): boolean => (gradeOf(verdict) ?? 0) >= successGrade

/** A grade from here on counts as success (AgentSearchBench, section 7 of our digest: relevant iff score >= 4). */
export const successGrade = 4

/** What happened when a candidate was run on a task: one line of its track record. Never changed once written. */
export type Outcome = {
  /** UUID; an import of the same outcome twice is one outcome. */
  readonly id: string
  /** Id of the card, and hash of what the card said then. */
  readonly card: string
  readonly cardHash: string
  readonly kind: CardKind
  /** Empty in a use: what it was for is not kept. */
  readonly task: string
  /** ISO 8601, UTC. */
  readonly time: string
  readonly origin: 'probe' | 'run' | 'imported' | 'use'
  /** What became of a use; absent in what was no use. */
  readonly use?: UseEnding | undefined
  /** Name of the executor, for example `command` or `a2a`. */
  readonly executor: string
  /** The language model that it ran on, `provider/name`; absent where that is not known. */
  readonly model?: string | undefined
  readonly ending: Ending
  /** Null: executed, and not graded. */
  readonly verdict: Verdict | null
  /** Wall time of the execution, seconds >= 0. */
  readonly seconds: number
  /** Tokens of the models it used, both ways; null when unknown. */
  readonly tokens: number | null
  /** US dollars; null when unknown. */
  readonly cost: number | null
}

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
    id,
    card,
    task,
    seconds,
    ending: briefEnding(ended),
    isUse: origin === 'use',
    time: Date.parse(time),
    grade: gradeOf(verdict),
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
