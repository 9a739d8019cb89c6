import type { Attack } from '../attack.ts'
import { generalWords, range, tellingWords } from '../words.ts'
import { chunks, pieces, wanted, withoutEnd } from './phrasing.ts'
import { toolTalk } from './tool-talk.ts'
import { named, rotated, roundOf } from '../turns.ts'

/** No field alone holds the request: a part in the name, one in the description, one in what is said of the parameters. */
export const splitFields: Attack = {
  name: 'split',
  describes: 'the request cut in three: name, description, and names and descriptions of parameters',
  drafts: (targets, count, { random }) =>
    range(count).map((place) => {
      const { text } = rotated(targets, place)
      const words = pieces(text)
      const thirds = chunks(words, Math.max(1, Math.ceil(words.length / 3)))
      const part = (at: number): readonly string[] =>
        thirds[(at + roundOf(targets, place)) % thirds.length] ?? words
      const [talk, ...more] = toolTalk(random, 3)
      return {
        name: named(tellingWords(part(0).join(' ')).slice(0, 6), named(generalWords(wanted(text)))),
        description: `${talk} ${withoutEnd(part(1).join(' '))}. ${more.join(' ')}`,
        parameters: chunks(part(2), 4).map((chunk, at) => ({
          name: `${named(tellingWords(chunk.join(' ')).slice(0, 2), 'argument')}_${at + 1}`,
          description: chunk.join(' '),
          type: 'string',
          required: at === 0,
        })),
      }
    }),
}
