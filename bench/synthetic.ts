import { type SeededRandom, seededRandom } from '../src/evaluation/statistics/seeded-random.ts'
import type { ToolLine } from './corpus.ts'

/** Words that exist; the r-th is drawn with a probability near 1 / r, as in natural text. */
const vocabulary = 30_000
const consonants = 'bdfgklmnprstvz'
const vowels = 'aeiou'
const syllables = consonants.length * vowels.length

/**
 * Tools with made-up words, for machines without the published sets: enough to time a search, nothing to judge one by.
 * The same count gives the same tools.
 */
export function syntheticTools(count: number): readonly ToolLine[] {
  const random = seededRandom(1)
  return Array.from({ length: count }, (_, index) => {
    const [verb, ...nouns] = words(random, 3)
    const documentation = {
      name: index % 2 === 0 ? [verb, ...nouns].join('_') : `${verb}${nouns.map(capitalised).join('')}`,
      description: words(random, 12 + random.below(30)).join(' '),
      parameters: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 1 + random.below(5) }, () => [
            words(random, 2).join('_'),
            { type: 'string', description: words(random, 8).join(' ') },
          ]),
        ),
      },
    }
    const id = `tool-${index}`
    return { set: `synthetic-${index % 10}`, id, line: JSON.stringify({ id, documentation }) }
  })
}

/** Queries of 4 to 20 words of the same kind. */
export function syntheticQueries(count: number): readonly string[] {
  const random = seededRandom(2)
  return Array.from({ length: count }, () => words(random, 4 + random.below(17)).join(' '))
}

const words = (random: SeededRandom, count: number): string[] =>
  Array.from({ length: count }, () => wordAt(Math.floor(vocabulary ** (random.uint32() / 2 ** 32))))

/** The word of a rank, written in syllables: frequent words are short. */
function wordAt(rank: number): string {
  let word = ''
  for (let rest = rank; rest > 0 || word === ''; rest = Math.floor(rest / syllables)) {
    const syllable = rest % syllables
    word += consonants[syllable % consonants.length]! + vowels[Math.floor(syllable / consonants.length)]!
  }
  return word
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
