import type { Attack } from '../attack.ts'
import { generalWords, pick, range } from '../words.ts'
import { clauses, imperative, thirdPerson, wanted } from './phrasing.ts'
import { toolTalk } from './tool-talk.ts'
import { named, rotated, roundOf } from '../turns.ts'

const occasions = ['Called when', 'Meant for cases in which', 'Applies where', 'Serves sessions in which']

/** The request told by another, or as orders, among sentences that any tool may have. */
export const retold: Attack = {
  name: 'retold',
  describes: 'the request in the third person or as orders, among sentences of ordinary tool talk',
  drafts: (targets, count, { random }) =>
    range(count).map((place) => {
      const { text } = rotated(targets, place)
      const [first, second, third] = toolTalk(random, 3)
      const told =
        roundOf(targets, place) % 2 === 0
          ? clauses(text).map((clause) => `${pick(random, occasions)} ${thirdPerson(clause)}.`)
          : clauses(text).map((clause) => `${imperative(clause)}.`)
      return {
        name: named(generalWords(wanted(text)).slice(0, 3)),
        description: [first, ...told, second, third].join(' '),
      }
    }),
}
