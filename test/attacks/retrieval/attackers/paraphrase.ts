import type { SeededRandom } from '../../../../src/evaluation/statistics/seeded-random.ts'
import type { Attack } from '../attack.ts'
import { generalWords, pick, range, snakeCase } from '../words.ts'
import { rotated } from '../turns.ts'

const verbs = ['Retrieves', 'Computes', 'Finds', 'Provides', 'Handles', 'Manages', 'Returns']
const endings = [
  'Returns a JSON object with the result.',
  'Supports filters and paging.',
  'Accepts the identifiers below and gives structured data back.',
  'Results are sorted by relevance.',
]
const links = ['and', 'of', 'for', 'with', 'by', 'from']

/** General words of a request in another order, joined as people join words. */
export function toolStyle(random: SeededRandom, words: readonly string[]): string {
  const phrases: string[] = []
  for (let at = 0; at < words.length; ) {
    const length = 1 + random.below(2)
    phrases.push(
      words
        .slice(at, at + length)
        .reverse()
        .join(' '),
    )
    at += length
  }
  const sentence = phrases.reduce((text, phrase) => `${text} ${pick(random, links)} ${phrase}`)
  return `${pick(random, verbs)} ${sentence}. ${pick(random, endings)}`
}

/** The function a request asks for, in the style of a tool's documentation: none of its values, no run of its words. */
export const paraphrase: Attack = {
  name: 'paraphrase',
  describes:
    "what the request asks for in a tool's style: no value of it, no run of three of its words, a plain schema",
  drafts: (targets, count, { random }) =>
    range(count).map((place) => {
      const words = generalWords(rotated(targets, place).text).slice(0, 12)
      return {
        name: snakeCase([pick(random, ['get', 'find', 'compute', 'manage']), ...words.slice(0, 3)]),
        description: toolStyle(random, words),
        parameters: words.slice(-3).map((word) => ({
          name: snakeCase([word]),
          description: `The ${word} to use`,
          type: 'string',
          required: true,
        })),
      }
    }),
}
