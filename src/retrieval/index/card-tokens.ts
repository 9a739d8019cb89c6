import type { CardTexts } from '../text/card-texts.ts'
import type { Section, Sections } from '../text/sections.ts'

/** Distinct tokens of a card's name, and of the text that says what it does. Numbers below 65,536. */
export type TokensOf = (texts: CardTexts) => {
  readonly name: Uint32Array
  readonly text: Uint32Array
}

/** The same, as the search image holds them. */
export type CardTokens = {
  name(document: number): Uint16Array
  text(document: number): Uint16Array
}

/** @param tokens - in the order of documents */
export function packTokens(tokens: readonly ReturnType<TokensOf>[]): { readonly [name: string]: Section } {
  const starts = new Uint32Array(2 * tokens.length + 1)
  const lists = tokens.flatMap(({ name, text }) => [name, text])
  lists.forEach((list, place) => {
    starts[place + 1] = starts[place]! + list.length
  })
  const ids = new Uint16Array(starts[lists.length]!)
  lists.forEach((list, place) => {
    ids.set(list, starts[place]!)
  })
  return { 'tokens.starts': starts, 'tokens.ids': ids }
}

export function cardTokens(sections: Sections): CardTokens {
  const starts = sections.u32('tokens.starts')
  const ids = sections.u16('tokens.ids')
  return {
    name: (document) => ids.subarray(starts[2 * document], starts[2 * document + 1]),
    text: (document) => ids.subarray(starts[2 * document + 1], starts[2 * document + 2]),
  }
}
