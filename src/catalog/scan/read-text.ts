import type { Register } from './card-texts.ts'
import type { Finding } from './finding.ts'
import { readSentences } from './learned/read-sentences.ts'
import { readPhrases, type Reading } from './scan-phrases.ts'
import { type Words, wordsOf } from './text/words.ts'

/** Below this score the model takes a text for documentation: phrases in it are flagged at most. English is what it knows best. */
const documentation = 0.5
const ascii = /^[\u0000-\u007f]*$/

type Severity = Finding['severity']

/**
 * What the words of a text tell: phrases that the rules know, and the sentence that reads most like an attack where no phrase
 * tells as much. `isCalm`: the sentences read like documentation.
 */
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
  const tells = (severity: Severity): boolean => said.some((phrase) => phrase.severity === severity)
  const news = sentences.said.filter(
    ({ severity }) => !tells('hard') && (severity === 'hard' || !tells('soft')),
  )
  return { said: [...said, ...news], signals: phrases.signals, isCalm }
}
