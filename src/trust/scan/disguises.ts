import { rotated, type Signal } from './phrases/phrases.ts'
import type { TextWords } from './text/words.ts'

/** The same text with one kind of disguise undone. */
type Undisguised = { readonly how: string; readonly text: string }

/** Whether a word belongs to what is looked for; only then is undoing worth it. */
type KnowsWord = (word: string) => boolean

/**
 * The text with each kind of disguise undone that it seems to wear: digits and signs for letters, letters spaced out,
 * words broken up by punctuation or run together, text backwards or rotated by 13 letters. Plain texts give none.
 */
export function undisguise(
  text: string,
  words: TextWords,
  { signals, knows }: { readonly signals: ReadonlySet<Signal>; readonly knows: KnowsWord },
): readonly Undisguised[] {
  const shape = shapeOf(text, words, signals)
  const undone: Undisguised[] = []
  for (const { how, worn, undo } of disguises) {
    const plain = worn(shape) ? undo(text, knows) : undefined
    if (plain !== undefined && plain !== text) undone.push({ how, text: plain })
  }
  return undone
}

/** What to go by before a disguise is looked for, which takes longer. */
type Shape = {
  /** Words of one letter. */
  readonly single: number
  /** Words with letters and digits. */
  readonly mixed: number
  readonly longest: number
  readonly text: string
  readonly signals: ReadonlySet<Signal>
}

function shapeOf(text: string, { written }: TextWords, signals: ReadonlySet<Signal>): Shape {
  let single = 0
  let mixed = 0
  let longest = 0
  for (const word of written) {
    if (word.length === 1) single += 1
    if (word.length > longest) longest = word.length
    if (word.length > 1 && hasDigitBesideLetter(word)) mixed += 1
  }
  return { single, mixed, longest, text, signals }
}

/** Of the first 40 characters. */
function hasDigitBesideLetter(word: string): boolean {
  let digits = 0
  const end = Math.min(word.length, 40)
  for (let at = 0; at < end; at++) {
    const unit = word.charCodeAt(at)
    if (unit >= 48 && unit <= 57) digits += 1
  }
  return digits > 0 && digits < end
}

type Disguise = {
  readonly how: string
  /** Cheap: whether it is worth looking. */
  worn(shape: Shape): boolean
  undo(text: string, knows: KnowsWord): string | undefined
}

const lookAlikeSigns: { readonly [sign: string]: string } = {
  0: 'o',
  1: 'i',
  2: 'z',
  3: 'e',
  4: 'a',
  5: 's',
  6: 'g',
  7: 't',
  8: 'b',
  9: 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '+': 't',
  '€': 'e',
  '£': 'l',
  '¡': 'i',
}
const signedWord = /[\p{L}\d@$!|+€£¡]{2,40}/gu

/** `1gn0r3 pr3v10us` */
const signs: Disguise = {
  how: 'digits and signs stand for letters',
  worn: ({ mixed, text }) => mixed > 1 || /[A-Za-z][@$!|+][A-Za-z]/.test(text),
  undo(text, knows) {
    let found = 0
    const undone = text.replace(signedWord, (word) => {
      if (!/\p{L}/u.test(word) || !/[\d@$!|+€£¡]/.test(word)) return word
      const plain = word.replace(/[\d@$!|+€£¡]/g, (sign) => lookAlikeSigns[sign] ?? sign)
      const known = [
        plain,
        word.replace(/1/g, 'l').replace(/[\d@$!|+€£¡]/g, (sign) => lookAlikeSigns[sign] ?? sign),
      ]
        .flatMap((candidate) => [candidate, candidate.replace(/(?<!i)i+$/, '')])
        .find(knows)
      if (known !== undefined) found += 1
      return known ?? word
    })
    return found >= 2 ? undone : undefined
  },
}

const spacedRun = /(?<![\p{L}\d])(?:[\p{L}\d@$!][ \t._*~/\\|+,·•=:-]{1,3}){5,}[\p{L}\d](?![\p{L}\d])/gu

