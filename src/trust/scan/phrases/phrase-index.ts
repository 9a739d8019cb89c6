import { addTo } from '../../../domain/grouped.ts'
import { mixesScripts, skeletonOf } from '../text/confusables.ts'
import type { TextWords } from '../text/words.ts'
import { type Element, phraseOf, wordForm } from './phrases.ts'

/** Where a phrase stands: words `first` up to but not including `end`. */
export type PhraseMatch<T> = { readonly entry: T; readonly first: number; readonly end: number }

/** Finds many phrases in one pass. */
type PhraseIndex<T> = {
  find(words: TextWords): readonly PhraseMatch<T>[]
  /** Whether a word, as written, is a word of some phrase. */
  knows(word: string): boolean
}

/** An element of a phrase made ready: alternatives by the number of their first term. */
type Step = {
  readonly gap: number
  readonly byFirst: ReadonlyMap<number, readonly (readonly number[])[]>
  /** Number of the last text in which some first term of the step occurred. */
  lastSeen: number
}
type Ready<T> = { readonly entry: T; readonly opens: boolean; readonly steps: readonly Step[] }

/**
 * Phrases ready to be looked for. The work per word of a text is bounded by the phrases, whatever the text.
 *
 * @param entries - what a match gives, and the lines that tell its phrases (see `phrases.ts`)
 */
export function phraseIndex<T>(
  entries: readonly { readonly entry: T; readonly lines: readonly string[] }[],
): PhraseIndex<T> {
  const { numberOf, termsOf, terms: known } = termNumbers()
  const ready = entries.flatMap(({ entry, lines }) =>
    lines.map((line): Ready<T> => {
      const { opens, elements } = phraseOf(line)
      return { entry, opens, steps: stepsOf(elements, numberOf) }
    }),
  )
  const byFirst: Ready<T>[][] = Array.from({ length: known() + 1 }, () => [])
  const stepsOfTerm: Step[][] = Array.from({ length: known() + 1 }, () => [])
  for (const phrase of ready) {
    for (const term of phrase.steps[0]!.byFirst.keys()) byFirst[term]!.push(phrase)
    for (const step of phrase.steps) for (const term of step.byFirst.keys()) stepsOfTerm[term]!.push(step)
  }
  let texts = 0
  /** Phrases each of whose steps has a word in the text. */
  const possibleWith = (present: ReadonlySet<number>): ReadonlySet<Ready<T>> => {
    for (const term of present) for (const step of stepsOfTerm[term]!) step.lastSeen = texts
    const possible = new Set<Ready<T>>()
    for (const term of present) {
      for (const phrase of byFirst[term]!) {
        if (phrase.steps.every(({ lastSeen }) => lastSeen === texts)) possible.add(phrase)
      }
    }
    return possible
  }
  return {
    knows: (word) => termsOf(word).length > 0,
    find({ written, sentences, opening }) {
      texts += 1
      const terms: (readonly number[])[] = []
      const present = new Set<number>()
      for (const word of written) {
        const ofWord = termsOf(word)
        terms.push(ofWord)
        for (const term of ofWord) present.add(term)
      }
      const matches: PhraseMatch<T>[] = []
      const possible = possibleWith(present)
      if (possible.size === 0) return matches
      const text = { terms, sentences }
      for (const [first, ofWord] of terms.entries()) {
        for (const term of ofWord) {
          for (const phrase of byFirst[term]!) {
            if (phrase.opens && !opening[first]) continue
            const end = possible.has(phrase) ? endOf(phrase.steps, text, first) : -1
            if (end > 0) matches.push({ entry: phrase.entry, first, end })
          }
        }
      }
      return matches
    },
  }
}

/** Beginnings of words are looked up by so many letters, so none may be shorter. */
const stemLength = 3
/** Letters that an open ending may have: more make another word. */
const longestEnding = 7
/** Words remembered with their terms; most texts share them. */
const mostRemembered = 100_000
const none: readonly number[] = []
const ascii = /^[\u0000-\u007f]*$/

/** Terms of phrases by number, from 1, and which of them a word of a text is. */
function termNumbers() {
  const numbers = new Map<string, number>()
  const stems = new Map<string, string[]>()
  const numberOf = (term: string): number => {
    const known = numbers.get(term)
    if (known !== undefined) return known
    numbers.set(term, numbers.size + 1)
    if (term.endsWith('*')) {
      const key = term.slice(0, stemLength)
      if (key.length < stemLength || key.includes('*'))
        throw new Error(`"${term}" is too short for an open ending`)
      addTo(stems, key, term)
    }
    return numbers.size
  }
  const termsOfForm = (form: string): readonly number[] => {
    const exact = numbers.get(form)
    const open = (stems.get(form.slice(0, stemLength)) ?? [])
      .filter((term) => form.startsWith(term.slice(0, -1)) && form.length < term.length + longestEnding)
      .map((term) => numbers.get(term)!)
    return exact === undefined ? (open.length === 0 ? none : open) : [exact, ...open]
  }
  /** Of a word with letters beyond ASCII: as it is written, or as it looks. */
  const termsOfForeign = (form: string): readonly number[] => {
    const asWritten = mixesScripts(form) ? none : termsOfForm(form)
    return asWritten.length > 0 ? asWritten : termsOfForm(skeletonOf(form))
  }
  const remembered = new Map<string, readonly number[]>()
  const termsOf = (word: string): readonly number[] => {
    const known = remembered.get(word)
    if (known !== undefined) return known
    const form = wordForm(word)
    const terms = ascii.test(form) ? termsOfForm(form) : termsOfForeign(form)
    if (remembered.size >= mostRemembered) remembered.clear()
    if (word.length <= 64) remembered.set(word, terms)
    return terms
  }
  return { numberOf, termsOf, terms: () => numbers.size }
}

const stepsOf = (phrase: readonly Element[], numberOf: (term: string) => number): readonly Step[] =>
  phrase.map(({ gap, alternatives }) => {
    const byFirst = new Map<number, (readonly number[])[]>()
    for (const sequence of alternatives.map((alternative) => alternative.map(numberOf)))
      addTo(byFirst, sequence[0]!, sequence)
    return { gap, byFirst, lastSeen: 0 }
  })

/**
 * Just after the last word of a phrase that begins at a word, or -1. Keeps the set of places that the elements so far can end
 * at, so that no text makes it try again and again.
 */
function endOf(
  steps: readonly Step[],
  { terms, sentences }: Pick<TextWords, 'sentences'> & { readonly terms: readonly (readonly number[])[] },
  first: number,
): number {
  let places: number[] = [first]
  for (const { gap, byFirst } of steps) {
    const next: number[] = []
    const last = places.at(-1)! + gap
    let place = 0
    for (let at = places[0]!; at <= last && sentences[at] === sentences[first]; at++) {
      while (place + 1 < places.length && places[place + 1]! <= at) place += 1
      if (at - places[place]! > gap) continue
      for (const term of terms[at]!) {
        for (const sequence of byFirst.get(term) ?? []) {
          if (continues(sequence, terms, at) && !next.includes(at + sequence.length))
            next.push(at + sequence.length)
        }
      }
    }
    if (next.length === 0) return -1
    places = next.sort((a, b) => a - b)
  }
  return places[0]!
}

const continues = (sequence: readonly number[], terms: readonly (readonly number[])[], at: number): boolean =>
  sequence.every((term, index) => terms[at + index]?.includes(term) === true)
