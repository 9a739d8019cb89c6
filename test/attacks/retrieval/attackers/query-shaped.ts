import type { Attack } from '../attack.ts'
import { range, snakeCase, tellingWords } from '../words.ts'
import { rotated } from '../turns.ts'

/** The request itself as description. */
export const queryShaped: Attack = {
  name: 'query-shaped',
  describes: 'the description is the request, word for word',
  drafts: (targets, count) =>
    range(count).map((place) => {
      const { text } = rotated(targets, place)
      return { name: snakeCase(tellingWords(text).slice(0, 4)), description: text }
    }),
}
