import type { SeededRandom } from '../../../../src/evaluation/statistics/seeded-random.ts'
import type { Attack, HostileDraft, Target } from '../attack.ts'
import { generalWords, pick, range, shuffled, tellingWords } from '../words.ts'
import { chunks, wanted } from './phrasing.ts'
import { otherWord } from './thesaurus.ts'
import { toolTalk } from './tool-talk.ts'
import { named, rotated } from '../turns.ts'

/** Cards that a besieged request gets: more than there are places to win. */
const cardsPerTarget = 12

const frames: readonly ((words: string) => string)[] = [
  (words) => `Handles ${words}.`,
  (words) => `Built around ${words}.`,
  (words) => `Gives access to ${words}.`,
  (words) => `For anything to do with ${words}.`,
  (words) => `Deals with ${words} on demand.`,
  (words) => `An interface to ${words}.`,
]

/** One card again, in other words: a third of its words give way to others, and the sentences change places. */
function variant(random: SeededRandom, { text }: Target): HostileDraft {
  const words = tellingWords(wanted(text)).map((word) =>
    random.below(3) === 0 ? otherWord(random, word.toLowerCase()) : word,
  )
  const sentences = chunks(words, 3 + random.below(3)).map((chunk) => pick(random, frames)(chunk.join(' ')))
  return {
    name: named([
      pick(random, ['quick', 'open', 'smart', 'easy', 'core']),
      ...shuffled(random, generalWords(wanted(text))).slice(0, 2),
    ]),
    description: shuffled(random, [...sentences, ...toolTalk(random, 2)]).join(' '),
  }
}

/** All cards against few requests: these, as far apart in the list as they can be, are spread over evenly. */
export const swarm: Attack = {
  name: 'swarm',
  describes: `near-copies in varied words, ${cardsPerTarget} for each of as many requests as the cards suffice for`,
  drafts: (targets, count, { random }) => {
    const besieged = Math.min(targets.length, Math.max(1, Math.floor(count / cardsPerTarget)))
    const chosen = range(besieged).map((at) => targets[Math.floor((at * targets.length) / besieged)]!)
    return range(count).map((place) => variant(random, rotated(chosen, place)))
  },
}
