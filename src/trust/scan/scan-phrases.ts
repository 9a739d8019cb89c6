import type { Register } from './card-texts.ts'
import { excerptAround } from './excerpt.ts'
import type { Finding } from '../../domain/finding.ts'
import { phraseIndex } from './phrases/phrase-index.ts'
import type { Level, PhraseRule } from './phrases/phrase-rule.ts'
import { type Use, useOf } from './phrases/descriptive-use.ts'
import { asksForPrivateData } from './rules/asks-for-private-data.ts'
import { demandsPriority } from './rules/demands-priority.ts'
import { hidesFromUser } from './rules/hides-from-user.ts'
import { obeysCode } from './rules/obeys-code.ts'
import { overridesInstructions } from './rules/overrides-instructions.ts'
import { steersOtherTools } from './rules/steers-other-tools.ts'
import { type Signal, signalWords } from './signals.ts'
import { type Words, wordsOf } from './text/words.ts'

/** Rules that go by what is said. */
const phraseRules: readonly PhraseRule[] = [
  overridesInstructions,
  demandsPriority,
  hidesFromUser,
  asksForPrivateData,
  steersOtherTools,
  obeysCode,
]

const levels: readonly Level[] = ['grave', 'strong', 'command', 'weak']

type Entry = { readonly rule: PhraseRule; readonly level: Level } | { readonly signal: Signal }

const index = phraseIndex<Entry>([
  ...phraseRules.flatMap((rule) =>
    levels.map((level) => ({ entry: { rule, level }, lines: rule.phrases[level] ?? [] })),
  ),
  ...Object.entries(signalWords).map(([signal, line]) => ({
    entry: { signal: signal as Signal },
    lines: [line],
  })),
])

/** Whether a word, as written, is one that phrases are made of. */
export const isPhraseWord = (word: string): boolean => index.knows(word)

/** What a phrase in a text comes to. */
export type Said = Omit<Finding, 'field'>

/** What the words of a text tell. */
export type Reading = { readonly said: readonly Said[]; readonly signals: ReadonlySet<Signal> }

/** Phrases of a text that instruct whoever reads it, of each rule the first soft and the first hard one, and signals. */
export function readPhrases(text: string, register: Register, words: Words = wordsOf(text)): Reading {
  const said: Said[] = []
  const seen = new Set<Signal>()
  const told = new Map<PhraseRule, Finding['severity']>()
  for (const { entry, first, end } of index.find(words)) {
    if ('signal' in entry) {
      seen.add(entry.signal)
      continue
    }
    const worst = told.get(entry.rule)
    if (worst === 'hard') continue
    const severity = severityOf(entry.level, register, useOf(text, words, first, end))
    if (severity === undefined || severity === worst) continue
    told.set(entry.rule, severity)
    const last = words.starts[end - 1]! + words.written[end - 1]!.length
    const start = words.starts[first]!
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
