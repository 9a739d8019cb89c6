import type { SeededRandom } from '../../../../src/evaluation/statistics/seeded-random.ts'
import { pick } from '../words.ts'

const groups: readonly (readonly string[])[] = [
  ['get', 'fetch', 'retrieve', 'obtain'],
  ['find', 'locate', 'search', 'discover'],
  ['show', 'display', 'present'],
  ['create', 'generate', 'build', 'produce'],
  ['book', 'reserve', 'order'],
  ['buy', 'purchase', 'acquire'],
  ['calculate', 'compute', 'determine', 'evaluate'],
  ['change', 'modify', 'update', 'edit'],
  ['delete', 'remove', 'erase'],
  ['send', 'deliver', 'transmit'],
  ['check', 'verify', 'inspect'],
  ['analyze', 'analyse', 'examine', 'study'],
  ['recommend', 'suggest', 'propose'],
  ['details', 'information', 'particulars'],
  ['list', 'listing', 'overview'],
  ['image', 'picture', 'photo'],
  ['movie', 'film'],
  ['song', 'track', 'tune'],
  ['weather', 'forecast', 'climate'],
  ['trip', 'journey', 'travel'],
  ['flight', 'airline', 'plane'],
  ['hotel', 'accommodation', 'lodging'],
  ['price', 'cost', 'rate'],
  ['number', 'count', 'amount'],
  ['file', 'document'],
  ['company', 'business', 'firm'],
  ['stock', 'share', 'equity'],
  ['money', 'currency', 'cash'],
  ['city', 'town', 'place'],
  ['recipe', 'dish', 'meal'],
  ['email', 'mail', 'message'],
  ['meeting', 'appointment', 'event'],
  ['time', 'hour', 'moment'],
  ['average', 'mean'],
  ['model', 'network'],
  ['language', 'tongue'],
]

const synonyms = new Map(
  groups.flatMap((group) => group.map((word) => [word, group.filter((other) => other !== word)] as const)),
)

const inflected = (word: string): string => {
  if (/(?:ss|sh|ch|x)$/u.test(word)) return `${word}es`
  if (word.endsWith('s')) return word.slice(0, -1)
  if (/[^aeiou]y$/u.test(word)) return `${word.slice(0, -1)}ies`
  return `${word}s`
}

/** Another word for a word: a synonym, or its plural or singular; words with digits and names stay as they are. */
export function otherWord(random: SeededRandom, word: string): string {
  if (!/^\p{Ll}{3,}$/u.test(word)) return word
  const others = synonyms.get(word) ?? synonyms.get(word.replace(/s$/u, ''))
  return others === undefined ? inflected(word) : pick(random, others)
}
