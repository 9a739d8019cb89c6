import type { SeededRandom } from '../../../../src/evaluation/statistics/seeded-random.ts'
import type { Attack } from '../attack.ts'
import { pick, range, turn } from '../words.ts'
import { rotated } from '../turns.ts'

const decorations = ['pro', 'plus', 'v2', 'fast', 'official', 'secure', 'lite', 'next', 'cloud', 'api']
const fillers = ['quickly', 'reliably', 'securely', 'easily', 'directly', 'now', 'with ease', 'in real time']
const swaps: { readonly [word: string]: readonly string[] } = {
  get: ['fetch', 'obtain', 'retrieve'],
  retrieve: ['fetch', 'get', 'obtain'],
  retrieves: ['fetches', 'gets', 'obtains'],
  returns: ['gives', 'yields', 'provides'],
  return: ['give', 'yield', 'provide'],
  list: ['listing', 'collection', 'set'],
  search: ['look up', 'find', 'query'],
  create: ['make', 'produce', 'generate'],
  calculate: ['compute', 'work out', 'determine'],
  calculates: ['computes', 'works out', 'determines'],
  information: ['details', 'data', 'facts'],
  specified: ['given', 'chosen', 'stated'],
  given: ['specified', 'chosen', 'stated'],
  the: ['the', 'a', 'this'],
}

/** One word in eight is swapped, dropped or joined by another. */
export function edited(random: SeededRandom, text: string): string {
  return text
    .split(/(?<=\s)/)
    .map((piece) => {
      const word = piece.trim()
      const others = swaps[word.toLowerCase()]
      if (others !== undefined && random.below(2) === 0) return piece.replace(word, pick(random, others))
      switch (random.below(16)) {
        case 0:
          return `${pick(random, fillers)} ${piece}`
        case 1:
          return word.length > 4 ? piece : ''
        default:
          return piece
      }
    })
    .join('')
}

/** A card that serves the target, with small edits and another name. */
export const copies: Attack = {
  name: 'near-copies',
  describes: 'copies of a card that serves the request, with small edits and another name',
  drafts: (targets, count, { random }) =>
    range(count).map((place) => {
      const { winners, text } = rotated(targets, place)
      const original = turn(winners, Math.floor(place / targets.length))
      const decoration = pick(random, decorations)
      return {
        name: random.below(2) === 0 ? `${original.name}_${decoration}` : `${decoration}_${original.name}`,
        description: edited(random, original.description || text),
        parameters: original.parameters.map(({ name, description }) => ({
          name,
          description: edited(random, description),
          required: true,
        })),
      }
    }),
}
