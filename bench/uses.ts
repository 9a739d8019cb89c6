import { type UseSettings, useDefaults } from '../src/retrieval/record/use-index.ts'
import { atLeast, atMost, type Bench, fixed } from './bench.ts'
import { type Replay, rankingsBefore, replay } from './uses-replay.ts'

/** Draws of broken tools by which the settings are chosen, and others by which they are judged. */
const seeds = { chosen: range(1, 20), judged: range(101, 20) }

/** Uses of each tool. */
const counts = [1, 3, 5, 10]

/** What uses do to rankings when some tools are broken. */
export const uses: Bench = {
  name: 'uses',
  question: 'How soon do broken tools leave the first places when they are used, and does a sound one fall?',
  async run({ quick }) {
    const rankings = await rankingsBefore()
    const over = (drawn: readonly number[], count: number, settings: UseSettings) =>
      sum(drawn.map((seed) => replay(rankings, { seed, uses: count }, settings)))
    const rows = grid(quick).map((settings) => {
      const after = counts.map((count) => over(seeds.chosen, count, settings))
      return { settings, after, fallen: after.reduce((total, one) => total + one.fallen, 0) }
    })
    const chosen = counts.map((count) => ({ count, ...over(seeds.judged, count, useDefaults) }))
    const ten = chosen.at(-1)!
    return {
      tables: [
        {
          title:
            'Settings, over 20 draws: share of broken tools that left the first places, and sound ones that ever fell',
          head: ['expected', 'strength', 'weight', ...counts.map((count) => `after ${count}`), 'fell'],
          rows: rows.map(({ settings, after, fallen }) => [
            ...[settings.expected, settings.strength, settings.weight].map(String),
            ...after.map((one) => `${fixed(leftOf(one))} %`),
            `${fallen}`,
          ]),
        },
        {
          title: 'The settings that are built in, over 20 other draws of 400 tools',
          head: [
            'uses of each tool',
            'broken in first places before',
            'after',
            'left',
            'sound ones that fell',
          ],
          rows: chosen.map((one) => [
            ...[one.count, one.before, one.after].map(String),
            `${fixed(leftOf(one))} %`,
            `${one.fallen}`,
          ]),
        },
      ],
      notes: [
        '20% of the tools are broken: dead server, always an error, slow, empty result, wrong schema. Of uses of sound ones 5% fail and 10% are asked wrongly; every fourth of them is a search, which rightly finds nothing in 20%.',
      ],
      floors: [
        atLeast('broken tools that left the first places after 10 uses', 80, leftOf(ten), ' %'),
        atMost('sound tools that fell', 0, Math.max(...chosen.map(({ fallen }) => fallen))),
      ],
    }
  },
}

const leftOf = ({ before, after }: Replay): number => (100 * (before - after)) / before

const sum = (all: readonly Replay[]): Replay =>
  all.reduce((one, other) => ({
    before: one.before + other.before,
    after: one.after + other.after,
    fallen: one.fallen + other.fallen,
  }))

function grid(quick: boolean): readonly UseSettings[] {
  const expected = quick ? [0.9] : [0.7, 0.9, 0.97]
  return expected.flatMap((one) =>
    (quick ? [4] : [1, 2, 3, 4, 6]).flatMap((strength) =>
      [1, 2, 4].map((weight) => ({ ...useDefaults, expected: one, strength, weight })),
    ),
  )
}

function range(from: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => from + at)
}
