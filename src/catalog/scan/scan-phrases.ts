import type { CardText, Register } from './card-texts.ts'
import { excerptAround } from './excerpt.ts'
import type { Finding } from './finding.ts'
import { phraseIndex } from './phrases/phrase-index.ts'
import type { Level, PhraseRule } from './phrases/phrase-rule.ts'
import { type Standing, standingOf } from './phrases/standing.ts'
import { asksForPrivateData } from './rules/asks-for-private-data.ts'
import { obeysCode } from './rules/obeys-code.ts'
import { demandsPriority } from './rules/demands-priority.ts'
import { hidesFromUser } from './rules/hides-from-user.ts'
import { overridesInstructions } from './rules/overrides-instructions.ts'
import { steersOtherTools } from './rules/steers-other-tools.ts'
import type { Words } from './text/words.ts'

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

type Entry = { readonly rule: PhraseRule; readonly level: Level }

const index = phraseIndex<Entry>(
  phraseRules.flatMap((rule) =>
    levels.map((level) => ({ entry: { rule, level }, lines: rule.phrases[level] ?? [] })),
  ),
)

/** Whether a word, as written, is one that phrases are made of. */
export const isPhraseWord = (word: string): boolean => index.knows(word)

/** What a phrase in a text comes to. */
export type Said = Omit<Finding, 'field'> & { readonly standing: Standing }

/** Phrases of a text that instruct whoever reads it, each rule's worst first. */
export function phrasesIn(text: string, words: Words, register: CardText['register']): readonly Said[] {
  return index.find(words).flatMap(({ entry, first, end }): Said[] => {
    const standing = standingOf(text, words, first, end)
    const severity = severityOf(entry.level, register, standing)
    if (severity === undefined) return []
    const last = words.starts[end - 1]! + words.written[end - 1]!.length
    return [
      {
        rule: entry.rule.name,
        severity,
        excerpt: excerptAround(text, words.starts[first]!, last),
        message: entry.rule.says,
        standing,
      },
    ]
  })
}

function severityOf(level: Level, register: Register, standing: Standing): Finding['severity'] | undefined {
  if (standing === 'denied') return undefined
  if (register === 'prompt') {
    if (standing === 'cited') return undefined
    return level === 'grave' ? 'hard' : level === 'strong' ? 'soft' : undefined
  }
  if (level === 'weak') return standing === 'cited' ? undefined : 'soft'
  return standing === 'cited' ? 'soft' : 'hard'
}
