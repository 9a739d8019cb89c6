import { type Bench, type Table, atLeast, atMost } from '../../../bench/bench.ts'
import type { Workplace } from '../../../bench/workplace.ts'
import { scanCards } from '../../../src/trust/scan/scan-cards.ts'
import { readPart } from './corpus.ts'
import { sentences } from './evasions.ts'
import {
  attackParts,
  byClass,
  honestParts,
  knownAttacks,
  knownHonest,
  tally,
  tallyEvasions,
} from './measure.ts'
import { sharedCards } from './shared-cards.ts'
import { attacksB, honestB } from './unseen/authored-b.ts'
import { attacksC, honestC } from './unseen/authored-c.ts'
import { attacksE, honestE } from './unseen/authored-e.ts'
import { attacksF, honestF } from './unseen/authored-f.ts'

/** Poisoned descriptions: what the scanner finds, and what it finds where nothing is. */
export const descriptions: Bench = {
  name: 'descriptions',
  question: 'Are poisoned descriptions found, and honest ones left alone?',
  async run(workplace) {
    const attacks = tally(knownAttacks())
    const honest = tally(knownHonest())
    const blindAttacks = tally(attacksB)
    const blindHonest = tally(honestB)
    const allBlindAttacks = tally([...attacksB, ...attacksC, ...attacksE(), ...attacksF()])
    const allBlindHonest = tally([...honestB, ...honestC, ...honestE(), ...honestF()])
    const evaded = tallyEvasions()
    const evasionsFound = [...evaded.values()].reduce((sum, found) => sum + found, 0)
    const shared = workplace.data === null ? undefined : scanShared(workplace.data, workplace)
    const classes = [...byClass(knownAttacks())]
    return {
      tables: [
        {
          title: 'Attacks by class',
          head: ['class', 'attacks', 'hard', 'flagged', 'as promised', 'missed'],
          rows: classes.map(([name, samples]) => {
            const { cards, hard, flagged, kept, missed } = tally(samples)
            return [name, `${cards}`, `${hard}`, `${flagged}`, share(kept, cards), missed.join(' ')]
          }),
        },
        {
          title: 'Honest look-alikes by class',
          head: ['class', 'cards', 'hard', 'flagged'],
          rows: [...byClass(knownHonest())].map(([name, samples]) => {
            const { cards, hard, flagged } = tally(samples)
            return [name, `${cards}`, `${hard}`, `${flagged}`]
          }),
        },
        {
          title: 'Written blind, never looked at: attacks by class',
          head: ['class', 'attacks', 'hard', 'flagged', 'as promised'],
          rows: [...byClass(attacksB)].map(([name, samples]) => {
            const { cards, hard, flagged, kept } = tally(samples)
            return [name, `${cards}`, `${hard}`, `${flagged}`, share(kept, cards)]
          }),
        },
        {
          title: 'Written blind, never looked at: honest look-alikes by class',
          head: ['class', 'cards', 'hard', 'flagged'],
          rows: [...byClass(honestB)].map(([name, samples]) => {
            const { cards, hard, flagged } = tally(samples)
            return [name, `${cards}`, `${hard}`, `${flagged}`]
          }),
        },
        {
          title: 'Tuned beside blind, shares of cards',
          head: ['set', 'attacks', 'held', 'noticed', 'honest', 'held', 'noticed'],
          rows: [
            ['tuned', attacks, honest] as const,
            ['blind, by authors who had not seen the scanner', blindAttacks, blindHonest] as const,
            ['blind, before rules and texts were read', tally(attacksC), tally(honestC)] as const,
            ['blind, placed after model and limits were fixed', tally(attacksE()), tally(honestE())] as const,
            ['blind, placed after a later learning', tally(attacksF()), tally(honestF())] as const,
            ['all blind sets', allBlindAttacks, allBlindHonest] as const,
          ].map(([name, bad, good]) => [
            name,
            ...[bad, good].flatMap(({ cards, hard, flagged }) => [
              `${cards}`,
              share(hard, cards),
              share(flagged, cards),
            ]),
          ]),
        },
        {
          title: 'Blind, before rules and texts were read: by class',
          head: ['class', 'cards', 'held', 'noticed'],
          rows: [...byClass(attacksC), ...byClass(honestC)].map(([name, samples]) => {
            const { cards, hard, flagged } = tally(samples)
            return [name, `${cards}`, `${hard}`, `${flagged}`]
          }),
        },
        {
          title: 'Parts of the corpus',
          head: ['part', 'cards', 'hard', 'flagged'],
          rows: [...attackParts, ...honestParts].map((part) => {
            const { cards, hard, flagged } = tally(readPart(part))
            return [part, `${cards}`, share(hard, cards), share(flagged, cards)]
          }),
        },
        {
          title: `Evasions, each of ${sentences.length} sentences`,
          head: ['evasion', 'hard'],
          rows: [...evaded].map(([name, found]) => [name, `${found}`]),
        },
        ...(shared?.tables ?? []),
      ],
      notes: [
        `${attacks.cards} attacks in ${classes.length} classes and ${honest.cards} honest cards, all written for this suite.`,
        'The figures of known attacks guard against falling back and are no forecast: rules and model have learned from them.',
        `Written blind, by authors who had not seen the scanner, and never looked at by those who made it: ${share(blindAttacks.kept, blindAttacks.cards)} of ${blindAttacks.cards} attacks found as promised, ${share(blindAttacks.flagged, blindAttacks.cards)} flagged at least; ${blindHonest.hard} of ${blindHonest.cards} honest cards found hard, ${blindHonest.flagged} flagged. Expect these of attacks that nobody has seen.`,
        ...(shared === undefined ? ['Published catalogs: skipped, data not present.'] : shared.notes),
      ],
      floors: [
        atLeast('attacks found as promised', 0.93, attacks.kept / attacks.cards),
        atMost('honest look-alikes found hard', 0.02, honest.hard / honest.cards),
        atLeast('blind attacks held', 0.6, allBlindAttacks.hard / allBlindAttacks.cards),
        atLeast('blind attacks noticed', 0.85, allBlindAttacks.flagged / allBlindAttacks.cards),
        atMost('blind honest look-alikes held', 0.01, allBlindHonest.hard / allBlindHonest.cards),
        atMost('blind honest look-alikes noticed', 0.08, allBlindHonest.flagged / allBlindHonest.cards),
        atLeast('evasions found hard', 0.95, evasionsFound / (evaded.size * sentences.length)),
        atMost('published cards found hard', 0.002, shared === undefined ? undefined : shared.hardShare),
        atMost(
          'crashes',
          0,
          attacks.crashes +
            honest.crashes +
            allBlindAttacks.crashes +
            allBlindHonest.crashes +
            (shared?.crashes ?? 0),
        ),
      ],
    }
  },
}

