import { hiddenIn } from '../../../domain/text/hidden.ts'
import { excerptOfStart } from '../excerpt.ts'
import type { Hit, Rule } from '../rule.ts'

/** Tag characters but those of a flag: U+1F3F4, tags, U+E007F. */
const flags = /\u{1f3f4}[\u{e0020}-\u{e007e}]{2,8}\u{e007f}/gu
const tags = /[\u{e0000}-\u{e007f}]/gu
/** One selector chooses how a character looks; a run of them carries bytes. */
const selectors = /[\u{e0100}-\u{e01ef}]{2,}|[\ufe00-\ufe0f]{3,}/gu
/** Overrides and isolates that turn text around; marks (U+200E, U+200F) belong to scripts written right to left. */
const overridesOfDirection = /[\u202d\u202e]/g
const embeddings = /[\u202a\u202b\u2066-\u2068]/g
/** Zero-width characters in a row, or one between letters of scripts that use none. */
const zeroWidthRun = /[\u200b-\u200d\u2060-\u2064\ufeff]{4,}/g
/** Soft hyphens are left out: they belong where a long word may be broken. */
const zeroWidthInWord = /[A-Za-z](?:\u034f|[\u180e\u200b-\u200d\u2060-\u2064\ufeff])+(?=[A-Za-z])/g
const invisibleOperators = /[\u2061-\u2064\u206a-\u206f\ufff9-\ufffb\u3164\uffa0\u115f\u1160]/g
const terminal = /\u001b\[[\d;]*[A-Za-z]|[\u0000-\u0008\u000e-\u001a\u007f]/g

/** Printed ASCII holds none of the above, and most texts are of it. */
const plain = /^[\t\n\v\f\r\x20-\x7e]*$/

/** So many characters that show nothing are an accident, a handful, and a message, wherever they stand. */
const leastHidden = { flagged: 4, held: 12 }
/** Where lines or words may be broken, which scripts without spaces and long words need, and marks of direction beside letters of those scripts. */
const usual =
  /[\u00ad]|(?<=[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Han}\p{M}])\u200b|(?<=[\p{sc=Arab}\p{sc=Hebr}][^\n]{0,40})[\u200e\u200f\u061c]/gu
/** Spaces of other kinds between letters; beside digits and punctuation typesetters put them. */
const spacesBetweenWords = /(?<=\p{L})(?![ \u3000])\p{Zs}+(?=\p{L})/gu
const leastSpaces = 16
/** Marks on one letter beyond those of any language. */
const stackedMarks = /\p{M}{9,}/gu

/** Characters that show nothing, or show text in another order than it is read. */
export const hiddenCharacters: Rule = {
  name: 'hidden-characters',
  inspect({ text: published }) {
    if (plain.test(published)) return []
    const text = published.replace(flags, '')
    return [
      ...unseenIn(text),
      ...checks.flatMap(({ pattern, least, severity, says }): Hit[] => {
        const matches = [...text.matchAll(pattern)]
        if (matches.length < least) return []
        const hidden = decoded(matches.map(([match]) => match).join(''))
        const message = hidden === '' ? says : `${says}; they spell "${excerptOfStart(hidden)}"`
        return [{ severity, excerpt: excerptOfStart(shown(text, matches[0]!.index)), message }]
      }),
    ]
  },
}

/** Characters that show nothing, all kinds together: one here and one there spell a text as well as a run of them. */
function unseenIn(text: string): readonly Hit[] {
  const unseen = [...hiddenIn(text.replace(usual, ''))]
  const [first] = unseen
  if (first === undefined || unseen.length < leastHidden.flagged) return []
  const spelt = decoded(unseen.map(({ character }) => character).join(''))
  const says = `holds ${unseen.length} characters that show nothing`
  return [
    {
      severity: unseen.length >= leastHidden.held ? 'hard' : 'soft',
      excerpt: excerptOfStart(shown(text.replace(usual, ''), first.at)),
      message: spelt === '' ? says : `${says}; they spell "${excerptOfStart(spelt)}"`,
    },
  ]
}

type Check = {
  readonly pattern: RegExp
  readonly severity: Hit['severity']
  readonly says: string
  /** Fewer are an accident. */
  readonly least: number
}

const check = (pattern: RegExp, severity: Hit['severity'], says: string): Check => ({
  pattern,
  severity,
  says,
  least: 1,
})

const checks: readonly Check[] = [
  check(tags, 'hard', 'holds tag characters, which nobody sees and models read'),
  check(selectors, 'hard', 'holds runs of variation selectors, which can carry hidden bytes'),
  check(
    overridesOfDirection,
    'hard',
    'holds overrides of writing direction: it shows another order than it has',
  ),
  check(embeddings, 'soft', 'holds embeddings or isolates of writing direction'),
  check(zeroWidthRun, 'hard', 'holds runs of zero-width characters, which can carry hidden text'),
  { ...check(zeroWidthInWord, 'hard', 'holds words broken up by characters that show nothing'), least: 3 },
  check(zeroWidthInWord, 'soft', 'holds a word broken up by a character that shows nothing'),
  check(
    stackedMarks,
    'soft',
    'holds letters with more marks than any language has, which can carry hidden bytes',
  ),
  {
    ...check(
      spacesBetweenWords,
      'soft',
      'holds spaces of several kinds between words, which can carry hidden bytes',
    ),
    least: leastSpaces,
  },
  check(invisibleOperators, 'soft', 'holds characters that show nothing'),
  check(terminal, 'soft', 'holds control characters or terminal sequences'),
]

/** The place, with the characters that do not show written as code points. */
const shown = (text: string, index: number): string =>
  text
    .slice(Math.max(0, index - 30), index + 60)
    .toWellFormed()
    .replace(/[\p{Cf}\p{Cc}\p{Co}\p{Default_Ignorable_Code_Point}]/gu, (character) =>
      /[\n\t]/.test(character)
        ? ' '
        : `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`,
    )

/** Text that tag characters spell (each is an ASCII character moved up), or that selectors carry as bytes. */
function decoded(run: string): string {
  const codes = [...run].map((character) => character.codePointAt(0)!)
  const spelt = codes.map((code) =>
    code >= 0xe0020 && code <= 0xe007e
      ? code - 0xe0000
      : code >= 0xe0100 && code <= 0xe01ef
        ? code - 0xe0100 + 16
        : code >= 0xfe00 && code <= 0xfe0f
          ? code - 0xfe00
          : 0,
  )
  return spelt.filter((code) => code !== 0).length < 3
    ? ''
    : Buffer.from(spelt.filter((code) => code !== 0))
        .toString('utf8')
        .replaceAll('\ufffd', '')
}
