import type { Finding, Span } from '../../domain/finding.ts'
import { once } from '../../domain/once.ts'
import type { Register } from './card-texts.ts'
import { excerptAround } from './excerpt.ts'
import { type PhraseMatch, phraseIndex } from './phrases/phrase-index.ts'
import { entries, type Level, type PhraseRule, type Signal, wordForm } from './phrases/phrases.ts'
import { isQuoted } from './text/quotations.ts'
import type { TextWords } from './text/words.ts'

/** Made when a text is first scanned. */
const index = once(() => phraseIndex(entries()))

/** Whether a word, as written, is one that phrases are made of. */
export const isPhraseWord = (word: string): boolean => index().knows(word)

/** What a phrase in a text comes to. */
export type Said = Omit<Finding, 'field'>

/** What the words of a text tell. */
export type PhraseReading = { readonly said: readonly Said[]; readonly signals: ReadonlySet<Signal> }

/** A text whose phrases are looked for, and how severe one of them is there, once the sentences around it are heeded. */
type PhrasesIn = {
  readonly text: string
  readonly register: Register
  readonly words: TextWords
  heed(severity: Finding['severity'], place: Span): Finding['severity'] | undefined
}

/** Phrases of a text that instruct whoever reads it, of each rule the first soft and the first hard one, and signals. */
export function readPhrases({ text, register, words, heed }: PhrasesIn): PhraseReading {
  const said: Said[] = []
  const seen = new Set<Signal>()
  const reported = new Map<PhraseRule, Finding['severity']>()
  for (const match of index().find(words)) {
    const { entry, first, end } = match
    if ('signal' in entry) {
      seen.add(entry.signal)
      continue
    }
    const worst = reported.get(entry.rule)
    if (worst === 'hard') continue
    const last = words.starts[end - 1]! + words.written[end - 1]!.length
    const start = words.starts[first]!
    const claimed = severityOf(entry.level, register, useOf(text, words, match))
    const severity = claimed && heed(claimed, [start, last])
    if (severity === undefined || severity === worst) continue
    reported.set(entry.rule, severity)
    const excerpt = excerptAround(text, start, last)
    said.push({ rule: entry.rule.name, severity, excerpt, message: entry.rule.says, spans: [[start, last]] })
  }
  return { said, signals: seen }
}

function severityOf(level: Level, register: Register, standing: Use): Finding['severity'] | undefined {
  if (standing === 'denied') return undefined
  if (register === 'prompt') {
    if (standing === 'cited') return undefined
    return level === 'grave' ? 'hard' : level === 'strong' ? 'soft' : undefined
  }
  if (level === 'weak') return standing === 'cited' ? undefined : 'soft'
  return standing === 'cited' ? 'soft' : 'hard'
}

/** Words back from a phrase that can tell it as something that others do, or deny it. */
const reachOfDescription = 14
const reachOfDenial = 4
const reachAfter = 6

/** Words that speak of attacks and of what is done against them. */
const describing =
  /^(?:detect|identif|flag|block|catch|classif|recogni[sz]|prevent|mitigat|defend|defen[cs]e|reject|refus|resist|sanitiz|neutrali[sz]|attempt|inject|jailbreak|attack|malicious|adversar|suspicious|hostile|payload|exploit|vulnerab|poison|hijack|manipulat|untrusted|trick|phish|erkenn|angriff|attaqu|ataque|detect|атак|обнаруж|блокир)/

/** Words that announce an example or what others say. */
const announcing = new Set(
  'like eg example examples phrases phrase saying says quotes whether e.g tries trying'.split(' '),
)

const denying = new Set(
  'never not dont doesnt wont cannot cant without no avoid refuse refuses nor shouldnt mustnt isnt didnt nicht nie niemals jamais nunca не никогда 不 勿 别 莫'.split(
    ' ',
  ),
)

/** What was denied before one of these is not denied after it. */
const clauseEnd = /[,;:()—–\n，；：]/

/** Where these open a phrase, what was denied before them stays denied. */
const without = new Set('without ohne sans sin sem senza без'.split(' '))

const describingAfter = /^(?:attempt|inject|jailbreak|attack|pattern|phrase|exploit)/

/** How a phrase stands in its text. */
type Use = 'said' | 'cited' | 'denied'

/**
 * Whether a phrase is said to the reader, cited as what others say (in quotation marks, or in a sentence that speaks of
 * attacks or examples), or denied ("never ...").
 */
function useOf(text: string, words: TextWords, { first, end }: Omit<PhraseMatch<unknown>, 'entry'>): Use {
  const sentence = words.sentences[first]
  const isOf = (at: number): boolean => words.sentences[at] === sentence
  const form = (at: number): string => wordForm(words.written[at]!)
  const opensWithDenial = denying.has(form(first)) && !without.has(form(first))
  for (let at = first - 1; !opensWithDenial && at >= 0 && first - at <= reachOfDenial && isOf(at); at--) {
    if (denying.has(form(at)) && !clauseEnd.test(text.slice(words.starts[at], words.starts[first])))
      return 'denied'
  }
  const last = words.starts[end - 1]! + words.written[end - 1]!.length
  if (isQuoted(text, words.starts[first]!, last)) return 'cited'
  for (let at = first - 1; at >= 0 && first - at <= reachOfDescription && isOf(at); at--) {
    if (describing.test(form(at)) || announcing.has(form(at))) return 'cited'
  }
  for (let at = end; at < words.written.length && at - end < reachAfter && isOf(at); at++) {
    if (describingAfter.test(form(at))) return 'cited'
  }
  return 'said'
}
