import { atMost, type Bench, type Floor, type Table } from '../../../bench/bench.ts'
import { difference, macro, withInterval } from '../../../bench/scores.ts'
import { hasModel, modelFolder } from '../../../bench/static-model-folder.ts'
import { spread, type Workplace } from '../../../bench/workplace.ts'
import { staticModel } from '../../../src/adapters/static-model/static-model.ts'
import { seedOf } from '../../../src/evaluation/statistics/seeded-random.ts'
import {
  allDefences,
  type DefenceSettings,
  noDefences,
} from '../../../src/retrieval/defences/defence-settings.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { arsenalOf } from './arsenal.ts'
import type { Attack } from './attack.ts'
import { attacks, unpromised } from './attacks.ts'
import { ndcgOf, placesHeld } from './measure.ts'
import { type Guise, guises, published } from './publish.ts'
import { unseenAttacks } from './unseen/unseen.ts'
import { type Battlefield, bundledBattlefield, devBattlefield } from './targets.ts'

const targetCount = 100
/** Hostile cards among all, as the floor has it. */
const hostileShare = 0.01
const mostHeld = 5
const mostLost = 0.5

const without = (name: keyof DefenceSettings): DefenceSettings => ({ ...allDefences, [name]: false })
const columns: readonly { readonly name: string; readonly defences: DefenceSettings }[] = [
  { name: 'undefended', defences: noDefences },
  { name: 'defended', defences: allDefences },
  ...(Object.keys(allDefences) as (keyof DefenceSettings)[]).map((name) => ({
    name: `without ${name}`,
    defences: without(name),
  })),
]

/** Attacks on the ranking: cards that are written to be found. */
export const retrieval: Bench = {
  name: 'retrieval',
  question:
    'How many places do cards hold that were written against 100 known requests, and what do the defences cost?',
  async run(workplace) {
    const model = hasModel ? await staticModel(modelFolder) : null
    const field = workplace.data
      ? devBattlefield(workplace.data, targetCount, workplace.quick ? 'development' : 'all')
      : await bundledBattlefield(targetCount)
    const { table, worst } = await attackAll(workplace, field, model, attacks)
    const unseen = await attackAll(workplace, field, model, unseenAttacks)
    const other = await attackAll(workplace, field, model, unpromised)
    const honest = await honestQuality(workplace, field, model)
    await model?.close()
    return {
      tables: [
        {
          ...table,
          title: `Places held of the first five, %: ${field.cards.length.toLocaleString('en')} honest tools`,
        },
        {
          ...unseen.table,
          title:
            'The same for attacks written by one who knew the requests and public catalogs, not the defences',
        },
        {
          ...other.table,
          title: 'The same for what no text alone can tell from an honest card: measured, not promised',
        },
        honest.table,
      ],
      notes: [
        ...[...attacks, ...unseenAttacks, ...unpromised].map(
          ({ name, describes }) => `${name}: ${describes}.`,
        ),
        `${field.targets.length} requests; hostile cards are ${100 * hostileShare}% of the catalog, at least one per ten requests. Without data of tool sets: the bundled tools.`,
      ],
      floors: [
        ...[...worst].map(([name, held]) =>
          atMost(`${name}: places held, the worst of ${guises.length} disguises`, mostHeld, held, '%'),
        ),
        ...honest.floors,
      ],
    }
  },
}

/** @returns the table, and per attack the most places that any disguise holds against all defences */
async function attackAll(
  workplace: Workplace,
  field: Battlefield,
  model: EmbeddingModel | null,
  chosen: readonly Attack[],
): Promise<{ readonly table: Table; readonly worst: ReadonlyMap<string, number> }> {
  const rows: string[][] = []
  const worst = new Map<string, number>()
  for (const attack of chosen) {
    const arsenal = arsenalOf(seedOf(attack.name), field.cards, model)
    const drafts = await attack.drafts(field.targets, hostileCount(field), arsenal)
    for (const guise of guises) {
      workplace.log(`retrieval: ${attack.name}, ${guise.name}`)
      const held = await heldBy(
        field,
        model,
        published(drafts, guise),
        isWorstGuise(guise) ? columns : columns.slice(0, 2),
      )
      worst.set(attack.name, Math.max(worst.get(attack.name) ?? 0, held[1]!))
      rows.push([attack.name, guise.name, ...columns.map((_, column) => held[column]?.toFixed(1) ?? '')])
    }
  }
  return {
    table: { title: '', head: ['attack', 'disguise', ...columns.map(({ name }) => name)], rows },
    worst,
  }
}

/** Of this disguise each defence is also switched off on its own. */
const isWorstGuise = ({ sources }: Guise): boolean => sources === 20

/** One card per ten targets at least: a small catalog would otherwise hold none. */
export const hostileCount = ({ cards, targets }: Battlefield): number =>
  Math.max(Math.ceil(targets.length / 10), Math.floor((hostileShare * cards.length) / (1 - hostileShare)))

async function heldBy(
  field: Battlefield,
  model: EmbeddingModel | null,
  hostile: ReturnType<typeof published>,
  settings: typeof columns,
): Promise<readonly number[]> {
  const snapshot = await memorySnapshot([...field.cards, ...hostile], model)
  const held: number[] = []
  for (const { defences } of settings) held.push(await placesHeld(snapshot, model, field.targets, defences))
  return held
}

async function honestQuality(
  workplace: Workplace,
  { parts }: Battlefield,
  model: EmbeddingModel | null,
): Promise<{ readonly table: Table; readonly floors: readonly Floor[] }> {
  const packs = ['diverse', 'ranking'] as const
  const settings = packs.flatMap((pack) => [noDefences, allDefences].map((defences) => ({ defences, pack })))
  const scores = settings.map(() => new Map<string, readonly number[]>())
  for (const { name, cards, queries } of parts) {
    workplace.log(`retrieval: honest requests of ${name}`)
    const asked = workplace.quick ? spread(queries, 60) : queries
    const found = await ndcgOf(await memorySnapshot(cards, model), model, asked, settings)
    found.forEach((values, column) => {
      scores[column]!.set(name, values)
    })
  }
  const lost = packs.map((_, place) => macro(difference(scores[2 * place]!, scores[2 * place + 1]!)))
  return {
    table: {
      title: 'nDCG@10 of honest requests, own tools, nobody attacking: 95% intervals',
      head: ['', 'undefended', 'defended', 'lost'],
      rows: packs.map((pack, place) => [
        pack === 'diverse' ? 'answers as hosts get them' : 'the bare ranking',
        withInterval(macro(scores[2 * place]!)),
        withInterval(macro(scores[2 * place + 1]!)),
        withInterval(lost[place]!),
      ]),
    },
    floors: packs.map((pack, place) =>
      atMost(
        `nDCG@10 lost on honest requests, ${pack === 'diverse' ? 'packed' : 'bare'}`,
        mostLost,
        lost[place]!.mean,
      ),
    ),
  }
}
