import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Signals, StandsBackSignal } from '../../retrieval/answer.ts'
import { recordText } from '../../retrieval/record/record-text.ts'
import { withRemedy } from '../../domain/remedy-error.ts'
import { oneLine, quoted, quotedList, withoutPaths } from '../text.ts'
import { defined } from '../../domain/defined.ts'

/** Why a candidate is there, with every signal. Numbers are rounded here and nowhere earlier. */
export function whyWhole(signals: Signals): JsonObject {
  const { lexical, dense, reading, crossEncoder, lift } = signals
  const two = (value: number | undefined) => value && rounded(value, 2)
  return defined({
    matched: signals.matched.slice(0, 8).map((word) => oneLine(word, 30)),
    coverage: rounded(signals.coverage, 2),
    lexical: two(lexical),
    dense: two(dense),
    reading: two(reading),
    crossEncoder: crossEncoder && rounded(crossEncoder, 3),
    liftShare: two(lift?.share),
    ...reasonsOf(signals),
  })
}

/**
 * Why a candidate is there, as far as what is shown of it does not tell: words of the query found elsewhere in its card,
 * the steps it serves, and what speaks for it or against it.
 */
export function whyField(signals: Signals, shown: string): JsonObject {
  const seen = shown.toLowerCase()
  const elsewhere = signals.matched.filter((word) => !seen.includes(word.toLowerCase().slice(0, 5)))
  return {
    ...(elsewhere.length === 0 ? {} : { matched: elsewhere.slice(0, 2).map((word) => oneLine(word, 24)) }),
    ...reasonsOf(signals),
  }
}

/** What speaks for a candidate or against it, and no more. */
export const whyInBrief = (signals: Signals): JsonObject => ({
  ...(signals.provenance === undefined ? {} : { from: signals.provenance }),
  ...standsBackField(signals),
  ...(signals.record === undefined ? {} : { record: recordText(signals.record) }),
  ...obstacleField(signals),
})

/** What a reader cannot see of a candidate: the steps it serves, what folded into it, what speaks for it or against it. */
export const reasonsOf = (signals: Signals): JsonObject => ({
  ...(signals.facets.length === 0 ? {} : { steps: signals.facets.slice(0, 8) }),
  ...(signals.lift === undefined ? {} : { liftedBy: signals.lift.from }),
  ...(signals.duplicates.length === 0 ? {} : { duplicates: signals.duplicates.slice(0, 3) }),
  ...whyInBrief(signals),
})

/** What keeps a candidate from running here. The line for the user stands in the answer of `probe_agent`. */
function obstacleField({ obstacle }: Signals): { readonly cannotRun?: string } {
  if (obstacle === undefined) return {}
  if (obstacle.kind === 'permission') return { cannotRun: "the user's settings do not allow it" }
  return { cannotRun: oneLine(withoutPaths(withRemedy(obstacle.message, obstacle.remedy)), 200) }
}

/** The same for a readable line. */
export function whyLine(why: JsonObject): string {
  const texts = (value: JsonValue | undefined): readonly string[] =>
    Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  const { from, cannotRun, standsBack, record, liftedBy } = why
  const matched = texts(why.matched)
  const duplicates = texts(why.duplicates)
  return [
    ...(typeof from === 'string' ? [from] : []),
    ...(typeof cannotRun === 'string' ? [`cannot run here: ${cannotRun}`] : []),
    ...(typeof standsBack === 'string' ? [`stands back: ${standsBack}`] : []),
    ...(typeof record === 'string' ? [record] : []),
    ...(matched.length === 0 ? [] : [`has ${quotedList(matched, 3, 30)}`]),
    ...(typeof liftedBy === 'string' ? [`lifted by ${quoted(liftedBy, 80)}`] : []),
    ...(duplicates.length === 0 ? [] : [`near-identical: ${quotedList(duplicates, 3, 80)}`]),
  ].join(', ')
}

const standsBackField = ({ standsBack }: Signals): JsonObject =>
  standsBack === undefined ? {} : { standsBack: standsBackLine(standsBack) }

/** The command holds the name of a source, which its publisher may have chosen. */
const standsBackLine = ({ because, lift }: StandsBackSignal): string =>
  oneLine(`${because}; the user lifts it by: ${lift}`, 240)

/** A number with so many decimals at most. */
export const rounded = (value: number, decimals: number): number => {
  const factor = 10 ** decimals
  return Math.round(value * factor) / factor
}
