import type { Finding, Span } from '../../domain/finding.ts'
import { once } from '../../domain/once.ts'
import type { Register } from './card-texts.ts'
import { excerptAround } from './excerpt.ts'
import { type Use, useOf } from './phrases/descriptive-use.ts'
import { phraseIndex } from './phrases/phrase-index.ts'
import { entries, type Level, type PhraseRule, type Signal } from './phrases/phrases.ts'
import type { Words } from './text/words.ts'

/** Made when a text is first scanned. */
const index = once(() => phraseIndex(entries()))

/** Whether a word, as written, is one that phrases are made of. */
export const isPhraseWord = (word: string): boolean => index().knows(word)

/** What a phrase in a text comes to. */
export type Said = Omit<Finding, 'field'>

/** What the words of a text tell. */
export type Reading = { readonly said: readonly Said[]; readonly signals: ReadonlySet<Signal> }

/** A text whose phrases are looked for, and how severe one of them is there, once the sentences around it are heeded. */
type PhrasesIn = {
  readonly text: string
  readonly register: Register
  readonly words: Words
  heed(severity: Finding['severity'], place: Span): Finding['severity'] | undefined
}

/** Phrases of a text that instruct whoever reads it, of each rule the first soft and the first hard one, and signals. */
export function readPhrases({ text, register, words, heed }: PhrasesIn): Reading {
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
