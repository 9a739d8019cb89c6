import { wordForm } from '../phrases/phrases.ts'
import type { TextWords } from '../text/words.ts'
import { meaningOf, unspacedWords } from './meanings.ts'

/** A word, or a run of words written as one (an address, a path, a name of code), as the model reads it. */
export type Token = {
  /** Its stem, or the kind of run in angle brackets, or a quotation mark. */
  readonly stem: string
  /** What it means among instructions, its stem where that is short, or null. */
  readonly meaning: string | null
  /** Of a run, stems and meanings of its words. */
  readonly parts: readonly string[]
  /** Tells its stem, meaning and parts from those of others. */
  readonly key: string
  /** Where it begins and ends in the text, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

type Read = Pick<Token, 'stem' | 'meaning' | 'parts' | 'key'>

const keyed = (read: Omit<Read, 'key'>): Read => ({
  ...read,
  key: `${read.stem} ${read.meaning} ${read.parts.join(' ')}`,
})

/** A name of more words is read word by word: it may be a sentence with other signs for its spaces. */
const longestName = 2
/** Words of a run that are read. */
const mostParts = 12
const none: readonly string[] = []

/** The sentences of a text as tokens. */
export function sentencesOf(text: string, words: TextWords): readonly (readonly Token[])[] {
  const { written, starts, sentences } = words
  const all: Token[][] = []
  let current: Token[] = []
  let spelled = -1
  for (let at = 0; at < written.length; ) {
    if (at > 0 && sentences[at] !== sentences[at - 1]) {
      all.push(current)
      current = []
    }
    const start = starts[at]!
    const unspaced = unspacedAt(words, at)
    if (unspaced > 1) {
      const end = endOf(words, at + unspaced - 1)
      current.push({ ...readWord(text.slice(start, end)), start, end })
      at += unspaced
      continue
    }
    let last = at
    // Of a run that is read word by word the end is known: looked for at each of its words, it would take the square of their number.
    if (at > spelled) {
      while (last + 1 < written.length && isLink(text, endOf(words, last), starts[last + 1]!)) last += 1
      if (last - at >= longestName && !/[/@.:]/.test(text.slice(start, starts[last]!))) spelled = last
      if (at <= spelled) last = at
    }
    const end = endOf(words, last)
    if (start > 0 && '"`“«„「'.includes(text[start - 1]!)) current.push({ ...mark, start, end: start })
    const lead = leadOf(text, start)
    current.push(
      last === at && lead === ''
        ? { ...readWord(written[at]!), start, end }
        : {
            ...readRun(written.slice(at, last + 1), lead + text.slice(start, end)),
            start: start - lead.length,
            end,
          },
    )
    if (end < text.length && closes(text, end)) current.push({ ...mark, start: end, end })
    at = last + 1
  }
  if (current.length > 0) all.push(current)
  return all
}

/** How many words from here on make one that is written without spaces: the longest known, or 1. */
function unspacedAt({ written, starts }: TextWords, at: number): number {
  if (written[at]!.charCodeAt(0) < 0x3041) return 1
  const { words, longest: longestUnspaced } = unspacedWords()
  let joined = written[at]!
  let longest = 1
  for (let next = at + 1; next < written.length && joined.length < longestUnspaced; next++) {
    if (starts[next]! !== starts[at]! + joined.length) break
    joined += written[next]!
    if (words.has(joined)) longest = next - at + 1
  }
  return longest
}

const endOf = ({ written, starts }: TextWords, at: number): number => starts[at]! + written[at]!.length

const mark: Read = keyed({ stem: '"', meaning: '"', parts: none })

const closes = (text: string, end: number): boolean =>
  '"`”»」'.includes(text[end]!) || ('.,!?'.includes(text[end]!) && '"`”»」'.includes(text[end + 1] ?? ' '))

/** Whether what stands between two words makes one run of them, as in `a_b`, `a.b`, `a/b`, `a@b`, `a://b`. */
function isLink(text: string, end: number, next: number): boolean {
  if (next === end || next - end > 3) return false
  for (let at = end; at < next; at++) {
    if (!'_/@.:~\\'.includes(text[at]!)) return false
  }
  return text[end] !== ':' || next - end > 1
}

/** Signs right before a run that make it a path: `~/`, `./`, `/`, `.` */
function leadOf(text: string, start: number): string {
  let from = start
  while (from > 0 && start - from < 4 && './~'.includes(text[from - 1]!)) from -= 1
  return text.slice(from, start)
}

const remembered = new Map<string, Read>()
const mostRemembered = 50_000

function readWord(word: string): Read {
  const known = remembered.get(word)
  if (known !== undefined) return known
  const made = wordRead(word)
  if (remembered.size >= mostRemembered) remembered.clear()
  if (word.length <= 40) remembered.set(word, made)
  return made
}

function wordRead(word: string): Read {
  if (/\p{Ll}{2}\p{Lu}\p{Ll}{2}/u.test(word))
    return readRun(word.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').split(' '), 'camel_case')
  const form = wordForm(word)
  const stem = stemOf(form)
  const meaning = meaningOf(form)
  return keyed({
    stem,
    meaning: meaning ?? (form.length <= 3 ? stem : null),
    parts: meaning === undefined ? none : [`~${meaning}${endingOf(form)}`],
  })
}

const readRun = (words: readonly string[], whole: string): Read => {
  const kind = kindOf(whole)
  return keyed({ stem: kind, meaning: kind, parts: words.slice(0, mostParts).flatMap(partsOf) })
}

const kindOf = (whole: string): string =>
  whole.includes('://')
    ? '<address>'
    : whole.includes('@')
      ? '<mail>'
      : /[/\\~]|^\./.test(whole)
        ? '<path>'
        : whole.includes('_')
          ? '<name>'
          : '<dotted>'

const partsOf = (word: string): readonly string[] => {
  const form = wordForm(word)
  const meaning = meaningOf(form)
  return meaning === undefined ? [stemOf(form)] : [stemOf(form), `=${meaning}`]
}

const longestStem = 8

/** Descriptions say `reads`, orders say `read`: English forms of a verb that tell the two apart. */
const endingOf = (form: string): string => /(?:s|ing|ed)$/.exec(form)?.[0] ?? ''

/** The form without common endings of English, cut to 8 letters; numbers are alike. */
function stemOf(form: string): string {
  if (/^\d/.test(form)) return '0'
  if (form.length <= 3) return form
  const cut = form.replace(/(?:ings?|ed|es|s|ly)$/, '')
  return (cut.length < 3 ? form : cut.replace(/e$/, '')).slice(0, longestStem)
}
