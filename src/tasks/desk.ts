import { createHash } from 'node:crypto'
import type { Budget } from '../probing/run/budget.ts'
import { toldOf } from '../domain/remedy-error.ts'
import { LanguageModelError } from '../evaluation/evaluation-settings.ts'
import type { KeptAnswers, QuestionKind, Questions, TaskWriter, Tokens } from './ports.ts'

/** What the writer was asked, and what that took. */
export type AskedOfWriter = {
  /** Answers that were paid for now, and those that were kept of an earlier run. */
  readonly answers: number
  readonly kept: number
  readonly tokens: Tokens
  /** US dollars; absent where nobody stated the price. */
  readonly cost?: number
  readonly seconds: number
}

/** No more is asked: the budget is spent, or the writer cannot be asked. */
export class NoMoreAnswers extends Error {
  override readonly name = 'NoMoreAnswers'
}

type Asking = {
  readonly writer: TaskWriter
  readonly kept: KeptAnswers
  readonly budget: Budget
  readonly signal: AbortSignal
  /** Milliseconds of a clock that never runs backwards. */
  readonly now: () => number
}

/** So many failures in a row say that the writer cannot be asked. */
const mostFailures = 5

/** Asks the writer within the budget; what was answered before is not asked again. */
export function openDesk({ writer, kept, budget, signal, now }: Asking) {
  const started = now()
  const used = { answers: 0, kept: 0, input: 0, output: 0, held: 0 }
  let inRow = 0
  const costOf = (tokens: Tokens): number => writer.costOf(tokens) ?? 0

  /** What one more answer may take: as much as the largest so far. */
  let largest = 1000
  const count = ({ input, output }: Tokens): void => {
    used.input += input
    used.output += output
    largest = Math.max(largest, input + output)
  }
  const requireRoom = (): void => {
    const tokens = used.input + used.output + used.held + largest
    const cost = costOf({ input: used.input + used.held + largest, output: used.output })
    const isOver =
      (budget.tokens !== null && tokens > budget.tokens) ||
      (budget.cost !== null && cost > budget.cost) ||
      (budget.seconds !== null && (now() - started) / 1000 > budget.seconds)
    if (isOver) throw new NoMoreAnswers('the budget is spent: --budget or settings.yaml gives more')
  }

  return {
    /** @returns null where the answer cannot be used. @throws NoMoreAnswers; what the signal was aborted with */
    async ask<Kind extends QuestionKind>(
      kind: Kind,
      asked: Questions[Kind]['asked'],
    ): Promise<Questions[Kind]['answer'] | null> {
      type Answer = Questions[Kind]['answer'] | null
      signal.throwIfAborted()
      if (writer.host === null) return (await writer.ask(kind, asked, signal)).answer
      const key = keyOf(writer.name, kind, asked)
      const known = kept.find(key)
      if (known !== undefined) {
        used.kept += 1
        return known as Answer
      }
      requireRoom()
      const held = largest
      used.held += held
      try {
        const { answer, tokens } = await writer.ask(kind, asked, signal)
        inRow = 0
        used.answers += 1
        count(tokens)
        kept.keep(key, answer)
        return answer
      } catch (error) {
        if (error instanceof LanguageModelError && error.tokens !== undefined) count(error.tokens)
        signal.throwIfAborted()
        inRow += 1
        if (inRow >= mostFailures) throw new NoMoreAnswers(toldOf(error), { cause: error })
        return null
      } finally {
        used.held -= held
      }
    },
    spent(): AskedOfWriter {
      const tokens = { input: used.input, output: used.output }
      const cost = writer.costOf(tokens)
      const { answers } = used
      const seconds = (now() - started) / 1000
      return { answers, kept: used.kept, tokens, seconds, ...(cost === undefined ? {} : { cost }) }
    },
  }
}

/** A key of what decides an answer. */
export const keyOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
