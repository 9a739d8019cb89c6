import { generateText, type LanguageModelUsage, NoObjectGeneratedError, Output } from 'ai'
import { boundsOf } from '../../../domain/bounds.ts'
import { LanguageModelError } from '../../../evaluation/evaluation-settings.ts'
import { failuresOf } from '../../../retrieval/rank/service-failures.ts'
import { aboutTokens } from '../../../retrieval/rank/spending.ts'
import { codeOf } from '../../http/retrying-fetch.ts'
import type { MakeCode } from '../agents/fenced-data.ts'
import { checkedModel, languageModel, type LanguageModelSettings } from '../models/language-model.ts'
import { callError, isUnusableAnswer, tokensOfFailure } from '../models/model-failure.ts'
import { objectIn, type ObjectQuestion } from './ask-for-object.ts'

/** How a model that writes is reached. */
export type WriterSurroundings = {
  /** Sends requests, and sends again those that surely were not done. */
  readonly send: typeof globalThis.fetch
  /** US dollars; undefined where nobody stated the price. */
  readonly costOf: (tokens: Tokens) => number | undefined
  /** For one answer. @defaultValue 120 */
  readonly seconds?: number
  /** @defaultValue random */
  readonly makeCode?: MakeCode
}

type Tokens = { readonly input: number; readonly output: number }

/** Reasoning models think at length before they answer. */
const mostOutput = 4000

const failures = failuresOf({
  variable: 'AUDITION_LLM',
  less: 'take another model',
  make: (message, remedy, options) => new LanguageModelError(message, remedy, options),
})

/**
 * Asks for one object within a time.
 *
 * @returns null in place of an answer that has not the shape, and what was said; what it took, estimated where that is not told
 * @throws LanguageModelError when the model cannot be asked; what the caller's signal was aborted with
 */
export async function askWithin<Answer>(
  settings: LanguageModelSettings,
  question: Omit<ObjectQuestion<Answer>, 'signal'>,
  {
    send,
    seconds = 120,
    caller,
  }: Pick<WriterSurroundings, 'send' | 'seconds'> & { readonly caller: AbortSignal },
): Promise<{ readonly answer: Answer | null; readonly tokens: Tokens; readonly said?: string }> {
  const { host } = new URL(checkedModel(settings).baseUrl)
  const { system, prompt, schema, read = (text) => objectIn(text, schema) } = question
  const bounds = boundsOf({ callers: [caller], seconds })
  const tokensOf = (usage: Partial<LanguageModelUsage> | undefined, said = ''): Tokens => ({
    input: usage?.inputTokens ?? aboutTokens(system + prompt),
    output: usage?.outputTokens ?? aboutTokens(said),
  })
  try {
    const asked = generateText({
      model: await languageModel(settings, send),
      system,
      prompt,
      output: Output.object({ schema }),
      maxRetries: 0,
      maxOutputTokens: mostOutput,
      abortSignal: bounds.signal,
    })
    const { output, totalUsage } = await bounds.orStopped(asked)
    return { answer: output, tokens: tokensOf(totalUsage, JSON.stringify(output)) }
  } catch (error) {
    caller.throwIfAborted()
    if (NoObjectGeneratedError.isInstance(error)) {
      const said = error.text ?? ''
      return { answer: read(said), tokens: tokensOf(error.usage, said), said }
    }
    if (bounds.stoppedBy() === 'time') throw failures.ofTime(host, seconds)
    const call = callError(error)
    if (call?.statusCode !== undefined && call.statusCode >= 400)
      throw failures.ofStatus(host, call.statusCode)
    if (isUnusableAnswer(error)) {
      const failure = failures.ofAnswer(host, 'it is no whole answer of a language model')
      failure.tokens = tokensOfFailure(error)
      throw failure
    }
    throw failures.ofNetwork(host, codeOf(call ?? error), error)
  } finally {
    bounds.release()
  }
}
