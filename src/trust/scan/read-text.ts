import type { Register } from './card-texts.ts'
import type { Finding, Span } from '../../domain/finding.ts'
import { type Reading, readPhrases } from './scan-phrases.ts'
import { type Words, wordsOf } from './text/words.ts'
import { excerptAround } from './excerpt.ts'
import { isQuoted } from './text/quotations.ts'
import { scoreOf, sentenceModel } from './learned/sentence-model.ts'
import { sentencesOf } from './learned/tokens.ts'
import { type Window, windowsOf } from './learned/windows.ts'

/** Scores from which a sentence is flagged, and from which its card is held; chosen by decision 10. */
const limits = { flagged: 0, held: 1.9 }
/** Prompts command by nature, and are long. */
const limitsInPrompts = { flagged: 0.5, held: 3.2 }

/** So few words tell nothing. */
const shortest = 3
const shortestName = 4

/** Windows of a text that the model is asked of; none of a plain name. */
export const windowsToRead = (text: string, register: Register, words: Words): readonly Window[] =>
  windowsOf(sentencesOf(text, words)).filter(({ length }) => register !== 'name' || length >= shortestName)

/** What the model makes of a text: its score where it was asked, and the finding from which on it is one. */
type SentenceReading = {
  readonly score: number | undefined
  readonly said: readonly Omit<Finding, 'field'>[]
}

/** The sentence of a text that reads most like an attack. The weights are opened when first asked. */
export function readSentences(text: string, register: Register, words: Words): SentenceReading {
  const windows = words.written.length < shortest ? [] : windowsToRead(text, register, words)
  if (windows.length === 0) return { score: undefined, said: [] }
  const model = sentenceModel()
  const scored: Scored[] = []
  for (const window of windows) scored.push({ window, score: scoreOf(model, window, register) })
  const { score, window: worst } = scored.reduce((most, one) => (one.score > most.score ? one : most))
  const { flagged, held } = register === 'prompt' ? limitsInPrompts : limits
  if (score < flagged) return { score, said: [] }
  const isHeld = score >= held && !isCited(text, worst)
  const finding = {
    rule: 'suspicious-sentence',
    severity: isHeld ? ('hard' as const) : ('soft' as const),
    excerpt: excerptAround(text, worst[0]!.start, worst.at(-1)!.end),
    message: 'reads like an attack on the model rather than like documentation',
    spans: narrowest(scored.filter((one) => one.score >= flagged)),
  }
  return { score, said: [finding] }
}

type Scored = { readonly window: Window; readonly score: number }

/** Where windows stand: of sentences that are suspected alone and beside another, alone. Windows come in order, a pair after its first. */
function narrowest(suspected: readonly Scored[]): readonly Span[] {
  const spans = suspected.map(({ window }): Span => [window[0]!.start, window.at(-1)!.end])
  return spans.filter(
    ([start, end], at) =>
      !spans
        .slice(Math.max(0, at - 1), at + 2)
        .some(([from, to]) => from >= start && to <= end && to - from < end - start),
  )
}

/** Whether half of a window or more stands in quotation marks: then others are said to say it. */
const isCited = (text: string, window: Window): boolean =>
  2 * window.filter(({ start, end }) => isQuoted(text, start, end)).length >= window.length

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
