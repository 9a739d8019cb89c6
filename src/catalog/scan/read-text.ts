import type { Register } from './card-texts.ts'
import { readSentences } from './learned/read-sentences.ts'
import { readPhrases, type Reading } from './scan-phrases.ts'
import { type Words, wordsOf } from './text/words.ts'

/** Below this score the model takes a text for documentation: phrases in it are flagged at most. English is what it knows best. */
const documentation = 0
const ascii = /^[\u0000-\u007f]*$/

/** What the words of a text tell: phrases that the rules know, and the sentence that reads most like an attack. */
export function readText(
  text: string,
  register: Register,
  words: Words = wordsOf(text),
): Reading & { readonly isCalm: boolean } {
  const phrases = readPhrases(text, register, words)
  const sentences = readSentences(text, register, words)
  const isCalm = sentences.score !== undefined && sentences.score < documentation && ascii.test(text)
  const said = isCalm
    ? phrases.said.map((phrase) => ({ ...phrase, severity: 'soft' as const }))
    : phrases.said
  return { said: [...said, ...sentences.said], signals: phrases.signals, isCalm }
}
