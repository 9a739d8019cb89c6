import { cut } from '../excerpt.ts'
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

/** Anything of the above; most texts hold none. */
const any =
  /[\u0000-\u0008\u000e-\u001b\u007f\u00ad\u115f\u1160\u180e\u200b-\u200d\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e00ff}]|[\u{e0100}-\u{e01ef}]|[\ufe00-\ufe0f]|\u034f/u

/** Characters that show nothing, or show text in another order than it is read. */
export const hiddenCharacters: Rule = {
  name: 'hidden-characters',
  inspect({ text: published }) {
    if (!any.test(published)) return []
    const text = published.replace(flags, '')
    return checks.flatMap(({ pattern, least, severity, says }): Hit[] => {
      const matches = [...text.matchAll(pattern)]
      if (matches.length < least) return []
      const hidden = decoded(matches.map(([match]) => match).join(''))
      const message = hidden === '' ? says : `${says}; they spell "${cut(hidden)}"`
      return [{ severity, excerpt: cut(shown(text, matches[0]!.index)), message }]
    })
  },
}

const checks: readonly {
  readonly pattern: RegExp
  /** Fewer are an accident. */
  readonly least: number
  readonly severity: Hit['severity']
  readonly says: string
}[] = [
  {
    pattern: tags,
    least: 1,
    severity: 'hard',
    says: 'holds tag characters, which nobody sees and models read',
  },
  {
    pattern: selectors,
    least: 1,
    severity: 'hard',
    says: 'holds runs of variation selectors, which can carry hidden bytes',
  },
  {
    pattern: overridesOfDirection,
    least: 1,
    severity: 'hard',
    says: 'holds overrides of writing direction: it shows another order than it has',
  },
  {
    pattern: embeddings,
    least: 1,
    severity: 'soft',
    says: 'holds embeddings or isolates of writing direction',
  },
  {
    pattern: zeroWidthRun,
    least: 1,
    severity: 'hard',
    says: 'holds runs of zero-width characters, which can carry hidden text',
  },
  {
    pattern: zeroWidthInWord,
    least: 3,
    severity: 'hard',
    says: 'holds words broken up by characters that show nothing',
  },
  {
    pattern: zeroWidthInWord,
    least: 1,
    severity: 'soft',
    says: 'holds a word broken up by a character that shows nothing',
  },
  { pattern: invisibleOperators, least: 1, severity: 'soft', says: 'holds characters that show nothing' },
  { pattern: terminal, least: 1, severity: 'soft', says: 'holds control characters or terminal sequences' },
]

/** The place, with the characters that do not show written as code points. */
const shown = (text: string, index: number): string =>
  text
    .slice(Math.max(0, index - 30), index + 60)
    .toWellFormed()
    .replace(
      /[\p{Cf}\p{Cc}\u115f\u1160\u3164\uffa0]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]|\u034f/gu,
      (character) =>
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
