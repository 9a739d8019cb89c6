import type { Register } from './card-texts.ts'
import type { Finding } from '../../domain/finding.ts'
import { readSentences } from './learned/read-sentences.ts'
import { readPhrases, type Reading } from './scan-phrases.ts'
import { type Words, wordsOf } from './text/words.ts'

/** Below this score the model takes a text for documentation: phrases in it are flagged at most. */
const documentation = 0
/** Below this one it takes it for documentation beyond doubt: phrases in it count for nothing. English is what it knows best. */
const beyondDoubt = -3
const ascii = /^[\u0000-\u007f]*$/

type Severity = Finding['severity']

/** How the sentences of a text read: `calm` like documentation, `plain` beyond doubt. */
export type Tone = 'plain' | 'calm' | 'loud'

/**
 * What the words of a text tell: phrases that the rules know, and the sentence that reads most like an attack where no phrase
 * tells as much.
 */
export function readText(
  text: string,
  register: Register,
  words: Words = wordsOf(text),
): Reading & { readonly tone: Tone } {
  const phrases = readPhrases(text, register, words)
  const sentences = readSentences(text, register, words)
  const tone = toneOf(sentences.score, text)
  const said = heeded(tone, phrases.said)
  const tells = (severity: Severity): boolean => said.some((phrase) => phrase.severity === severity)
  const news = sentences.said.filter(
    ({ severity }) => !tells('hard') && (severity === 'hard' || !tells('soft')),
  )
  return { said: [...said, ...news], signals: phrases.signals, tone }
}

function toneOf(score: number | undefined, text: string): Tone {
  if (score === undefined || score >= documentation) return 'loud'
  return score < beyondDoubt && ascii.test(text) ? 'plain' : 'calm'
}

/** What a witness said, as far as the tone of the text bears it out. */
export function heeded<T extends { readonly severity: Severity }>(
  tone: Tone,
  said: readonly T[],
): readonly T[] {
  if (tone === 'plain') return []
  return tone === 'loud' ? said : said.map((one) => ({ ...one, severity: 'soft' as const }))
}
