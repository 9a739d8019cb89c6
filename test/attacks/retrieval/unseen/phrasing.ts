/** Runs of at most `size` items, in order. */
export const chunks = <T>(items: readonly T[], size: number): (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, place) =>
    items.slice(place * size, (place + 1) * size),
  )

/** Words as written, punctuation with them. */
export const pieces = (text: string): string[] => text.split(/\s+/).filter((piece) => piece !== '')

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const lowered = (text: string): string =>
  /^\p{Lu}(?:\p{Ll}|\s)/u.test(text) && !/^I\b/.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text

/** A text without the marks at its end. */
export const withoutEnd = (text: string): string => text.replace(/[\s.,;:!?]+$/u, '')

/** Sentences and parts of sentences that stand on their own, none empty; without words there are none. */
export const clauses = (text: string): string[] =>
  text
    .split(/(?<=[.?!;])\s+|,\s+(?:and|then|also)\s+|\s+and then\s+/iu)
    .map(withoutEnd)
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))

const politeness =
  /^(?:hi|hello|hey|ok|so|also|then|and|finally|please|kindly|(?:can|could|would|will) you(?: please)?|help me(?: to)?|i(?:'d| would) (?:like|love)(?: you)?(?: to)?|i(?:'m| am) (?:trying|looking|going|planning) (?:to|for)|(?:i|we) (?:need|want|wish)(?: you)?(?: to)?)(?=[\s,!]|$)[\s,!]*/iu

const withoutAsking = (clause: string): string => {
  const rest = clause.replace(politeness, '')
  return rest === clause || rest === '' ? clause : withoutAsking(rest)
}

/** A clause as an order: what is asked for, without the asking. */
export const imperative = (clause: string): string =>
  capitalised(withoutAsking(clause).replace(/^(tell|give|show|find|get) me\b/iu, '$1'))

/** All that a request asks for, without the asking, as one line: its words say what is wanted. */
export const wanted = (text: string): string =>
  clauses(text)
    .map((clause) => lowered(imperative(clause)))
    .join(', ')

const reported: { readonly [word: string]: string } = {
  i: 'the user',
  "i'm": 'the user is',
  "i've": 'the user has',
  "i'd": 'the user would',
  "i'll": 'the user will',
  am: 'is',
  me: 'them',
  my: 'their',
  mine: 'theirs',
  myself: 'themselves',
  we: 'the users',
  us: 'them',
  our: 'their',
  you: 'the assistant',
  your: 'its',
}

/** Only a short form of `I` is written with a capital: `AM` and `US` are other words. */
const reportedWord = (word: string): string | undefined =>
  /^(?:I(?:'\p{Ll}+)?|\P{Lu}+|\p{Lu}\p{Ll}+)$/u.test(word) ? reported[word.toLowerCase()] : undefined

const ofAnother = (text: string): string =>
  pieces(text)
    .map((piece) => {
      const [, before = '', word = '', after = ''] = /^(\P{L}*)([\p{L}'’]*)(.*)$/u.exec(piece) ?? []
      return `${before}${reportedWord(word.replace('’', "'")) ?? word}${after}`
    })
    .join(' ')

const question =
  /^(?:what|which|who|whose|whom|when|where|why|how|is|are|was|were|do|does|did|has|have|should)\b/iu
const statement = /^(?:i|i['’]\p{L}+|we|my|our|the|a|an|it|there|this|these|if|for)(?=\s|$)/iu

/** A clause as another person tells it, after `when`: no `I`, `my` or `you` is left. */
export function thirdPerson(clause: string): string {
  const order = withoutAsking(clause)
  if (question.test(order)) return `the user asks ${ofAnother(lowered(order))}`
  if (statement.test(order) && order === clause) return ofAnother(lowered(order))
  return `the user wants to ${ofAnother(lowered(imperative(clause)))}`
}
