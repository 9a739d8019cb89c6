import type { Attack } from '../attack.ts'
import { toolStyle } from './paraphrase.ts'
import { generalWords, range, snakeCase } from '../words.ts'
import { rotated } from '../turns.ts'

/** The request where requests are expected: among the examples. */
export const inExamples: Attack = {
  name: 'examples',
  describes: 'a plain description, and the request word for word among the examples',
  drafts: (targets, count, { random }) =>
    range(count).map((place) => {
      const { text } = rotated(targets, place)
      const words = generalWords(text)
      return {
        name: snakeCase(words.slice(0, 3)),
        description: toolStyle(random, words.slice(0, 6)),
        examples: [text, rotated(targets, place + 1).text],
      }
    }),
}
