import { z } from 'zod'
import type { Card } from '../../../domain/card.ts'
import { maskSecrets } from '../../../domain/text/secrets.ts'
import type { CardEnricher } from '../../../indexing/enrich-cards.ts'
import { aboutTokens } from '../../../retrieval/rank/spending.ts'
import { aboutFences, cutToTokens, fencedData, randomCode } from '../agents/fenced-data.ts'
import { checkedModel, type LanguageModelSettings } from '../models/language-model.ts'
import { askWithin, type WriterSurroundings } from './ask-within.ts'

const answer = z.object({
  when_to_use: z.string(),
  example_request: z.string(),
  tags: z.array(z.string()),
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
const usualOutput = 120

/**
 * Has the configured model write of cards when to use them, a request and tags.
 *
 * @throws LanguageModelError at once when the setting names no model
 */
export function cardEnricher(
  settings: LanguageModelSettings,
  { costOf, makeCode = randomCode, ...way }: WriterSurroundings,
): CardEnricher {
  const { baseUrl } = checkedModel(settings)
  const { host } = new URL(baseUrl)
  return {
    host,
    model: settings.spec,
    costOf,
    tokensOf: (card) => ({ input: aboutTokens(systemOf('') + shown(card)), output: usualOutput }),
    async write(card, caller) {
      const code = makeCode()
      const question = {
        system: systemOf(code),
        prompt: fencedData('CARD', shown(card), code),
        schema: answer,
      }
      const { answer: written } = await askWithin(settings, question, { ...way, caller })
      return written && enrichmentOf(written, settings.spec)
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