/** `i g n o r e   p r e v i o u s`, `i.g.n.o.r.e`, and `igno re` is none of it. */
const spacing: Disguise = {
  how: 'letters are spaced out',
  worn: ({ single }) => single > 5,
  undo(text, knows) {
    let found = 0
    const undone = text.replace(spacedRun, (run) => {
      const words = run
        .split(/[ \t]{2,3}|[ \t]{0,3}[/|][ \t]{0,3}/)
        .map((word) => word.replace(/[^\p{L}\d@$!]/gu, ''))
        .flatMap((word) => segmented(word, knows) ?? [word])
      if (words.some((word) => word.length > 2 && knows(word))) found += 1
      return words.join(' ')
    })
    return found > 0 ? undone : undefined
  },
}

const brokenWord =
  /(?<![A-Za-z\u00c0-\u04ff])[A-Za-z\u00c0-\u04ff]{1,12}(?:(?:[.*_~|\\/`'"^=+-]{1,4}|<[^<>\s]{0,12}>|<[^<>\s]{0,12}><[^<>\s]{0,12}>)[A-Za-z\u00c0-\u04ff]{1,12}){1,12}/g

/** `ig-no-re pre.vious`, `ig<b></b>nore` */
const breaks: Disguise = {
  how: 'words are broken up by punctuation',
  worn: () => true,
  undo(text, knows) {
    let found = 0
    const undone = text.replace(brokenWord, (chunk) => {
      const parts = chunk.split(/<[^<>]*>|[^\p{L}]+/u)
      const joined = parts.join('')
      if (
        joined.length < (chunk.includes('*') ? 3 : 4) ||
        !knows(joined) ||
        parts.every((part) => part.length > 3 && knows(part))
      )
        return chunk
      found += 1
      return joined
    })
    return found > 0 ? undone : undefined
  },
}

/** One of these stands in whatever is worth running together. */
const core =
  /ignore|disregard|forget|instruct|previous|prompt|secret|password|bypass|override|beforeany|tellthe|exfil|alwayscall/i

/** `ignorepreviousinstructions`, `IgnorePreviousInstructions` */
const gluing: Disguise = {
  how: 'words are run together',
  worn: ({ longest }) => longest > 13,
  undo(text, knows) {
    let found = 0
    const undone = text.replace(/(?<![A-Za-z])[A-Za-z]{14,200}/g, (word) => {
      if (!core.test(word)) return word
      const parts = segmented(word.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'), knows) ?? segmented(word, knows)
      if (parts === undefined || parts.length < 2) return word
      found += 1
      return parts.join(' ')
    })
    return found > 0 ? undone : undefined
  },
}

const backwards: Disguise = {
  how: 'the text is written backwards',
  worn: ({ signals }) => signals.has('backwards'),
  undo: (text) => [...text].reverse().join(''),
}

const rotation: Disguise = {
  how: 'letters are rotated by 13 places',
  worn: ({ signals }) => signals.has('rotated'),
  undo: rotated,
}

const disguises: readonly Disguise[] = [signs, spacing, breaks, gluing, backwards, rotation]

/** Short words that stand between known ones and are no part of what is looked for. */
const fillers = new Set(
  'a the of to and in on for is it with by or at as are you my me given please now then'.split(' '),
)
const longestWord = 16

/** Cuts letters into known words, as few as it can; undefined when some letters remain. */
function segmented(letters: string, knows: KnowsWord): readonly string[] | undefined {
  const joined = letters.split(' ')
  if (joined.length > 1) return joined
  if (letters.length > 400) return undefined
  const best: ({ readonly count: number; readonly from: number } | undefined)[] = [{ count: 0, from: 0 }]
  for (let end = 1; end <= letters.length; end++) {
    for (let from = Math.max(0, end - longestWord); from < end; from++) {
      const before = best[from]
      if (before === undefined || (best[end]?.count ?? Number.POSITIVE_INFINITY) <= before.count + 1) continue
      const word = letters.slice(from, end).toLowerCase()
      if (fillers.has(word) || (word.length > 1 && knows(word))) best[end] = { count: before.count + 1, from }
    }
  }
  if (best[letters.length] === undefined) return undefined
  const words: string[] = []
  for (let end = letters.length; end > 0; end = best[end]!.from)
    words.unshift(letters.slice(best[end]!.from, end))
  return words
}
