import { once } from '../../../domain/once.ts'
import { readData } from '../../../read-data.ts'
import { foldWord } from '../text/plain-text.ts'
import { wordsOf } from '../text/words.ts'
import type data from './phrases.json'

/**
 * How bad a phrase is, by who is addressed.
 *
 * | level | in documentation | in an agent's own prompt |
 * | --- | --- | --- |
 * | `grave` | hard | hard |
 * | `strong` | hard | soft |
 * | `command` | hard | - |
 * | `weak` | soft | - |
 */
export type Level = (typeof levels)[number]
const levels = ['grave', 'strong', 'command', 'weak'] as const

/** What single words tell of a text, so that rules which search for more need not look at every text. */
export type Signal = 'backwards' | 'rotated' | 'command' | 'speaker'

/** What the phrases of one rule say, in whatever language. */
export type PhraseRule = {
  readonly name: string
  /** What is wrong, for people. */
  readonly says: string
}

/** `phrases.json`: `{list}` in a phrase stands for the alternatives of that list. */
type PhraseFile = {
  readonly rules: readonly (PhraseRule & {
    readonly lists: { readonly [list: string]: string | undefined }
    /** By the languages that they are in. */
    readonly phrases: {
      readonly [level in Level]?: { readonly [languages: string]: readonly string[] | undefined } | undefined
    }
  })[]
  readonly signals: {
    /** Words that most instructions hold one of: backwards, and rotated by 13 letters, they are signals. */
    readonly turned: string
    readonly command: string
    readonly speaker: string
  }
}

/** What a phrase tells of a text that has it. */
export type Entry = { readonly rule: PhraseRule; readonly level: Level } | { readonly signal: Signal }

/** All that is looked for: what a match tells, and the lines of its phrases. Read when a text is first scanned. */
export const entries = once((): readonly { readonly entry: Entry; readonly lines: readonly string[] }[] => {
  const file: PhraseFile = readData<typeof data>(new URL('./phrases.json', import.meta.url))
  const { turned, command, speaker } = file.signals
  const words = turned.split(' ')
  const signals: { readonly [signal in Signal]: string } = {
    backwards: words.map((word) => [...word].reverse().join('')).join('|'),
    rotated: words.map(rotated).join('|'),
    command,
    speaker,
  }
  return [
    ...file.rules.flatMap(({ name, says, lists, phrases }) => {
      const rule = { name, says }
      const whole = (line: string): string => line.replace(/\{(\w+)\}/g, (_, list: string) => lists[list]!)
      return levels.map((level) => ({
        entry: { rule, level },
        lines: Object.values(phrases[level] ?? {}).flatMap((lines = []) => lines.map(whole)),
      }))
    }),
    ...Object.entries(signals).map(([signal, line]) => ({
      entry: { signal: signal as Signal },
      lines: [line],
    })),
  ]
})

/** Every letter 13 places on, as in Caesar's cipher. */
export const rotated = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })

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
