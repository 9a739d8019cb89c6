/** What a text amounts to. */
export type TextSize = {
  readonly words: number
  readonly characters: number
  readonly charactersWithoutSpaces: number
  readonly lines: number
  readonly sentences: number
  readonly paragraphs: number
  /** At 230 words a minute, rounded up. */
  readonly readingMinutes: number
}

/** Words are runs of letters and digits, with apostrophes and hyphens inside; characters are as people see them. */
export function countWords(text: string): TextSize {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’-][\p{L}\p{N}\p{M}]+)*/gu)?.length ?? 0
  const characters = segments(text, 'grapheme')
  return {
    words,
    characters: characters.length,
    charactersWithoutSpaces: characters.filter((character) => character.trim() !== '').length,
    lines: text === '' ? 0 : text.replace(/\r?\n$/, '').split(/\r?\n/).length,
    sentences: segments(text, 'sentence').filter((sentence) => /[\p{L}\p{N}]/u.test(sentence)).length,
    paragraphs: text.split(/\r?\n\s*\r?\n/).filter((part) => part.trim() !== '').length,
    readingMinutes: Math.ceil(words / 230),
  }
}

const segments = (text: string, granularity: 'grapheme' | 'sentence'): readonly string[] =>
  Array.from(new Intl.Segmenter('en', { granularity }).segment(text), ({ segment }) => segment)
