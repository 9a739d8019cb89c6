import { foldWord } from '../text/plain-text.ts'
import { wordsOf } from '../text/words.ts'

/**
 * A phrase to look for, as words in order: alternatives, and how many words may stand before them. Written as one line:
 *
 *     ignore|disregard|pay_no_attention_to ..3 previous|prior ..2 instruct*|prompt*
 *
 * Spaces separate elements, `|` alternatives, `_` the words of one alternative; `..3` allows up to three words in
 * between, `*` any ending; `^` at the start asks for the start of a sentence. All of it stands within one sentence.
 */
type Phrase = { readonly opens: boolean; readonly elements: readonly Element[] }

export type Element = {
  /** Most words between the element before and this one. */
  readonly gap: number
  /** Alternatives, each a sequence of terms. */
  readonly alternatives: readonly (readonly string[])[]
}

/** Reads the notation of {@link Phrase}. */
export function phraseOf(line: string): Phrase {
  const elements: Element[] = []
  let gap = 0
  const opens = line.startsWith('^')
  for (const part of line.replace(/^\^/, '').trim().split(/\s+/)) {
    const allowed = /^\.\.(\d+)$/.exec(part)?.[1]
    if (allowed !== undefined) gap = Number(allowed)
    else {
      elements.push({ gap, alternatives: part.split('|').map(termsOf) })
      gap = 0
    }
  }
  return { opens, elements }
}

/** A term is a folded word, or the beginning of one with `*`. */
const termsOf = (alternative: string): readonly string[] => {
  const plain = alternative.replace(/\*$/, '')
  const terms = wordsOf(plain.replaceAll('_', ' ')).written.map(wordForm)
  return plain === alternative
    ? terms
    : terms.map((term, index) => (index === terms.length - 1 ? `${term}*` : term))
}

/** The form in which words are compared: folded, without apostrophes. */
export const wordForm = (word: string): string => foldWord(word).replace(/['’]/g, '')
