import type { Card } from '../../domain/card.ts'
import { inputsPinOf, textPinOf } from './pin.ts'
import { keyOfName } from '../../domain/text/word-rules.ts'
import { normalised } from '../../domain/text/normalised.ts'

/** A card that is gone, and may have come back under another name. */
export type Former<Of> = { readonly card: Card; readonly of: Of }

/** Share of the shorter text's words that both have, from which on one is the other rewritten. */
const nearEqual = 0.7
/** Texts with fewer words say too little to be told apart by them. */
const fewestWords = 4
/** Words by which likely candidates are looked up, and candidates compared: what bounds the work. */
const lookedUp = 8
const mostCompared = 200

/**
 * Finds which of the cards that went a new one is: one with the same name but for look-alike letters, case and
 * punctuation; one that says the same under another name; one that takes the same inputs; one whose words are nearly the
 * same, however much was added.
 *
 * @param formers - earlier ones win
 * @returns a lookup, undefined for a card that is none of them
 */
export function findFormers<Of>(formers: readonly Former<Of>[]): (card: Card) => Former<Of> | undefined {
  const exact = new Map<string, Former<Of>>()
  const words = new Map<string, Former<Of>[]>()
  const sets = new Map<Former<Of>, ReadonlySet<string>>()
  for (const former of formers) {
    for (const key of exactKeys(former.card)) if (!exact.has(key)) exact.set(key, former)
    const set = wordsOf(former.card)
    sets.set(former, set)
    for (const word of set) {
      const list = words.get(word)
      if (list === undefined) words.set(word, [former])
      else list.push(former)
    }
  }

  const nearest = (card: Card): Former<Of> | undefined => {
    const own = wordsOf(card)
    const rare = [...own]
      .filter((word) => words.has(word))
      .sort((a, b) => words.get(a)!.length - words.get(b)!.length)
      .slice(0, lookedUp)
    const likely = new Set<Former<Of>>()
    for (const word of rare) {
      for (const former of words.get(word)!) if (likely.size < mostCompared) likely.add(former)
    }
    let best: { readonly former: Former<Of>; readonly share: number } | undefined
    for (const former of likely) {
      if (former.card.kind !== card.kind) continue
      const share = sharedPart(own, sets.get(former)!)
      if (share >= nearEqual && share > (best?.share ?? 0)) best = { former, share }
    }
    return best?.former
  }

  return (card) => {
    for (const key of exactKeys(card)) {
      const former = exact.get(key)
      if (former !== undefined) return former
    }
    return nearest(card)
  }
}

/** What makes two cards the same by itself, the surest first. */
function exactKeys(card: Card): readonly string[] {
  const inputs = inputsPinOf(card)
  const name = skeleton(card.name)
  return [
    ...(card.description.trim() === '' && inputs === null ? [] : [`text ${textPinOf(card)}`]),
    ...(name === '' ? [] : [`name ${card.kind} ${name}`]),
    ...(inputs === null ? [] : [`inputs ${inputs}`]),
  ]
}

/** Letters of other scripts that look like Latin ones: the few that names are forged with. */
const lookAlikes: { readonly [letter: string]: string } = {
  ...{
    а: 'a',
    в: 'b',
    е: 'e',
    ё: 'e',
    к: 'k',
    м: 'm',
    н: 'h',
    о: 'o',
    р: 'p',
    с: 'c',
    т: 't',
    у: 'y',
    х: 'x',
  },
  ...{ і: 'i', ї: 'i', ј: 'j', ѕ: 's', ԁ: 'd', ԛ: 'q', ԝ: 'w', һ: 'h', ӏ: 'l' },
  ...{ α: 'a', ε: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x' },
  ...{ '0': 'o', '1': 'l', ı: 'i' },
}

/** A name without case, punctuation and the tricks of look-alike letters. */
const skeleton = (name: string): string =>
  [...keyOfName(name)].map((letter) => lookAlikes[letter] ?? letter).join('')

/** The words of a card's texts, lower-case. */
function wordsOf(card: Card): ReadonlySet<string> {
  const inputs =
    card.kind === 'tool'
      ? card.parameters.flatMap(({ name, description }) => [name, description])
      : [card.instructions ?? '']
  const text = normalised([card.description, ...inputs].join(' '), 'NFKC').toLowerCase()
  return new Set(text.match(/[\p{L}\p{N}]+/gu) ?? [])
}

/** Share of the smaller set that the other has too, 0..1; 0 where the smaller one says too little. */
function sharedPart(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a]
  if (small.size < fewestWords) return 0
  let shared = 0
  for (const word of small) if (large.has(word)) shared += 1
  return shared / small.size
}
