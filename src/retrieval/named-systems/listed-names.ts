import { keyOfName } from '../../domain/text/word-rules.ts'
import { readData } from '../../read-data.ts'
import type data from './system-names.json'

/** Learned from the training data, not by hand: written by `npm run system-names`. */
export const learnedNames = readData<typeof data>(new URL('./system-names.json', import.meta.url))

/** Names of servers and products of the training data that are hardly ever written as other words. */
const sureNames: ReadonlySet<string> = new Set(learnedNames.sure.split(' '))
/** Names that are words too: only a capital or what the system holds tells. */
const doubtfulNames: ReadonlySet<string> = new Set(learnedNames.doubtful.split(' '))

/** Log-odds that words are told to be names with: what the head alone learned from words that are no names, they have not. */
const listed = { sure: 6, doubtful: 3 } as const

/** @param key - as `keyOfName` */
export const isSureName = (key: string): boolean => sureNames.has(key)

/** Whether it is a name that the training data knows. */
export const isListed = (text: string): boolean => byList(text) > 0

/** Whether it is one that is a word too. */
export const isDoubtful = (text: string): boolean => doubtfulNames.has(keyOfName(text))

/** Log-odds by the lists; of a name of several words the first counts as well. */
export function byList(text: string): number {
  const keys = [text, text.split(' ')[0]!].map(keyOfName)
  if (keys.some((key) => sureNames.has(key))) return listed.sure
  return doubtfulNames.has(keys[0]!) ? listed.doubtful : 0
}
