import { atMost, type Bench, type Floor, type Table } from '../../../bench/bench.ts'
import { difference, macro, withInterval } from '../../../bench/scores.ts'
import { shippedModel } from '../../../bench/static-model-folder.ts'
import { spread, type Workplace } from '../../../bench/workplace.ts'
import { seedOf } from '../../../src/domain/random.ts'
import { allDefences, type DefenceSettings } from '../../../src/retrieval/defences/defence-settings.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { arsenalOf } from './arsenal.ts'
import type { Attack } from './attack.ts'
import { attacks, unpromised } from './attacks.ts'
import { leastHeld, ndcgOf, placesHeld } from './measure.ts'
import { type Guise, guises, published, standingsWith } from './publish.ts'
import { unseenAttacks } from './unseen/unseen.ts'
import { type Battlefield, bundledBattlefield, devBattlefield } from './targets.ts'
import { noDefences } from '../../fakes/no-defences.ts'

const targetCount = 100
/** Hostile cards among all, as the floor has it. */
const hostileShare = 0.01
const mostHeld = 5
const mostLost = 0.5

const without = (name: keyof DefenceSettings): DefenceSettings => ({ ...allDefences, [name]: false })
const names = Object.keys(allDefences) as (keyof DefenceSettings)[]
const head = [
  'undefended',
  'stranger',
  'least',
  'distrusted',
  ...names.map((name) => `distrusted, without ${name}`),
]

/** Attacks on the ranking: cards that are written to be found. */
export const retrieval: Bench = {
  name: 'retrieval',
  question:
    'How many places do cards hold that were written against 100 known requests, and what do the defences cost?',
  async run(workplace) {
    const model = await shippedModel()
    const field = workplace.data
      ? devBattlefield(workplace.data, targetCount, workplace.quick ? 'development' : 'all')
      : await bundledBattlefield(targetCount)
    const { table, worst, beyond } = await attackAll(workplace, field, model, attacks)
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
        `stranger: the attacker's sources are strangers, as all here are; distrusted: the user distrusts them. least: what is left to strangers by a defence that knows every hostile card, and keeps to the bound: half of the score, three places.`,
        `${field.targets.length} requests; hostile cards are ${100 * hostileShare}% of the catalog, at least one per ten requests. Without data of tool sets: the bundled tools.`,
      ],
      floors: [
        ...[...worst].map(([name, held]) =>
          atMost(
            `${name}: places held by sources the user distrusts, the worst of ${guises.length} disguises`,
            mostHeld,
            held,
            '%',
          ),
        ),
        ...[...beyond].map(([name, held]) =>
          atMost(
            `${name}: places held by strangers beyond the least that the bound leaves, the worst of ${guises.length} disguises`,
            mostHeld,
            held,
            '%',
          ),
        ),
        ...honest.floors,
      ],
    }
  },
}

type Attacked = {
  readonly table: Table
  /** Per attack, of the disguise that fares best. */
  readonly worst: ReadonlyMap<string, number>
  readonly beyond: ReadonlyMap<string, number>
}

/** @returns the table, and per attack the most places that any disguise holds against all defences */
async function attackAll(
  workplace: Workplace,
  field: Battlefield,
  model: EmbeddingModel | null,
  chosen: readonly Attack[],
): Promise<Attacked> {
  const rows: string[][] = []
  const worst = new Map<string, number>()
  const beyond = new Map<string, number>()
  for (const attack of chosen) {
    const arsenal = arsenalOf(seedOf(attack.name), field.cards, model)
    const drafts = await attack.drafts(field.targets, hostileCount(field), arsenal)
    for (const guise of guises) {
      workplace.log(`retrieval: ${attack.name}, ${guise.name}`)
      const held = await heldBy(field, model, published(drafts, guise), isWorstGuise(guise) ? names : [])
      const [, stranger, least, distrusted] = held as [number, number, number, number]
      worst.set(attack.name, Math.max(worst.get(attack.name) ?? 0, distrusted))
      beyond.set(attack.name, Math.max(beyond.get(attack.name) ?? 0, stranger - least))
      rows.push([attack.name, guise.name, ...head.map((_, column) => held[column]?.toFixed(1) ?? '')])
    }
  }
  return { table: { title: '', head: ['attack', 'disguise', ...head], rows }, worst, beyond }
}

/** Of this disguise each defence is also switched off on its own. */
const isWorstGuise = ({ sources }: Guise): boolean => sources === 20

/** One card per ten targets at least: a small catalog would otherwise hold none. */
export const hostileCount = ({ cards, targets }: Battlefield): number =>
  Math.max(Math.ceil(targets.length / 10), Math.floor((hostileShare * cards.length) / (1 - hostileShare)))

/** @param leftOut - defences each of which is left out once */
async function heldBy(
  field: Battlefield,
  model: EmbeddingModel | null,
  hostile: ReturnType<typeof published>,
  leftOut: typeof names,
): Promise<readonly number[]> {
  const cards = [...field.cards, ...hostile]
  const stranger = await memorySnapshot(cards, model, { standingOf: standingsWith('stranger') })
  const distrusted = await memorySnapshot(cards, model, { standingOf: standingsWith('distrusted') })
  const held = [
    await placesHeld(stranger, model, field.targets, noDefences),
    await placesHeld(stranger, model, field.targets, allDefences),
    await leastHeld(stranger, model, field.targets),
  ]
  for (const defences of [allDefences, ...leftOut.map(without)])
    held.push(await placesHeld(distrusted, model, field.targets, defences))
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
    const found = await ndcgOf(
      await memorySnapshot(cards, model, { standingOf: standingsWith('stranger') }),
      model,
      asked,
      settings,
    )
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
