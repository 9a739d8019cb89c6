import { generateText, NoObjectGeneratedError, Output } from 'ai'
import { z } from 'zod'
import { boundsOf } from '../../../domain/bounds.ts'
import type { Card } from '../../../domain/card.ts'
import { maskSecrets } from '../../../domain/text/secrets.ts'
import { LanguageModelError } from '../../../evaluation/evaluation-settings.ts'
import type { CardEnricher } from '../../../indexing/enrich-cards.ts'
import { failuresOf } from '../../../retrieval/rank/service-failures.ts'
import { aboutTokens } from '../../../retrieval/rank/spending.ts'
import { codeOf } from '../../http/retrying-fetch.ts'
import { aboutFences, cutToTokens, fencedData, type MakeCode, randomCode } from '../agents/fenced-data.ts'
import { checkedModel, languageModel, type LanguageModelSettings } from '../models/language-model.ts'
import { callError } from '../models/model-failure.ts'

/** How the model is reached. */
export type EnricherSurroundings = {
  /** Sends requests, and sends again those that surely were not done. */
  readonly send: typeof globalThis.fetch
  readonly costOf: CardEnricher['costOf']
  /** For one card. @defaultValue 120 */
  readonly seconds?: number
  /** @defaultValue random */
  readonly makeCode?: MakeCode
}

const answer = z.object({
  when_to_use: z.string(),
  example_request: z.string(),
  tags: z.array(z.string()).max(50),
})

const systemOf = (code: string): string =>
  'You write for a search engine what the card of a tool or an agent leaves out.\n' +
  `${aboutFences(code)}\n` +
  'Say only what the card shows: claim nothing that it may not do, and praise nothing.\n' +
  'Answer with JSON: {"when_to_use": one sentence that says for which tasks somebody would want it, in other words than the card\'s, ' +
  '"example_request": one request in a user\'s everyday words, "tags": three to six words for what it is about}. ' +
  'Write in the language of the card.'

/** Of a card that is shown, in tokens. */
const mostShown = 1000
/** Letters that are kept of what is written. */
const most = { whenToUse: 300, example: 200, tag: 40, tags: 8 } as const
/** Reasoning models think at length before they answer. */
const mostOutput = 4000
const usualOutput = 120

const failures = failuresOf({
  variable: 'AUDITION_LLM',
  less: 'take another model',
  make: (message, remedy, options) => new LanguageModelError(message, remedy, options),
})

/**
 * Has the configured model write of cards when to use them, a request and tags.
 *
 * @throws LanguageModelError at once when the setting names no model
 */
export function cardEnricher(
  settings: LanguageModelSettings,
  { send, costOf, seconds = 120, makeCode = randomCode }: EnricherSurroundings,
): CardEnricher {
  const { baseUrl } = checkedModel(settings)
  const { host } = new URL(baseUrl)
  return {
    host,
    model: settings.spec,
    costOf,
    tokensOf: (card) => ({ input: aboutTokens(systemOf('') + shown(card)), output: usualOutput }),
    async write(card, caller) {
      const bounds = boundsOf({ callers: [caller], seconds })
      const code = makeCode()
      try {
        const asked = generateText({
          model: await languageModel(settings, send),
          system: systemOf(code),
          prompt: fencedData('CARD', shown(card), code),
          output: Output.object({ schema: answer }),
          ...{ maxRetries: 0, maxOutputTokens: mostOutput, abortSignal: bounds.signal },
        })
        const { output } = await bounds.orStopped(asked)
        return enrichmentOf(output, settings.spec)
      } catch (error) {
        caller.throwIfAborted()
        if (NoObjectGeneratedError.isInstance(error)) return null
        if (bounds.stoppedBy() === 'time') throw failures.ofTime(host, seconds)
        const call = callError(error)
        if (call?.statusCode !== undefined && call.statusCode >= 400)
          throw failures.ofStatus(host, call.statusCode)
        if (call?.statusCode !== undefined)
          throw failures.ofAnswer(host, 'it is no whole answer of a language model')
        throw failures.ofNetwork(host, codeOf(call ?? error), error)
      } finally {
        bounds.release()
      }
    },
  }
}

function enrichmentOf({ when_to_use, example_request, tags }: z.output<typeof answer>, model: string) {
  const [whenToUse, example] = [oneLine(when_to_use, most.whenToUse), oneLine(example_request, most.example)]
  if (whenToUse === '' && example === '') return null
  const kept = [...new Set(tags.map((tag) => oneLine(tag, most.tag)))].filter((tag) => tag !== '')
  return { model, whenToUse, example, tags: kept.slice(0, most.tags) }
}

const oneLine = (text: string, length: number): string =>
  [...text.replace(/\s+/g, ' ').trim()].slice(0, length).join('')

/** What the model may know. */
function shown(card: Card): string {
  const { name, title, description, tags, examples } = card
  const parts = card.kind === 'tool' ? card.parameters : card.tools
  const inside = parts.slice(0, 30).map((part) => `${part.name}: ${part.description ?? ''}`)
  const of = card.kind === 'tool' ? { server: card.server } : { instructions: card.instructions }
  const said = { kind: card.kind, name, title, description, tags, examples, parts: inside, ...of }
  return cutToTokens(maskSecrets(JSON.stringify(said)), mostShown).text
}
