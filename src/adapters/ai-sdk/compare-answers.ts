import { z } from 'zod'
import { maskSecrets } from '../../domain/secrets.ts'
import { excerpt } from '../../probing/judges/excerpt.ts'
import type { Task } from '../../probing/ports.ts'
import { askForObject } from './ask-for-object.ts'
import { type MakeCode, randomCode } from './fenced-data.ts'
import { comparingPrompt, comparingSystem } from './judge-prompt.ts'
import { checkedModel, type LanguageModelSettings, languageModel } from './language-model.ts'

/** Which of two answers is better, or why that cannot be told. */
export type Comparison =
  | { readonly winner: 'a' | 'b' | 'tie'; readonly reason: string }
  | { readonly refusal: string }

const shape = z.object({ reasoning: z.string(), better: z.enum(['first', 'second', 'tie']) })

/**
 * Compares answers by a model. Each pair is judged in both orders, since models favour a place: an answer wins when it is preferred in
 * both, or in one while the other is a tie; when the orders disagree it is a tie.
 *
 * @throws LanguageModelError at once when the setting names no model
 */
export function answerComparer(
  settings: LanguageModelSettings,
  { makeCode = randomCode }: { readonly makeCode?: MakeCode } = {},
) {
  checkedModel(settings)
  return {
    name: `llm:${settings.spec}`,
    async compareAnswers(task: Task, a: string, b: string, signal?: AbortSignal): Promise<Comparison> {
      try {
        const model = await languageModel(settings)
        const preferred = async (pair: readonly [string, string]) => {
          const code = makeCode()
          const system = comparingSystem(code)
          return askForObject(model, {
            system,
            prompt: comparingPrompt(task, pair, code),
            schema: shape,
            ...(signal ? { signal } : {}),
          })
        }
        const [usual, swapped] = [await preferred([a, b]), await preferred([b, a])]
        if (usual === null || swapped === null)
          return { refusal: `${settings.spec} gave no verdict that could be used.` }
        const votes = { first: 1, second: -1, tie: 0 }
        const balance = votes[usual.better] - votes[swapped.better]
        const winner = balance > 0 ? 'a' : balance < 0 ? 'b' : 'tie'
        const disagreed = usual.better !== 'tie' && usual.better === swapped.better
        const said = excerpt(usual.reasoning, 500).slice(1, -1)
        return {
          winner,
          reason: disagreed ? `The model preferred the ${usual.better} place in both orders. ${said}` : said,
        }
      } catch (cause) {
        signal?.throwIfAborted()
        const told = maskSecrets(cause instanceof Error ? cause.message : String(cause), [settings.key ?? ''])
        return { refusal: `${settings.spec} could not be asked: ${excerpt(told, 300).slice(1, -1)}` }
      }
    },
  }
}
