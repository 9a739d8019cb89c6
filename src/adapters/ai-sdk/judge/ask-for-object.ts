import { generateText, NoObjectGeneratedError, NoOutputGeneratedError, Output } from 'ai'
import type { z } from 'zod'
import { maskSecrets } from '../../../domain/text/secrets.ts'
import { LanguageModelError } from '../../../evaluation/evaluation-settings.ts'
import { languageModel, type LanguageModelSettings } from '../models/language-model.ts'
import type { OpenModel } from '../models/providers.ts'

/** What a model is asked, and the shape its answer must have. */
export type ObjectQuestion<Answer> = {
  readonly system: string
  readonly prompt: string
  /** Every field required, and no bounds: strict services refuse others. */
  readonly schema: z.ZodType<Answer>
  /** Reads an answer that does not fit the schema. @defaultValue takes an object alone, as {@link objectIn} */
  readonly read?: (text: string) => Answer | null
  readonly signal?: AbortSignal | undefined
}

/** Reasoning models think at length before they answer. */
const mostTokens = 16_000

/**
 * Asks for one JSON object. Thinking in front of it and one code fence around it are taken off; unless the question reads more,
 * anything else beside the object makes the answer unusable, so that an object which the model merely quotes is never taken for its
 * own. Then it is asked once more.
 *
 * @returns null when the second answer cannot be used either
 * @throws what the provider threw
 */
export async function askForObject<Answer>(
  model: OpenModel,
  question: ObjectQuestion<Answer>,
): Promise<Answer | null> {
  const prompt = `${question.prompt}\n\nAnswer with the JSON object alone: no other words before or after it.`
  return (await ask(model, question)) ?? ask(model, { ...question, prompt })
}

async function ask<Answer>(
  model: OpenModel,
  { system, prompt, schema, read = (text) => objectIn(text, schema), signal }: ObjectQuestion<Answer>,
): Promise<Answer | null> {
  try {
    const { output } = await generateText({
      model,
      system,
      prompt,
      output: Output.object({ schema }),
      maxOutputTokens: mostTokens,
      maxRetries: 2,
      ...(signal ? { abortSignal: signal } : {}),
    })
    return output
  } catch (cause) {
    if (NoObjectGeneratedError.isInstance(cause)) return read(cause.text ?? '')
    if (NoOutputGeneratedError.isInstance(cause)) return null
    throw cause
  }
}

/** The object that a text is, but for thinking before it and a fence around it; null for anything else. */
export function objectIn<Answer>(text: string, schema: z.ZodType<Answer>): Answer | null {
  const spoken = withoutThinking(text)
  const unfenced = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/i.exec(spoken)?.[1] ?? spoken
  try {
    const read = schema.safeParse(JSON.parse(unfenced))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

/** What a model says after it thought. */
export const withoutThinking = (text: string): string =>
  text.replace(/^[\s\S]*<\/(?:think|thinking|thought|reasoning)>/i, '').trim()

/** The same with words around it, in a fence or not: the one object that fits; null where two differ, since one may be quoted. */
export function objectAmong<Answer>(text: string, schema: z.ZodType<Answer>): Answer | null {
  const alone = objectIn(text, schema)
  if (alone !== null) return alone
  const fitting = objectsIn(withoutThinking(text)).flatMap((part) => objectIn(part, schema) ?? [])
  const [first = null, ...others] = fitting
  return others.every((other) => JSON.stringify(other) === JSON.stringify(first)) ? first : null
}

/** Stretches from a brace to the one that closes it. */
function objectsIn(text: string): readonly string[] {
  const found: string[] = []
  let [depth, start, isQuoted] = [0, 0, false]
  for (const { 0: mark, index } of text.matchAll(/\\[^\n]|["{}\n]/g)) {
    if (mark === '"') isQuoted = depth > 0 && !isQuoted
    else if (mark === '\n') isQuoted = false
    else if (!isQuoted && mark === '{') {
      if (depth === 0) start = index
      depth += 1
    } else if (!isQuoted && mark === '}' && depth > 0) {
      depth -= 1
      if (depth === 0) found.push(text.slice(start, index + 1))
    }
  }
  return found
}

/**
 * Asks the configured model as {@link askForObject} does, and says so where it cannot be asked.
 *
 * @throws LanguageModelError; what the signal was aborted with
 */
export async function askConfigured<Answer>(
  settings: LanguageModelSettings,
  question: ObjectQuestion<Answer>,
): Promise<Answer | null> {
  try {
    return await askForObject(await languageModel(settings), question)
  } catch (cause) {
    question.signal?.throwIfAborted()
    if (cause instanceof LanguageModelError) throw cause
    const reason = maskSecrets(cause instanceof Error ? cause.message : String(cause), [settings.key ?? ''])
    throw new LanguageModelError(
      `${settings.spec} could not be asked: ${reason}`,
      'Check AUDITION_LLM and AUDITION_LLM_KEY, and that the endpoint runs.',
      { cause },
    )
  }
}
