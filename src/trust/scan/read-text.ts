import { firstPlace } from '../../domain/grouped.ts'
import type { Finding, Span } from '../../domain/finding.ts'
import type { Register } from './card-texts.ts'
import { excerptOf } from './excerpt.ts'
import { secondOpinion } from './learned/second-opinion.ts'
import { scoreOf, sentenceModel } from './learned/sentence-model.ts'
import { sentencesOf } from './learned/tokens.ts'
import { type Window, windowsOf } from './learned/windows.ts'
import { type PhraseReading, readPhrases } from './scan-phrases.ts'
import { isQuoted } from './text/quotations.ts'
import { type TextWords, wordsOf } from './text/words.ts'

type Limits = { readonly flagged: number; readonly held: number }
/**
 * Scores from which a sentence is flagged, and from which its card is held: of the model of sentences alone, and together with the second
 * opinion. Chosen by decision 10. Prompts command by nature, and are long.
 */
const limitsAlone = { reference: { flagged: -0.15, held: 0.8 }, prompt: { flagged: 0, held: 1 } }
const limitsTogether = { reference: { flagged: -0.4, held: 0.5 }, prompt: { flagged: -0.25, held: 0.7 } }

/** From this score on the second opinion is asked; what it says counts so much beside the score. */
const nearlyFlagged = -0.5
const opinionShare = 0.5
/** Of honest texts of so few words a seventh as many would be flagged as of longer ones: less is asked of so short a sentence. */
const fewWords = 8
const lessOfFew = 0.5
/** It is asked of so many sentences of a text, the worst, and in longer cards of none: reading takes a hundred times as long as scoring. */
const mostAsked = 16
const longestAsked = 40_000

/** Whether a second opinion is asked on sentences of a text: what is found in it depends on that. */
export const isShortEnough = (text: string, cardLength = 0): boolean =>
  Math.max(text.length, cardLength) <= longestAsked

/**
 * Of so many characters the limits above are meant. In more, some honest sentence scores high by chance: to keep the share of honest cards that
 * are held, the limit rises with the logarithm of their number, by what honest sentences of published cards ask (decision 10).
 */
const usualLength = 1_400
const rise = 0.45

const riseOf = (length: number): number => rise * Math.log(Math.max(1, length / usualLength))

/** So few words tell nothing. */
const shortest = 3
const shortestName = 4

/** A text, who it speaks to, and among how much its sentences are found: characters of its whole card, its own at least. */
export type TextToRead = {
  readonly text: string
  readonly register: Register
  readonly cardLength?: number | undefined
}

/** Windows of a text that the model is asked of; none of a plain name. */
export const windowsToRead = (text: string, register: Register, words: TextWords): readonly Window[] =>
  windowsOf(sentencesOf(text, words)).filter(({ length }) => register !== 'name' || length >= shortestName)

type Scored = { readonly span: Span; readonly score: number; readonly window: Window }

/** What the model makes of each sentence and each pair of a text, in order. The weights are opened when first asked. */
function scoresOf(text: string, register: Register, words: TextWords): readonly Scored[] {
  const windows = words.written.length < shortest ? [] : windowsToRead(text, register, words)
  if (windows.length === 0) return []
  const model = sentenceModel()
  const scored: Scored[] = []
  for (const window of windows)
    scored.push({
      window,
      span: [window[0]!.start, window.at(-1)!.end],
      score: scoreOf(model, window, register),
    })
  return scored
}

type Said = Omit<Finding, 'field'>

type Suspected = Scored & Pick<Finding, 'severity'>

/** Sentences and pairs from which on a card is flagged or held. Half in quotation marks or more, others are said to say it. */
function suspectedOf(
  { text, register, cardLength = 0 }: TextToRead,
  scored: readonly Scored[],
): readonly Suspected[] {
  const lessFor = ({ window }: Scored): number =>
    register === 'reference' && window.length <= fewWords ? lessOfFew : 0
  const near = scored.filter((one) => one.score >= nearlyFlagged - lessFor(one))
  const opinion = near.length > 0 && isShortEnough(text, cardLength) ? secondOpinion() : null
  const asked = new Set(opinion && [...near].sort((a, b) => b.score - a.score).slice(0, mostAsked))
  const suspectedIn = (one: Scored, { flagged, held }: Limits): readonly Suspected[] => {
    if (one.score < flagged) return []
    const limit = held + riseOf(Math.max(text.length, cardLength))
    const isHard = one.score >= limit && !isCited(text, one.window)
    return [{ ...one, severity: isHard ? 'hard' : 'soft' }]
  }
  const kind = register === 'prompt' ? 'prompt' : 'reference'
  return near.flatMap((one) => {
    if (!opinion || !asked.has(one)) return suspectedIn(one, limitsAlone[kind])
    const score = one.score + opinionShare * opinion(text.slice(...one.span))
    const { flagged, held } = limitsTogether[kind]
    return suspectedIn({ ...one, score }, { flagged: flagged - lessFor(one), held })
  })
}

