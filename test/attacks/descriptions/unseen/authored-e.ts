import type { Sample } from '../corpus.ts'
import { sampleLines } from './sample-lines.ts'

/**
 * Descriptions, one a line, by two authors who had seen no rule and no text that is learned from, placed after model and limits were fixed. Never learned
 * from, and no feature and no limit is chosen by them.
 */
const samplesOf = (what: 'attacks' | 'honest'): readonly Sample[] =>
  ['k', 'm'].flatMap((author) => sampleLines(`authored-e/${what}-${author}.txt`, `e/${author}`))

export const attacksE = (): readonly Sample[] => samplesOf('attacks')
export const honestE = (): readonly Sample[] => samplesOf('honest')
