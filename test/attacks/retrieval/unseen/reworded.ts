import type { Attack } from '../attack.ts'
import { pick, range, shuffled, tellingWords } from '../words.ts'
import { capitalised, chunks, wanted } from './phrasing.ts'
import { otherWord } from './thesaurus.ts'
import { toolTalk } from './tool-talk.ts'
import { named, rotated } from '../turns.ts'

const joins = ['with', 'for', 'of', 'in', 'by', 'and']

/** The words of the request in another order, every other one beside or as another word of its meaning. */
export const reworded: Attack = {
  name: 'reworded',
  describes: "the request's words in another order, between synonyms, plurals and singulars of them",
  drafts: (targets, count, { random }) =>
    range(count).map((place) => {
      const words = shuffled(random, tellingWords(wanted(rotated(targets, place).text)))
      const phrases = words.map((word, at) => {
        const other = otherWord(random, word.toLowerCase())
        if (other === word.toLowerCase()) return word
        return at % 3 === 0 ? other : at % 3 === 1 ? `${word} or ${other}` : word
      })
      return {
        name: named(words.slice(0, 2).map((word) => otherWord(random, word.toLowerCase()))),
        description: [
          ...chunks(phrases, 5).map(
            (chunk) =>
              `${capitalised(chunk.reduce((text, phrase) => `${text} ${pick(random, joins)} ${phrase}`))}.`,
          ),
          ...toolTalk(random, 2),
        ].join(' '),
      }
    }),
}
