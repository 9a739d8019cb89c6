import { beginningOf } from '../domain/text/cut.ts'
import { createHash } from 'node:crypto'
import type { Tokens } from '../domain/tokens.ts'
import { boundsOf } from '../domain/bounds.ts'
import type { JsonValue } from '../domain/json.ts'
import { errorText } from '../domain/remedy-error.ts'
import { maskedJson } from '../domain/text/masked-json.ts'
import { countOf } from '../domain/text/count-of.ts'
import { printableLine } from '../domain/text/printable.ts'
import { maskSecrets, maskTokens } from '../domain/text/secrets.ts'
import { LanguageModelError } from '../evaluation/evaluation-settings.ts'
import type { Budget } from '../probing/budget.ts'
import type { KeptAnswers, QuestionKind, Questions, TaskWriter } from './ports.ts'

/** What making tasks will about take. */
export type TaskEstimate = {
  readonly model: string
  readonly host: string
  readonly questions: number
  /** Both ways. */
  readonly tokens: number
  /** US dollars, where the settings state the model's price. */
  readonly cost?: number
}

/** More than this is not asked, whatever the writer answers: twice what was announced. */
export const mostOf = ({ questions, tokens }: TaskEstimate) => ({
  questions: 2 * questions,
  tokens: 2 * tokens,
})

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
  /** What was agreed to: no more than its bound is asked. @defaultValue no bound */
  readonly agreed?: TaskEstimate | undefined
  readonly signal: AbortSignal
  /** Milliseconds of a clock that never runs backwards. */
  readonly now: () => number
}

/** So many failures in a row of one kind of question say that the writer cannot be asked. */
const mostFailures = 5
/** So many useless answers in a row to one kind of question say that the model cannot do it. */
const mostUseless = 8
/** Letters of a useless answer that are told. */
const mostQuoted = 100

const isSpent = 'the budget is spent: --budget or settings.yaml gives more'

/** Asks the writer within the budget; what was answered before is not asked again. Whoever opens it closes it. */
export function openDesk({ writer, kept, budget, agreed, signal, now }: Asking) {
  const started = now()
  const bounds = boundsOf({ callers: [signal], seconds: budget.seconds })
  const account = openAccount({ writer, budget, agreed })
  const heed = uselessCounter()
  const failures = new Map<QuestionKind, number>()
  let keptBefore = 0
  const requireTime = (): void => {
    signal.throwIfAborted()
    if (bounds.signal.aborted) throw new NoMoreAnswers(isSpent)
  }

  return {
    /** @returns null where the answer cannot be used. @throws NoMoreAnswers; what the signal was aborted with */
    async ask<Kind extends QuestionKind>(
      kind: Kind,
      asked: Questions[Kind]['asked'],
    ): Promise<Questions[Kind]['answer'] | null> {
      signal.throwIfAborted()
      if (writer.host === null) return masked((await writer.ask(kind, asked, signal)).answer)
      const key = keyOf(writer.name, kind, asked)
      const known = kept.find(key) ?? null // files of before hold useless answers, too
      if (known !== null) {
        keptBefore += 1
        return masked(known as Questions[Kind]['answer'])
      }
      requireTime()
      const settle = account.hold()
      let tokens: Tokens | null = null
      let isAnswer = false
      try {
        const given = await bounds.orStopped(writer.ask(kind, asked, bounds.signal))
        tokens = given.tokens
        isAnswer = true
        failures.delete(kind)
        const answer = masked(given.answer)
        if (answer !== null) kept.keep(key, answer)
        heed(kind, answer, given.said)
        return answer
      } catch (error) {
        if (error instanceof NoMoreAnswers) throw error
        if (error instanceof LanguageModelError) tokens = error.tokens ?? null
        requireTime()
        const inRow = (failures.get(kind) ?? 0) + 1
        failures.set(kind, inRow)
        if (inRow >= mostFailures) throw new NoMoreAnswers(errorText(error), { cause: error })
        return null
      } finally {
        settle(tokens, isAnswer)
      }
    },
    close: () => bounds.release(),
    spent(): AskedOfWriter {
      const { answers, tokens } = account.used()
      const cost = writer.costOf(tokens)
      const seconds = (now() - started) / 1000
      return { answers, kept: keptBefore, tokens, seconds, ...(cost === undefined ? {} : { cost }) }
    },
  }
}

/** Keeps count of what was asked, of what that took, and of what is held for answers under way. */
function openAccount({ writer, budget, agreed }: Pick<Asking, 'writer' | 'budget' | 'agreed'>) {
  const bound = agreed === undefined ? null : mostOf(agreed)
  const used = { asked: 0, answers: 0, input: 0, output: 0, held: 0 }
  /** What one more answer may take: as much as the largest so far. */
  let largest = 1000
  const requireRoom = (): void => {
    const tokens = used.input + used.output + used.held + largest
    const cost = writer.costOf({ input: used.input + used.held + largest, output: used.output }) ?? 0
    const isOver =
      (budget.tokens !== null && tokens > budget.tokens) || (budget.cost !== null && cost > budget.cost)
    if (isOver) throw new NoMoreAnswers(isSpent)
    if (bound !== null && (used.asked >= bound.questions || tokens > bound.tokens))
      throw new NoMoreAnswers(
        `what was agreed to is used up: at most ${countOf(bound.questions, 'question')} of ${countOf(bound.tokens, 'token')}`,
      )
  }
  return {
    /** Holds room for one answer. @returns what gives it back, told what was taken. @throws NoMoreAnswers */
    hold(): (tokens: Tokens | null, isAnswer: boolean) => void {
      requireRoom()
      const held = largest
      used.held += held
      used.asked += 1
      return (tokens, isAnswer) => {
        used.held -= held
        if (isAnswer) used.answers += 1
        if (tokens === null) return
        used.input += tokens.input
        used.output += tokens.output
        largest = Math.max(largest, tokens.input + tokens.output)
      }
    },
    used: () => ({ answers: used.answers, tokens: { input: used.input, output: used.output } }),
  }
}

/** @throws NoMoreAnswers when one kind of question got too many useless answers in a row */
function uselessCounter() {
  const inRow = new Map<QuestionKind, number>()
  return (kind: QuestionKind, answer: unknown, said = ''): void => {
    const times = answer === null ? (inRow.get(kind) ?? 0) + 1 : 0
    inRow.set(kind, times)
    if (times < mostUseless) return
    const beginning = beginningOf(printableLine(maskSecrets(said)), mostQuoted)
    throw new NoMoreAnswers(
      `the model gave nothing that can be used ${times} times in a row; the last began: "${beginning}"`,
    )
  }
}

/** What shows by its shape that it is a secret is neither kept nor written. */
const masked = <Answer>(answer: Answer): Answer =>
  maskedJson(answer as unknown as JsonValue, maskTokens) as unknown as Answer

/** A key of what decides an answer. */
export const keyOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
