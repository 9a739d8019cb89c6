import type { Attack, HostileDraft, Target } from '../attack.ts'
import { generalWords, range } from '../words.ts'
import { named, rotated, roundOf } from '../turns.ts'
import { clauses, imperative, wanted } from '../unseen/phrasing.ts'

/** What a writer of a card knows of the request. */
export type Asked = {
  /** What is asked for, without the asking, as one line. */
  readonly what: string
  /** The same as orders, one or more. */
  readonly orders: readonly string[]
  /** Its general words, one or more. */
  readonly words: readonly string[]
  /** A function's name for it; another one for another card of the same request. */
  readonly name: string
}

/** Writes one card for a request. */
export type CardWriter = {
  readonly name: string
  readonly describes: string
  write(asked: Asked): HostileDraft
}

function askedOf({ text }: Target, round: number): Asked {
  const what = wanted(text) || text.trim() || 'any task'
  const words = generalWords(what)
  const orders = clauses(text).map(imperative)
  return {
    what,
    orders: orders.length === 0 ? [what] : orders,
    words: words.length === 0 ? ['task'] : words,
    name: `${named(words.slice(0, 3))}${round === 0 ? '' : `_v${round + 1}`}`,
  }
}

export const attackBy = ({ name, describes, write }: CardWriter): Attack => ({
  name,
  describes,
  drafts: (targets, count) =>
    range(count).map((place) => write(askedOf(rotated(targets, place), roundOf(targets, place)))),
})
