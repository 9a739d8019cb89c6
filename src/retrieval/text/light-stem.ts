import { stemmer } from 'stemmer'

const cyrillicEndings =
  'иями ями ами ого его ому ему ыми ими ать ить ять еть ая яя ое ее ые ие ои еи ии ыи ом ем ам ям ах ях ов ев ию ью ия а е и о у ы ь ю я'.split(
    ' ',
  )
const arabicPrefixes = ['وال', 'بال', 'كال', 'فال', 'لل', 'ال']

const stripLongest = (word: string, endings: readonly string[], keep: number): string => {
  const ending = endings.find(
    (candidate) => word.endsWith(candidate) && word.length - candidate.length >= keep,
  )
  return ending === undefined ? word : word.slice(0, -ending.length)
}

const arabicStem = (word: string): string => {
  const prefix = arabicPrefixes.find(
    (candidate) => word.startsWith(candidate) && word.length - candidate.length >= 3,
  )
  const bare = prefix === undefined ? word : word.slice(prefix.length)
  return stripLongest(bare, ['ات', 'ون', 'ين', 'ها', 'ة', 'ه', 'ي'], 3)
}

/**
 * Conflates inflected forms of one lower-case, accent-folded word. Latin letters: Porter. Cyrillic and Arabic: the
 * common endings (and the article) only. Other scripts are returned as they are.
 *
 * @see Porter, Program 14(3), 1980. The Cyrillic and Arabic rules follow the idea of light stemming (Larkey et al.,
 * SIGIR 2002) with fewer affixes.
 */
export const lightStem = (word: string): string => {
  const first = word.charCodeAt(0)
  if (first < 0x250) return stemmer(word)
  if (first >= 0x400 && first < 0x530) return stripLongest(word, cyrillicEndings, 3)
  if (first >= 0x600 && first < 0x700) return arabicStem(word)
  return word
}
