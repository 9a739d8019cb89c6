import type { EmbeddingModel } from '../ports.ts'
import { readData } from '../../read-data.ts'
import type { NamePlace, SignName } from './name-places.ts'
import { keyOfName } from '../../domain/text/word-rules.ts'
import type data from './system-names.json'

/** Weights of a logistic head over what tells of a place. */
type NameHead = {
  readonly bias: number
  readonly signs: { readonly [sign in SignName]: number }
}

/** Learned from the training data, not by hand: written by `npm run system-names`. */
const learned: {
  readonly sure: string
  readonly doubtful: string
  /** Log-odds of a place and a word without a model. */
  readonly plain: NameHead
  /** The same beside the vector of the word. */
  readonly byVector: NameHead & { readonly model: string; readonly vector: readonly number[] }
} = readData<typeof data>(new URL('./system-names.json', import.meta.url))

/** Names of servers and products of the training data that are hardly ever written as other words. */
export const sureNames: ReadonlySet<string> = new Set(learned.sure.split(' '))
/** Names that are words too: only a capital or what the system holds tells. */
const doubtfulNames: ReadonlySet<string> = new Set(learned.doubtful.split(' '))

const { plain: plainHead, byVector: vectorHead } = learned

/** The model whose vectors of words the heads were learned beside. */
export const modelOfNames = vectorHead.model

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
