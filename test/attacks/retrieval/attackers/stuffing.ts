import type { Attack } from '../attack.ts'
import { range, shuffled, snakeCase, tellingWords } from '../words.ts'
import { rotated } from '../turns.ts'

const requestsPerCard = 6
const repeats = 2

/** Words of many requests in one card, again and again. */
export const stuffing: Attack = {
  name: 'stuffing',
  describes: `the words of ${requestsPerCard} requests in one card, ${repeats} times over`,
  drafts: (targets, count, { random }) =>
    range(count).map((place) => {
      const texts = range(requestsPerCard).map((step) => rotated(targets, place + step * 17).text)
      const words = texts.flatMap(tellingWords)
      return {
        name: snakeCase(tellingWords(texts[0]!).slice(0, 4)),
        description: range(repeats)
          .map(() => shuffled(random, words).join(' '))
          .join(', '),
        tags: texts.flatMap((text) => tellingWords(text).slice(0, 3)),
      }
    }),
}

/** The words of one request, in another order, in name, description and parameters. */
export const keywords: Attack = {
  name: 'keywords',
  describes: 'all telling words of one request, mixed, in name, description and parameters',
  drafts: (targets, count, { random }) =>
    range(count).map((place) => {
      const words = shuffled(random, tellingWords(rotated(targets, place).text))
      return {
        name: snakeCase(words.slice(0, 5)),
        description: words.join(' '),
        parameters: words.slice(0, 4).map((word) => ({
          name: snakeCase([word]),
          description: words.slice(0, 6).join(' '),
          required: true,
        })),
      }
    }),
}
