import { type Finding, scanCards } from '../../../src/trust/scan/scan-cards.ts'
import type { Card } from '../../../src/domain/card.ts'
import { type Part, type Sample, readPart } from './corpus.ts'
import { evasions, sentences } from './evasions.ts'
import { neighbours } from './neighbours.ts'
import { attacksA, honestA } from './unseen/authored-a.ts'

export const attackParts: readonly Part[] = ['attacks-1', 'attacks-2', 'attacks-3']
export const honestParts: readonly Part[] = ['honest-1', 'honest-2', 'honest-3']

/** What rules and model have learned from. */
export const knownAttacks = (): readonly Sample[] => [...attackParts.flatMap(readPart), ...attacksA]
export const knownHonest = (): readonly Sample[] => [...honestParts.flatMap(readPart), ...honestA]

/** How the scanner did on some samples. */
export type Tally = {
  readonly cards: number
  /** Cards with a hard finding. */
  readonly hard: number
  /** Cards with any finding. */
  readonly flagged: number
  /** Attacks found as promised of their class. */
  readonly kept: number
  /** Names of those not found as promised. */
  readonly missed: readonly string[]
  readonly crashes: number
}

/** Scans samples one by one, beside the neighbours that names of the corpus imitate. */
export function tally(samples: readonly Sample[]): Tally {
  let hard = 0
  let flagged = 0
  let crashes = 0
  const missed: string[] = []
  for (const { card, promise } of samples) {
    try {
      const findings = scanCards([card], neighbours).get(card.id) ?? []
      const isHard = findings.some(({ severity }) => severity === 'hard')
      if (isHard) hard += 1
      if (findings.length > 0) flagged += 1
      if (promise === 'hard' ? !isHard : findings.length === 0) missed.push(card.name)
    } catch {
      crashes += 1
      missed.push(card.name)
    }
  }
  return { cards: samples.length, hard, flagged, kept: samples.length - missed.length, missed, crashes }
}

/** Samples by class, classes in the order they come. */
export function byClass(samples: readonly Sample[]): ReadonlyMap<string, readonly Sample[]> {
  const classes = new Map<string, Sample[]>()
  for (const sample of samples) classes.set(sample.class, [...(classes.get(sample.class) ?? []), sample])
  return classes
}

/** Of each evasion, how many of the sentences are still found hard, in the description of an otherwise plain tool. */
export const tallyEvasions = (): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(evasions).map(([name, evade]) => [
      name,
      sentences.filter((sentence) => isHard(plainTool(`Shows the time of a city. ${evade(sentence)}`)))
        .length,
    ]),
  )

export const isHard = (card: Card): boolean =>
  (scanCards([card]).get(card.id) ?? []).some(({ severity }: Finding) => severity === 'hard')

/** A tool with nothing to it but a description. */
export const plainTool = (description: string): Card => ({
  kind: 'tool',
  id: 'clock/show_time',
  source: 'clock',
  name: 'show_time',
  description,
  examples: [],
  tags: [],
  parameters: [],
  provenance: { reader: 'corpus', location: 'corpus' },
})
