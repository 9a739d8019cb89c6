import { firstPlace } from '../../domain/grouped.ts'
import type { CardFlag } from '../../domain/finding.ts'
import { wordsOf } from './text/words.ts'

/**
 * A text without the sentences that hold a suspected stretch, whole sentences each; what stands in their place names the rule, the first
 * of the flags where several hold. Linear in the text and in what is suspected.
 */
export function withoutSentences(text: string, flags: readonly Pick<CardFlag, 'rule' | 'spans'>[]): string {
  const bounds = sentenceBounds(text)
  const rules = new Map<number, string>()
  for (const { rule, spans = [] } of flags)
    for (const [from, to] of spans)
      for (let at = sentenceAt(bounds, from); at + 1 < bounds.length && bounds[at]! < to; at++)
        if (bounds[at + 1]! > from && !rules.has(at)) rules.set(at, rule)
  const kept: string[] = []
  for (let at = 0; at + 1 < bounds.length; at++) {
    const rule = rules.get(at)
    if (rule === undefined) kept.push(text.slice(bounds[at]!, bounds[at + 1]!))
    else if (rules.get(at - 1) !== rule) kept.push(`[cut: ${rule}] `)
  }
  return kept.join('').trim()
}

/** Where sentences begin, as the scan tells them apart, and the end of the text. */
export function sentenceBounds(text: string): readonly number[] {
  const { starts, sentences } = wordsOf(text)
  const bounds = starts.filter((_, at) => at > 0 && sentences[at] !== sentences[at - 1])
  return [0, ...bounds, text.length]
}

/** The last sentence that begins at a place of the text or before it. */
export const sentenceAt = (bounds: readonly number[], place: number): number =>
  firstPlace(1, bounds.length, (sentence) => bounds[sentence]! > place) - 1
