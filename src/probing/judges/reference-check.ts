import type { Execution, Reference } from '../ports.ts'

/** The five points of AgentSearchBench; {@link Verdict} says what each means. */
export type Grade = 1 | 2 | 3 | 4 | 5

/** What a check finds: a grade, or why the reference cannot be used. Reasons are fit for people. */
export type Finding = { readonly grade: Grade; readonly reason: string } | { readonly refusal: string }

/** What was answered, and what was asked. */
export type Judged = {
  /** The answer's text; what is structured is written as JSON where there is no text. Never empty. */
  readonly text: string
  readonly structured: Execution['structured']
  /** The task's text, for telling numbers of the question from numbers of the answer. */
  readonly task: string
}

/**
 * Compares an answer with references of one kind. One rule for all kinds: the whole right answer is 5, no part of it is 1,
 * and 2 to 4 are given only when some of it is there.
 */
export type ReferenceCheck<Kind extends Reference['kind']> = (
  reference: Extract<Reference, { readonly kind: Kind }>,
  answer: Judged,
) => Finding
