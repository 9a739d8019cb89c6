/**
 * The words of a text, in order. Of Chinese and Japanese, written without spaces, each character is a word. An
 * apostrophe joins (`don't`), but after one or two letters it parts, as elisions do (`l'outil`, `qu'il`).
 */
export type TextWords = {
  /** As written. */
  readonly written: readonly string[]
  /** Where each begins, in UTF-16 units. */
  readonly starts: readonly number[]
  /** Number of the sentence each stands in, from 0. */
  readonly sentences: readonly number[]
  /** Whether a stop or a line break stands before each, even where no sentence ends. */
  readonly opening: readonly boolean[]
}

/** Sentences shorter than this, in words, run on, and so do one or two words between stops: stops between all words end nothing. */
const shortestSentence = 3
const shortestPiece = 3

const other = 1
const letter = 2
const ideograph = 3
const stop = 4
const apostrophe = 5

/** Class of each UTF-16 unit, filled as units are met. */
const classes = new Uint8Array(65_536)

const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/u
const letters = /[\p{L}\p{M}\p{N}]/u

/** Reads a text once, from left to right. */
export function wordsOf(text: string): TextWords {
  const written: string[] = []
  const starts: number[] = []
  const sentences: number[] = []
  const opening: boolean[] = []
  let sentence = 0
  let inSentence = 0
  let sinceStop = 0
  let blank = 0
  let isOpening = true
  let start = -1
  const add = (from: number, to: number): void => {
    written.push(text.slice(from, to))
    starts.push(from)
    sentences.push(sentence)
    opening.push(isOpening)
    isOpening = false
    inSentence += 1
    sinceStop += 1
    blank = 0
  }
  const endSentence = (): void => {
    const isPiece = sinceStop >= shortestPiece
    sinceStop = 0
    if (inSentence < shortestSentence || !isPiece) return
    sentence += 1
    inSentence = 0
  }
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at)
    const isPair = unit >= 0xd800 && unit < 0xdc00 && at + 1 < text.length
    const kind = isPair ? classOf(String.fromCodePoint(text.codePointAt(at)!)) : classOfUnit(unit)
    const next = at + (isPair ? 2 : 1)
    if (kind === letter) {
      if (start < 0) start = at
    } else if (kind !== apostrophe || start < 0 || at - start < 3) {
      if (start >= 0) add(start, at)
      start = -1
      if (kind === ideograph) add(at, next)
      else if (unit === 10) {
        blank += 1
        isOpening = true
        if (blank === 2) endSentence()
      } else if (kind === stop && endsSentence(text, unit, next)) {
        isOpening = true
        endSentence()
      }
    }
    at = next
  }
  if (start >= 0) add(start, text.length)
  return { written, starts, sentences, opening }
}

/** A full stop ends a sentence before white space or the end only, and not within a number or an address. */
const endsSentence = (text: string, unit: number, next: number): boolean =>
  unit > 127 || next >= text.length || text.charCodeAt(next) <= 32

function classOfUnit(unit: number): number {
  const known = classes[unit]!
  if (known !== 0) return known
  const found = classOf(String.fromCharCode(unit))
  classes[unit] = found
  return found
}

function classOf(character: string): number {
  if (ideographs.test(character)) return ideograph
  if (letters.test(character)) return letter
  if (character === "'" || character === '’') return apostrophe
  return '.!?;。！？；'.includes(character) ? stop : other
}
