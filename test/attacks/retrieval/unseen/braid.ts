import type { Attack } from '../attack.ts'
import { generalWords, range } from '../words.ts'
import { chunks, pieces, wanted } from './phrasing.ts'
import { toolTalk } from './tool-talk.ts'
import { named, rotated } from '../turns.ts'

const run = 3

/** Two requests as one text: some words of the one, some of the other, each in its own order. */
export const braid: Attack = {
  name: 'braid',
  describes: `two requests woven into one description, ${run} words of the one and ${run} of the other in turn`,
  drafts: (targets, count, { random }) =>
    range(count).map((place) => {
      const one = rotated(targets, place).text
      const other = rotated(targets, place + 1 + random.below(Math.max(1, targets.length - 1))).text
      const [left, right] = [chunks(pieces(one), run), chunks(pieces(other), run)]
      const woven = range(Math.max(left.length, right.length)).flatMap((at) => [
        ...(left[at] ?? []),
        ...(right[at] ?? []),
      ])
      return {
        name: named([...generalWords(wanted(one)).slice(0, 2), ...generalWords(wanted(other)).slice(0, 2)]),
        description: [woven.join(' '), ...toolTalk(random, 1)].join(' '),
      }
    }),
}