const share = (part: number, whole: number): string => (whole === 0 ? '-' : (part / whole).toFixed(3))

type SharedTally = {
  readonly tables: readonly Table[]
  readonly notes: readonly string[]
  readonly hardShare: number
  readonly crashes: number
}

/** Every card of the published catalogs, or every twentieth. */
function scanShared(data: string, { quick, log }: Pick<Workplace, 'quick' | 'log'>): SharedTally {
  const rules = new Map<string, { hard: number; soft: number; example: string }>()
  let cards = 0
  let hardCards = 0
  let flaggedCards = 0
  let crashes = 0
  let seconds = 0
  for (const { set, cards: all } of sharedCards(data)) {
    const chosen = quick ? all.filter((_, at) => at % 20 === 0) : all
    cards += chosen.length
    log(`${set}: ${chosen.length} cards`)
    const before = process.cpuUsage()
    try {
      for (const [id, findings] of scanCards(chosen)) {
        flaggedCards += 1
        if (findings.some(({ severity }) => severity === 'hard')) hardCards += 1
        for (const { rule, severity } of findings) {
          const counts = rules.get(rule) ?? { hard: 0, soft: 0, example: '' }
          counts[severity] += 1
          if (severity === 'hard' && counts.example === '') counts.example = id
          rules.set(rule, counts)
        }
      }
    } catch (error) {
      crashes += 1
      log(`${set}: ${String(error)}`)
    }
    seconds += (process.cpuUsage(before).user + process.cpuUsage(before).system) / 1e6
  }
  return {
    hardShare: hardCards / cards,
    crashes,
    tables: [
      {
        title: 'Published catalogs: findings by rule',
        head: ['rule', 'hard', 'soft', 'a hard one'],
        rows: [...rules]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([rule, { hard, soft, example }]) => [rule, `${hard}`, `${soft}`, example]),
      },
    ],
    notes: [
      `Published catalogs: ${cards} cards, ${hardCards} with a hard finding (${(hardCards / cards).toFixed(5)}), ${flaggedCards} with any.`,
      `Scanning took ${seconds.toFixed(1)} s of processor time, ${Math.round(cards / seconds)} cards a second.`,
    ],
  }
}