/** The sentence that reads most like an attack, of those that hold the card if there are any. */
function suspiciousSentence(text: string, suspected: readonly Suspected[]): readonly Said[] {
  if (suspected.length === 0) return []
  const holding = suspected.filter(({ severity }) => severity === 'hard')
  const decided = holding.length > 0 ? holding : suspected
  return [
    {
      rule: 'suspicious-sentence',
      severity: decided[0]!.severity,
      excerpt: excerptOf(text, alone(worst(decided), decided).span),
      message: 'reads like an attack on the model rather than like documentation',
      spans: narrowest(suspected),
    },
  ]
}

const worst = (scored: readonly Scored[]): Scored =>
  scored.reduce((most, one) => (one.score > most.score ? one : most))

/** Of a pair one sentence, where that decides by itself: the worse of two. */
function alone(pair: Scored, decided: readonly Scored[]): Scored {
  const parts = decided.filter((one) => one !== pair && isPartOf(one.span, pair.span))
  return parts.length === 0 ? pair : worst(parts)
}

const isPartOf = ([from, to]: Span, [start, end]: Span): boolean => from >= start && to <= end

/** Where windows stand: of sentences that are suspected alone and beside another, alone. Windows come in order, a pair after its first. */
function narrowest(suspected: readonly Scored[]): readonly Span[] {
  const spans = suspected.map(({ span }) => span)
  return spans.filter(
    ([start, end], at) =>
      !spans
        .slice(Math.max(0, at - 1), at + 2)
        .some(([from, to]) => isPartOf([from, to], [start, end]) && to - from < end - start),
  )
}

const isCited = (text: string, window: Window): boolean =>
  2 * window.filter(({ start, end }) => isQuoted(text, start, end)).length >= window.length

/** Below this score the model takes sentences for documentation: phrases in them are flagged at most. */
const documentation = -0.7
/** Below this one it takes them for documentation beyond doubt: phrases in them count for nothing. */
const beyondDoubt = -1

type Severity = Finding['severity']

/** How sentences read: `calm` like documentation, `plain` beyond doubt. */
type Tone = 'plain' | 'calm' | 'loud'

/** How the sentences of a text read that stand where something was found; without a place, all of it. */
export type ToneAt = (spans?: readonly Span[]) => Tone

function toneIn(scored: readonly Scored[]): ToneAt {
  const around = windowsAt(scored)
  return (spans) => {
    const windows = spans === undefined ? scored : spans.flatMap(around)
    if (windows.length === 0 || worst(windows).score >= documentation) return 'loud'
    return worst(windows).score < beyondDoubt ? 'plain' : 'calm'
  }
}

/** Finds the windows that share something with a stretch, of which there are few however long the text. */
function windowsAt(scored: readonly Scored[]): (span: Span) => readonly Scored[] {
  let furthest = 0
  const reached = scored.map(({ span }) => (furthest = Math.max(furthest, span[1])))
  return ([start, end]) => {
    const found: Scored[] = []
    // Windows come in order.
    const after = firstPlace(0, scored.length, (at) => scored[at]!.span[0] >= end)
    for (let at = after - 1; at >= 0 && reached[at]! > start; at--)
      if (scored[at]!.span[1] > start) found.push(scored[at]!)
    return found
  }
}

/**
 * What the words of a text tell: phrases that the rules know, and the sentence that reads most like an attack, of those in which no
 * phrase tells as much.
 */
export function readText(
  read: TextToRead,
  words: TextWords = wordsOf(read.text),
): PhraseReading & { readonly toneAt: ToneAt } {
  const { text, register } = read
  const scored = scoresOf(text, register, words)
  const toneAt = toneIn(scored)
  const { said, signals } = readPhrases({
    text,
    register,
    words,
    heed: (severity, place) => heeded(toneAt([place]), severity),
  })
  const news = suspectedOf(read, scored).filter((one) => !said.some((phrase) => tells(phrase, one)))
  return { said: [...said, ...suspiciousSentence(text, news)], signals, toneAt }
}

/** Whether a phrase stands in sentences that are suspected, and is as grave. */
const tells = ({ severity, spans = [] }: Said, suspected: Suspected): boolean =>
  (severity === 'hard' || suspected.severity === 'soft') &&
  spans.some(([start, end]) => start < suspected.span[1] && end > suspected.span[0])

/** How grave what a witness found is, as far as the tone of the sentences around bears it out; undefined where it is nothing. */
export function heeded(tone: Tone, severity: Severity): Severity | undefined {
  if (tone === 'plain') return undefined
  return tone === 'loud' ? severity : 'soft'
}
