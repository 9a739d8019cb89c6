import { configFrom } from '../src/config.ts'
import { cardsOfList } from '../src/catalog/harvest-cards.ts'
import { modelOf } from '../src/compose/open-models.ts'
import type { Card } from '../src/domain/card.ts'
import { seededRandom } from '../src/evaluation/statistics/seeded-random.ts'
import { canRead } from '../src/retrieval/search/choose-ranker.ts'
import { memorySnapshot } from '../src/retrieval/memory-snapshot.ts'
import type { EmbeddingModel } from '../src/retrieval/ports.ts'
import { search } from '../src/retrieval/search/search.ts'
import { atMost, type Bench, fixed } from './bench.ts'
import { median, percentiles } from './statistics.ts'
import { syntheticQueries, syntheticTools } from './synthetic.ts'
import type { Workplace } from './workplace.ts'

const [few, many] = [500, 50_000] as const

/** A search that looks at readings beside one that does not, in one process, and what reading a catalog takes. */
export const reading: Bench = {
  name: 'reading',
  question: 'What does the built-in reader add to a search and to an index run?',
  async run(workplace) {
    const { model: spec } = configFrom(process.env)
    const cache = workplace.scratch()
    const model = await modelOf({ model: spec, cache, reader: { mostCards: many } }, fetch)
    if (model?.plain === undefined) return skipped
    const cards = cardsOf(few)
    workplace.log(`reading: ${few} cards, twice`)
    const [fresh, kept] = [await secondsFor(model, cards), await secondsFor(model, cards)]
    const figures: Awaited<ReturnType<typeof searchFigures>>[] = []
    for (const size of workplace.quick ? [few] : [few, many]) {
      workplace.log(`reading: searches among ${size} cards`)
      figures.push(await searchFigures(size === few ? model : withRandomReadings(model), size, workplace))
    }
    await model.close()
    const ranker = rankerOf(model)
    const ratioOf = (wanted: number) => figures.find(({ size }) => size === wanted)?.ratio
    return {
      tables: [
        {
          title: `Searches by ${model.id}, milliseconds`,
          head: ['cards', `${ranker} p50`, 'p95', 'learned p50', 'p95', `${ranker} / learned`],
          rows: figures.map(({ size, read, learned, ratio }) => [
            size.toLocaleString('en'),
            ...[read.p50, read.p95, learned.p50, learned.p95, ratio].map(fixed),
          ]),
        },
        {
          title: `Vectors of ${few} cards, seconds`,
          head: ['read for the first time', 'read before'],
          rows: [[fixed(fresh), fixed(kept)]],
        },
      ],
      notes: [
        'Both rankers answer each query in turn in one process; cards lie in memory, their words are made up.',
        `Of ${many.toLocaleString('en')} cards the readings are random: they take as long to look through, and 10 minutes less to make.`,
        ...(ranker === 'reader' ? [] : ['The model has no ranker over readings: hybrid stands in for it.']),
      ],
      floors: [
        atMost(`a search with the reader / learned, ${few} cards`, 6, ratioOf(few)),
        atMost(`a search with the reader / learned, ${many.toLocaleString('en')} cards`, 4, ratioOf(many)),
        atMost(`cards that were read before / for the first time`, 0.1, kept / fresh),
      ],
    }
  },
}

const skipped = {
  tables: [],
  notes: ['skipped: the model has no reader'],
  floors: [atMost(`a search with the reader / learned, ${few} cards`, 6, undefined)],
}

const rankerOf = (model: EmbeddingModel) => (canRead(model) ? 'reader' : 'hybrid')

function cardsOf(count: number): readonly Card[] {
  const tools = syntheticTools(count).map(({ id, line }) => {
    const { documentation } = JSON.parse(line) as {
      documentation: { description: string; parameters: object }
    }
    return { name: id, description: documentation.description, inputSchema: documentation.parameters }
  })
  return cardsOfList(tools).cards.map(({ card }) => card)
}

async function secondsFor(model: EmbeddingModel, cards: readonly Card[]): Promise<number> {
  const before = performance.now()
  await model.embedCards!(cards)
  return (performance.now() - before) / 1000
}

/** The first part as it is, and a direction for the reading that no text has. */
function withRandomReadings(model: EmbeddingModel): EmbeddingModel {
  const random = seededRandom(1)
  const [first, second] = model.parts as readonly [number, number]
  return {
    ...model,
    async embedCards(cards) {
      const vectors = await model.plain!.embedCards!(cards)
      return vectors.map((vector) => {
        const whole = new Float32Array(first + second)
        const read = Float32Array.from({ length: second }, () => random.uint32() / 2 ** 31 - 1)
        const length = Math.hypot(...read)
        whole.set(vector.map((value) => value / Math.SQRT2))
        whole.set(
          read.map((value) => value / length / Math.SQRT2),
          first,
        )
        return whole
      })
    },
  }
}

async function searchFigures(model: EmbeddingModel, size: number, { quick }: Workplace) {
  const snapshot = await memorySnapshot(cardsOf(size), model)
  const times = { read: [] as number[], learned: [] as number[] }
  const queries = syntheticQueries(quick ? 40 : 150)
  for (const pass of ['warm up', 'timed'] as const)
    for (const query of queries)
      for (const [of, ranker] of [['read', rankerOf(model)] as const, ['learned', 'learned'] as const]) {
        const before = performance.now()
        await search({ snapshot, model }, { kind: 'tool', query, ranker })
        if (pass === 'timed') times[of].push(performance.now() - before)
      }
  const [read, learned] = [percentiles(times.read), percentiles(times.learned)]
  return { size, read, learned, ratio: median(times.read) / median(times.learned) }
}
