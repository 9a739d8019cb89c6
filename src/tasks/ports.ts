import type { Tokens } from '../domain/tokens.ts'
import type { Card } from '../domain/card.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Reference, Task } from '../probing/ports.ts'

/** What may be asked of who writes tasks, and what comes back. Cards are data, and never obeyed. */
export type Questions = {
  /** A task that the target can do and that tells it from the others. `turn` counts what is written for the target, from 0. */
  readonly write: {
    readonly asked: {
      readonly target: Card
      readonly others: readonly Card[]
      readonly turn: number
      /** What it is to be part of. */
      readonly job?: string
    }
    readonly answer: WrittenTask
  }
  /** Whether a task holds all that is needed to do it. */
  readonly selfContained: {
    readonly asked: { readonly task: string }
    readonly answer: { readonly isSelfContained: boolean; readonly missing: string }
  }
  /** The task once more, without a fault. */
  readonly rewrite: {
    readonly asked: { readonly target: Card; readonly task: string; readonly fault: string }
    readonly answer: WrittenTask
  }
  /** Arguments by which a tool would be called for the task. */
  readonly call: {
    readonly asked: { readonly tool: Card; readonly task: string }
    readonly answer: { readonly arguments: JsonObject }
  }
  /** One request that asks for all parts. */
  readonly merge: {
    readonly asked: { readonly parts: readonly string[] }
    readonly answer: { readonly task: string }
  }
  /** Whether who does what is asked surely does the part too. */
  readonly entails: {
    readonly asked: { readonly task: string; readonly part: string }
    readonly answer: { readonly isEntailed: boolean }
  }
  /** The goal behind several tasks, and five things that a good answer to it has. */
  readonly goal: {
    readonly asked: { readonly tasks: readonly string[]; readonly targets: readonly Card[] }
    readonly answer: { readonly goal: string; readonly criteria: readonly string[] }
  }
  /** Which of the criteria a task asks for, one answer each. */
  readonly meets: {
    readonly asked: { readonly task: string; readonly target: Card; readonly criteria: readonly string[] }
    readonly answer: { readonly meets: readonly boolean[] }
  }
  /** `Given a ... task, retrieve tools that ...`: written with the targets in view. */
  readonly instruction: {
    readonly asked: {
      readonly task: string
      readonly targets: readonly Card[]
      /** What was wrong with the one before. */
      readonly fault?: string
    }
    readonly answer: { readonly instruction: string }
  }
}

export type QuestionKind = keyof Questions

/** A task as it was written. */
export type WrittenTask = {
  readonly task: string
  readonly arguments?: JsonObject | undefined
  /** The known answer, in words. */
  readonly expect?: string | undefined
  /** The same, to be checked without a model. */
  readonly reference?: Reference | undefined
}

/** Who writes and judges tasks. */
export type TaskWriter = {
  /** The model as AUDITION_LLM names it, or `templates`. */
  readonly name: string
  /** Where texts of cards go; null: they stay on this machine. */
  readonly host: string | null
  /**
   * @returns null where the answer cannot be used, and then what was said in its place
   * @throws RemedyError when it cannot be asked
   */
  ask<Kind extends QuestionKind>(
    kind: Kind,
    asked: Questions[Kind]['asked'],
    signal: AbortSignal,
  ): Promise<{
    readonly answer: Questions[Kind]['answer'] | null
    readonly tokens: Tokens
    readonly said?: string
  }>
  /** US dollars; undefined where nobody stated the price. */
  costOf(tokens: Tokens): number | undefined
}

/** Texts to unit vectors, and readings of them where a reader is at hand. */
export type TextVectors = {
  /** What made them, for the report. */
  readonly by: string
  of(texts: readonly string[]): Promise<readonly Float32Array[]>
}

/** What came of running a candidate on a task; null when it was not run or could not be judged. */
export type Solved = boolean | null

/** What tasks are made over. */
export type TaskGround = {
  /** All that is searched, by id. */
  readonly cards: ReadonlyMap<string, Card>
  readonly writer: TaskWriter
  /** Ids of the cards that search finds, best first. */
  readonly search: (kind: Card['kind'], text: string, most: number) => Promise<readonly string[]>
  readonly vectors: TextVectors
  /** The built-in reader's view of texts. */
  readonly readings: TextVectors
  /** Runs a candidate on a task; absent: nothing is run. */
  readonly execute?: (card: Card, task: Task) => Promise<Solved>
  /** What was paid for before, by key. */
  readonly kept: KeptAnswers
}

/** Answers that were paid for, so that they are not paid for again. */
export type KeptAnswers = {
  find(key: string): unknown
  /** Keeps it at once, whatever becomes of this process. */
  keep(key: string, value: unknown): void
}
