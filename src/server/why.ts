import type { JsonObject } from '../domain/json.ts'
import type { Signals, StandsBackSignal } from '../retrieval/answer.ts'
import { recordText } from '../retrieval/track-record/record-text.ts'
import { withRemedy } from '../domain/with-remedy.ts'
import { withoutPaths } from './machine-paths.ts'
import { oneLine, quoted, quotedList } from './quoted-text.ts'

/** Why a candidate is there, in short. Numbers are rounded here and nowhere earlier. */
export function why(signals: Signals): JsonObject {
  const { lexical, dense, crossEncoder, lift } = signals
  return {
    matched: signals.matched.slice(0, 4).map((word) => oneLine(word, 30)),
    coverage: rounded(signals.coverage, 2),
    ...(lexical === undefined ? {} : { lexical: rounded(lexical, 2) }),
    ...(dense === undefined ? {} : { dense: rounded(dense, 2) }),
    ...(crossEncoder === undefined ? {} : { crossEncoder: rounded(crossEncoder, 3) }),
    ...(lift === undefined ? {} : { lift: { from: lift.from, share: rounded(lift.share, 2) } }),
    ...(signals.facets.length === 0 ? {} : { steps: signals.facets.slice(0, 8) }),
    ...(signals.duplicates.length === 0 ? {} : { duplicates: signals.duplicates.slice(0, 3) }),
    ...standsBackField(signals),
    ...(signals.record === undefined ? {} : { record: recordText(signals.record) }),
    ...obstacleField(signals),
  }
}

/** What keeps a candidate from running here. The line for the user stands in the answer of `probe_agent`. */
function obstacleField({ obstacle }: Signals): { readonly cannotRun?: string } {
  if (obstacle === undefined) return {}
  if (obstacle.kind === 'permission') return { cannotRun: "the user's settings do not allow it" }
  return { cannotRun: oneLine(withoutPaths(withRemedy(obstacle.message, obstacle.remedy)), 200) }
}

/** The words that matched, what stands against it, and no more. */
export const whyInBrief = (signals: Signals): JsonObject => ({
  matched: signals.matched.slice(0, 2).map((word) => oneLine(word, 20)),
  ...standsBackField(signals),
  ...(signals.record === undefined ? {} : { record: recordText(signals.record) }),
  ...obstacleField(signals),
})

/** The same for a readable line. */
export function whyLine(signals: Signals): string {
  const { matched, dense, crossEncoder, lift, duplicates, standsBack, record } = signals
  const { cannotRun } = obstacleField(signals)
  const reasons = [
    ...(cannotRun === undefined ? [] : [`cannot run here: ${cannotRun}`]),
    ...(standsBack === undefined ? [] : [`stands back: ${standsBackLine(standsBack)}`]),
    ...(record === undefined ? [] : [recordText(record)]),
    ...(matched.length === 0 ? [] : [`has ${quotedList(matched.slice(0, 3), 3, 30)}`]),
    ...(dense === undefined ? [] : [`meaning ${rounded(dense, 2)}`]),
    ...(crossEncoder === undefined ? [] : [`relevance ${rounded(crossEncoder, 3)}`]),
    ...(lift === undefined ? [] : [`lifted by ${quoted(lift.from, 80)}`]),
    ...(duplicates.length === 0 ? [] : [`${duplicates.length} near-identical folded in`]),
  ]
  return reasons.join(', ')
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
