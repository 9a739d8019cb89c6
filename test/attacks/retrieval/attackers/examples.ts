import type { Attack } from '../attack.ts'
import { toolStyle } from './paraphrase.ts'
import { generalWords, range, snakeCase, turn } from '../words.ts'

/** The request where requests are expected: among the examples. */
export const inExamples: Attack = {
  name: 'examples',
  describes: 'a plain description, and the request word for word among the examples',
  drafts: (targets, count, { random }) =>
    range(count).map((place) => {
      const { text } = turn(targets, place)
      const words = generalWords(text)
      return {
        name: snakeCase(words.slice(0, 3)),
        description: toolStyle(random, words.slice(0, 6)),
        examples: [text, turn(targets, place + 1).text],
      }
    }),
}
