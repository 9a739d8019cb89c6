import { openReader, type TextReader } from '../src/adapters/reader-model/open-reader.ts'
import { atLeast, type Bench, fixed } from './bench.ts'
import { writeRandomReader } from './random-reader.ts'
import type { Workplace } from './workplace.ts'

const full = { hidden: 384, heads: 12, intermediate: 1536, positions: 128, epsilon: 1e-12 }
const words = Array.from({ length: 4000 }, (_, at) => `w${at}`)
const cardTokens = 40
const queryTokens = [12, 60] as const

/** A reader of full size by itself: what it costs to open one, to read cards, and to read a query. */
export const reader: Bench = {
  name: 'reader',
  question: 'What does a small transformer take for a card and for a query?',
  async run(workplace) {
    const figures = []
    for (const layers of [3, 4, 6]) {
      workplace.log(`reader: ${layers} layers`)
      figures.push(await figuresOf(layers, workplace))
    }
    return {
      tables: [
        {
          title: 'Random readers, 384 values a token, one thread',
          head: [
            'layers',
            'open ms',
            ...queryTokens.map((tokens) => `query of ${tokens} tokens, ms`),
            `cards of ${cardTokens} tokens a second`,
            'GMAC/s',
            'two threads / one',
          ],
          rows: figures.map(({ layers, openMs, queryMs, cardsPerSecond, gmacs, gain }) => [
            String(layers),
            ...[openMs, ...queryMs, cardsPerSecond, gmacs, gain].map(fixed),
          ]),
        },
      ],
      notes: [
        'The best of several repeats. All but the last column is time of the processor, which other work on the machine hardly changes; on one that is idle it is what passes.',
        'GMAC: a milliard multiplications with their additions, those of the linear layers and of attention, while cards are read.',
        'Two threads / one: cards a second by the clock. On a machine without two idle cores it says nothing.',
      ],
      floors: [
        atLeast('a reader, GMAC a second of one thread', 15, Math.min(...figures.map(({ gmacs }) => gmacs))),
      ],
    }
  },
}

async function figuresOf(layers: number, workplace: Workplace) {
  const folder = workplace.scratch()
  writeRandomReader(folder, {
    shape: { layers, ...full },
    pieces: ['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...words],
    limits: { queryLimit: 64, cardLimit: 96 },
    seed: layers,
  })
  const repeats = workplace.quick ? 3 : 9
  const openMs = least(repeats, processorMs, () => openReader(folder))
  const [one, two] = [openReader(folder), openReader(folder, { threads: 2 })]
  const cards = Array.from({ length: 32 }, (_, place) => textOf(cardTokens, place))
  const readCards = (reader: TextReader) => () => reader.encodeCards(cards)
  const cardsMs = least(repeats, processorMs, readCards(one))
  const gain =
    least(repeats, clockMs, readCards(one)) / Math.max(1e-9, least(repeats, clockMs, readCards(two)))
  const queryMs = queryTokens.map((tokens) => {
    const query = textOf(tokens, 1)
    return least(4 * repeats, processorMs, () => one.encodeQuery(query))
  })
  await two.close()
  return {
    layers,
    openMs,
    queryMs,
    cardsPerSecond: (1000 * cards.length) / cardsMs,
    gmacs: (cards.length * multiplications(layers, cardTokens)) / cardsMs / 1e6,
    gain,
  }
}

/** A text of so many tokens, two of which stand at its ends. */
const textOf = (tokens: number, place: number): string =>
  Array.from({ length: tokens - 2 }, (_, at) => words[(place * 101 + at * 37) % words.length]).join(' ')

function multiplications(layers: number, tokens: number): number {
  const { hidden, intermediate } = full
  return layers * tokens * (4 * hidden * hidden + 2 * hidden * intermediate + 2 * tokens * hidden)
}

type Clock = () => number
const clockMs: Clock = () => performance.now()
/** Of all threads of this process. */
const processorMs: Clock = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The least time of several, the first of which only warms up. */
function least(repeats: number, clock: Clock, run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat <= repeats; repeat++) {
    const before = clock()
    run()
    if (repeat > 0) best = Math.min(best, clock() - before)
  }
  return best
}
