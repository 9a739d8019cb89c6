import { atMost, type Bench, type Floor, type Table } from '../../../bench/bench.ts'
import { shippedModel } from '../../../bench/static-model-folder.ts'
import { spread, type Workplace } from '../../../bench/workplace.ts'
import { seedOf } from '../../../src/domain/random.ts'
import { allDefences } from '../../../src/retrieval/defences/defence-settings.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { arsenalOf } from './arsenal.ts'
import type { Attack } from './attack.ts'
import { attacks, unpromised } from './attacks.ts'
import { blindAttacks } from './blind/blind.ts'
import { heldBy, type Sides, sidesOf, withSides } from './first-places.ts'
import { honestLosses } from './honest-tiers.ts'
import { guises, published } from './publish.ts'
import { type Battlefield, bundledBattlefield, devBattlefield } from './targets.ts'
import { unseenAttacks } from './unseen/unseen.ts'
import { noDefences } from '../../fakes/no-defences.ts'

const targetCount = 100
/** First places of 100 that newcomers may hold against cards of the user, and against strangers that are known for long. */
export const mostFirst = 3
export const mostFirstAmongStrangers = 35
/** Points of nDCG@10 that honest requests may lose where nobody attacks. */
const mostLost = 0.3

const parts: readonly { readonly name: string; readonly attacks: readonly Attack[] }[] = [
  { name: 'known', attacks: [...attacks, ...unpromised] },
  { name: 'unseen', attacks: unseenAttacks },
  { name: 'blind: documentation', attacks: blindAttacks.documentation },
  { name: 'blind: advertisements', attacks: blindAttacks.advertisements },
  { name: 'blind, by another hand: documentation', attacks: blindAttacks.documentationByOthers },
  { name: 'blind, by another hand: advertisements', attacks: blindAttacks.advertisementsByOthers },
]

const sides: readonly (Sides & { readonly title: string })[] = [
  { title: 'against installed', honest: 'installed', hostile: 'newcomer' },
  { title: 'against strangers', honest: 'stranger', hostile: 'newcomer' },
  { title: 'known for long too, against installed', honest: 'installed', hostile: 'stranger' },
  { title: 'known for long too, against strangers', honest: 'stranger', hostile: 'stranger' },
]

/** Who comes first: what provenance decides and text cannot. */
export const firstPlaces: Bench = {
  name: 'first-places',
  question:
    'How many first places do cards hold that were written against 100 known requests, by whose they are?',
  async run(workplace) {
    const model = await shippedModel()
    const field = workplace.data
      ? devBattlefield(workplace.data, targetCount, 'development')
      : await bundledBattlefield(targetCount)
    const tables: Table[] = []
    const floors: Floor[] = []
    for (const part of parts) {
      const found = await attackAll(
        workplace,
        field,
        model,
        workplace.quick ? spread(part.attacks, 3) : part.attacks,
      )
      tables.push({ ...found.table, title: `Places held, %: ${part.name}` })
      floors.push(
        atMost(`${part.name}: first places against installed cards, mean`, mostFirst, found.means[0], '%'),
        atMost(
          `${part.name}: first places against strangers, mean`,
          mostFirstAmongStrangers,
          found.means[1],
          '%',
        ),
      )
    }
    const honest = await honestLosses(workplace, field, model)
    await model?.close()
    return {
      tables: [...tables, honest.table],
      notes: [
        'Each cell: share of first places / of the first five. One hostile card for each request, each of a source of its own as far as 20 reach. Off: no defence. The hostile cards are newcomers, but where they are said to be known for long too, as in a first index, where nothing tells them apart.',
        ...parts.flatMap(({ attacks: of }) => of.map(({ name, describes }) => `${name}: ${describes}.`)),
      ],
      floors: [
        ...floors,
        atMost(
          'nDCG@10 lost where nobody attacks, half of the sources installed, mean of sets',
          mostLost,
          honest.lost,
        ),
      ],
    }
  },
}

async function attackAll(
  workplace: Workplace,
  field: Battlefield,
  model: EmbeddingModel | null,
  chosen: readonly Attack[],
): Promise<{ readonly table: Table; readonly means: readonly number[] }> {
  const rows: string[][] = []
  const sums = sides.map(() => 0)
  for (const attack of chosen) {
    workplace.log(`first-places: ${attack.name}`)
    const arsenal = arsenalOf(seedOf(attack.name), field.cards, model)
    const drafts = await attack.drafts(field.targets, field.targets.length, arsenal)
    const snapshot = await memorySnapshot([...field.cards, ...published(drafts, guises.at(-1)!)], model, {
      standingOf: sidesOf({ honest: 'stranger', hostile: 'newcomer' }),
    })
    const off = await heldBy(withSides(snapshot, sides[0]!), model, field.targets, noDefences)
    const cells = [off]
    for (const [column, side] of sides.entries()) {
      const held = await heldBy(withSides(snapshot, side), model, field.targets, allDefences)
      sums[column]! += held.first
      cells.push(held)
    }
    rows.push([attack.name, ...cells.map(({ first, five }) => `${first.toFixed(0)} / ${five.toFixed(1)}`)])
  }
  const means = sums.map((sum) => sum / chosen.length)
  rows.push(['mean of first places', '', ...means.map((mean) => mean.toFixed(1))])
  return { table: { title: '', head: ['attack', 'off', ...sides.map(({ title }) => title)], rows }, means }
}
