import type { Finding, Span } from '../../domain/finding.ts'
import type { Register } from './card-texts.ts'
import { sentenceBounds, withoutSentences } from './cut-sentences.ts'
import { scanText } from './scan-text.ts'

/** A text of others, and who it speaks to. */
export type ReadableText = { readonly register: Register; readonly text: string }

/** A text as a model may read it, and the rules for which sentences were cut out of it. */
export type CutText = { readonly text: string; readonly rules: readonly string[] }

/** `all`: whatever was found; `soft`: what a card is served with, so that what a person released stays. */
export type CutFor = 'all' | 'soft'

/** Sentences may say together what none of them says alone, and others once those between them are gone. */
const mostRounds = 3

/** What nobody sees is left out wherever a text goes out: no sentence needs to go with it. */
const leftOutAnyway = 'hidden-characters'

/** The text without the sentences that the scan suspects, in time linear in it; null when there are none. */
export function cutSuspected({ register, text }: ReadableText, cutFor: CutFor): CutText | null {
  const rules = new Set<string>()
  let left = text
  for (let round = 0; round <= mostRounds; round++) {
    const read = { register, text: withoutNames(left, rules) }
    const found = suspected(read, cutFor)
    if (found.length === 0) break
    for (const { rule } of found) rules.add(rule)
    left =
      round === mostRounds
        ? `[cut: ${[...rules][0]}]`
        : withoutSentences(left, [...found, ...sentencesSuspected(read, cutFor)])
  }
  return rules.size === 0 ? null : { text: left, rules: [...rules] }
}

/** As long as it was, without our names of rules: some read like what they stand for. */
function withoutNames(text: string, rules: ReadonlySet<string>): string {
  let read = text
  for (const rule of rules) {
    const named = `[cut: ${rule}]`
    read = read.replaceAll(named, `[${'-'.repeat(named.length - 2)}]`)
  }
  return read
}

type Placed = Finding & { readonly spans: readonly Span[] }

/** What a scan of the whole finds. It names a rule once: what else says the same is found sentence by sentence. */
function suspected(text: ReadableText, cutFor: CutFor): readonly Placed[] {
  return scanned(text).flatMap((finding): readonly Placed[] => {
    if (finding.spans !== undefined)
      return cutFor === 'soft' && finding.severity === 'hard' ? [] : [{ ...finding, spans: finding.spans }]
    const counts = finding.severity === 'hard' && cutFor === 'all' && finding.rule !== leftOutAnyway
    return counts ? [{ ...finding, spans: placesOf(finding, text) }] : []
  })
}

function sentencesSuspected({ register, text }: ReadableText, cutFor: CutFor): readonly Placed[] {
  return spansOfSentences(text).flatMap(([start, end]) =>
    suspected({ register, text: text.slice(start, end) }, cutFor).map((one) => ({
      ...one,
      spans: [[start, end] as const],
    })),
  )
}

/** The sentences that say by themselves what was found without a place; all of the text where none does. */
function placesOf({ rule }: Finding, { register, text }: ReadableText): readonly Span[] {
  const bounds = spansOfSentences(text)
  const saying = bounds.filter(
    ([start, end]) =>
      bounds.length > 1 &&
      scanned({ register, text: text.slice(start, end) }).some(
        (one) => one.rule === rule && one.severity === 'hard',
      ),
  )
  return saying.length === 0 ? [[0, text.length]] : saying
}

function spansOfSentences(text: string): readonly Span[] {
  const bounds = sentenceBounds(text)
  return bounds.slice(1).map((end, at) => [bounds[at]!, end])
}

/** What was found without a place, each rule once; all that has one. */
function scanned(text: ReadableText): readonly Finding[] {
  const findings = scanText({ ...text, field: '' })
  const unplaced = findings.filter(({ spans }) => spans === undefined)
  return [
    ...findings.filter(({ spans }) => spans !== undefined),
    ...new Map(unplaced.map((one) => [`${one.rule} ${one.severity}`, one])).values(),
  ]
}
