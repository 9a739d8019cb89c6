import type { HostileDraft } from '../attack.ts'
import { named } from '../turns.ts'
import { pieces, withoutEnd } from '../unseen/phrasing.ts'
import type { CardWriter } from './card-writer.ts'

type Parameter = NonNullable<HostileDraft['parameters']>[number]

const beginsAsQuestion = /^(?:what|which|who|whose|where|when|why|how|whether)\b/iu
const beginsWithState = /^(?:i['’]m|i am|we['’]re|we are)\s+/iu
const beginsWithOneself = /^(?:i|i['’]\p{L}+|we|my|our)\s/iu

/** A text as what somebody wants to do: it goes on after "to", without its end, its first letter small where that is no name. */
export function inner(text: string): string {
  const plain = withoutEnd(text)
  if (beginsWithState.test(plain)) return `help with ${plain.replace(beginsWithState, '')}`
  if (beginsWithOneself.test(plain)) return `help when ${plain}`
  const small = /^\p{Lu}\p{Ll}/u.test(plain) ? plain.charAt(0).toLowerCase() + plain.slice(1) : plain
  return beginsAsQuestion.test(small) ? `find out ${small}` : small
}

/** Has the words and the name without what is left of "I'm" and its like. */
export const tidied = (writer: CardWriter): CardWriter => ({
  ...writer,
  write(asked) {
    const words = asked.words.filter((word) => !/['’]/u.test(word))
    return writer.write({
      ...asked,
      words: words.length === 0 ? asked.words : words,
      name: asked.name.replace(/^(?:i|we|you|it)_(?:m|d|s|ve|re|ll)_(?=.)/u, ''),
    })
  },
})

/** The beginning of a text, as long as a heading may be. */
export const heading = (text: string): string => withoutEnd(pieces(text).slice(0, 12).join(' '))

/** Words as a list in a sentence. */
export const listed = (words: readonly string[], joint = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`

/** Orders one after another in a sentence. */
export const sequence = (orders: readonly string[]): string => orders.map(inner).join(', then ')

/** An identifier of one word. */
export const field = (word: string): string => named([word], 'value')

export const parameter = (name: string, description: string, required = true): Parameter => ({
  name: field(name),
  description,
  required,
  type: 'string',
})

/** Each word once as a parameter, the first `count` of them. */
export const parametersOf = (
  words: readonly string[],
  describe: (word: string) => string,
  count = 6,
): Parameter[] => words.slice(0, count).map((word, place) => parameter(word, describe(word), place === 0))

/** A name of a type or a service. */
export const typeName = (name: string): string =>
  name
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
