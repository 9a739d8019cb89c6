import { plainWords } from './plain-words.ts'

const speakers: ReadonlySet<string> = new Set(
  'i im my me mine we us our please you your can could what who whom whose where when how which why'.split(
    ' ',
  ),
)

/**
 * Whether a text is one person's request, by its words: first and second person, questions, numbers. One that is not may be
 * a description that somebody looks for, word for word.
 */
export const isRequestLike = (text: string): boolean =>
  /[?？؟]|(?<![\p{L}\p{N}])\d{2,}(?![\p{L}\p{N}])/u.test(text) ||
  plainWords(text).some((word) => speakers.has(word))
