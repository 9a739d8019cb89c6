import type { EmbeddingModel } from '../ports.ts'
import type { NamePlace } from './name-places.ts'
import { keyOfName } from './request-words.ts'
import { doubtfulNames, plainHead, sureNames, vectorHead } from './system-names.ts'

/** Log-odds that words are told to be names with: what the head alone learned from words that are no names, they have not. */
const listed = { sure: 6, doubtful: 3 } as const

/** Log-odds that a word is the name of a system, by the words around it, by the word's vector, and by names that are known. */
export async function nameLikelihood(
  { text, signs }: NamePlace,
  model: EmbeddingModel | null,
): Promise<number> {
  // What the vectors say of names that are known is known better.
  const isRead = model?.id === vectorHead.model && !isListed(text)
  const head = isRead ? vectorHead : plainHead
  const vector = isRead && model ? (await model.embed([text.toLowerCase()], 'query'))[0]! : undefined
  const byVector = vector?.reduce((sum, value, at) => sum + value * vectorHead.vector[at]!, 0) ?? 0
  const bySigns = signs.reduce((sum, sign) => sum + head.signs[sign], 0)
  return head.bias + bySigns + byVector + byList(text)
}

/** Whether it is a name that the training data knows. */
export const isListed = (text: string): boolean => byList(text) > 0

/** Whether it is one that is a word too. */
export const isDoubtful = (text: string): boolean => doubtfulNames.has(keyOfName(text))

function byList(text: string): number {
  const keys = [text, text.split(' ')[0]!].map(keyOfName)
  if (keys.some((key) => sureNames.has(key))) return listed.sure
  return doubtfulNames.has(keys[0]!) ? listed.doubtful : 0
}
