import type { SeededRandom } from '../../../../src/evaluation/statistics/seeded-random.ts'
import type { ToolCard } from '../../../../src/domain/card.ts'
import type { Attack } from '../attack.ts'
import { pick, range, shuffled, tellingWords, turn } from '../words.ts'
import { chunks, wanted } from './phrasing.ts'
import { toolTalk } from './tool-talk.ts'
import { rotated, roundOf } from '../turns.ts'

const additions = ['Covers', 'Also takes care of', 'Works with', 'Suited to', 'Understands']

/** Words of the request that a card does not have, as sentences of three words at most. */
function missing(random: SeededRandom, { name, description }: ToolCard, text: string): string[] {
  const held = new Set(
    tellingWords(`${name.replaceAll('_', ' ')} ${description}`).map((word) => word.toLowerCase()),
  )
  const words = tellingWords(wanted(text)).filter((word) => !held.has(word.toLowerCase()))
  return chunks(shuffled(random, words), 3).map((chunk) => `${pick(random, additions)} ${chunk.join(', ')}.`)
}

/** A card that serves the request, unchanged, and what the request says besides. */
export const borrowedCard: Attack = {
  name: 'borrowed card',
  describes:
    'a card that serves the request, word for word, with the words of the request that it lacks put into it',
  drafts: (targets, count, { random }) =>
    range(count).map((place) => {
      const { text, winners } = rotated(targets, place)
      const original = turn(winners, roundOf(targets, place))
      const [first, ...others] = (original.description || text).split(/(?<=[.!?])\s+/u)
      return {
        name: original.name,
        description: [first, ...missing(random, original, text), ...others, ...toolTalk(random, 2)]
          .join(' ')
          .trim(),
        parameters: original.parameters,
        tags: original.tags,
      }
    }),
}
