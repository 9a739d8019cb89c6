import { atMost, type Bench } from '../../../bench/bench.ts'
import { cpuTime } from './cpu-time.ts'
import { type Reader, readers } from './readers.ts'
import { type Shape, shapes } from './shapes.ts'

/** Times as long may a text take that is ten times as long. */
const most = 15
/** Milliseconds of processor below which garbage and compiling decide. */
const least = 10
/** Milliseconds that reading the short text may take before the long one is left out of a quick run. */
const quickLeast = 100

/** Hostile texts of 100,000 and of a million characters: what takes the square of the length takes a hundred times as long. */
export const longTexts: Bench = {
  name: 'long-texts',
  question: 'Does any hostile text take longer to read than its length explains?',
  async run({ quick, log }) {
    const length = quick ? 20_000 : 100_000
    const worst = readers.map((reader) => {
      const found = worstOf(reader, length, quick)
      log(
        `long-texts: ${reader.name}: ${found.ratio.toFixed(1)} (${found.shape}, ${found.little.toFixed(0)} ms, then ${found.much.toFixed(0)} ms)`,
      )
      return { reader: reader.name, ...found }
    })
    const ratio = Math.max(...worst.map((one) => one.ratio))
    const sizes = [length, 10 * length].map((size) => size.toLocaleString('en-US'))
    return {
      tables: [
        {
          title: `Time of ${sizes[1]} characters by that of ${sizes[0]}, the worst of ${shapes.length} shapes`,
          head: ['what reads', 'shape', 'ms', 'ms, ten times as long', 'ratio'],
          rows: [...worst]
            .sort((a, b) => b.ratio - a.ratio)
            .map((one) => [
              one.reader,
              one.shape,
              one.little.toFixed(0),
              one.much.toFixed(0),
              one.ratio.toFixed(1),
            ]),
        },
      ],
      notes: [
        `Processor time. Less than ${least} ms count as ${least} ms; what looks slow is measured again.`,
      ],
      floors: [atMost(`worst ratio of ${readers.length} functions and ${shapes.length} shapes`, most, ratio)],
    }
  },
}

type Worst = {
  readonly shape: string
  readonly little: number
  readonly much: number
  readonly ratio: number
}

function worstOf({ read }: Reader, length: number, quick: boolean): Worst {
  return shapes
    .map((shape) => ratioOf(shape, read, length, quick))
    .reduce((worst, one) => (one.ratio > worst.ratio ? one : worst))
}

function ratioOf({ name, make }: Shape, read: Reader['read'], length: number, quick: boolean): Worst {
  const short = make(length)
  const timeOf = (text: string, tries: number): number => cpuTime(() => read(text), tries)
  let little = timeOf(short, 1)
  if (quick && little > quickLeast) return { shape: name, little, much: 0, ratio: 0 }
  const long = make(10 * length)
  let much = timeOf(long, 1)
  // Another look at what may have had bad luck; the square shows every time.
  for (let tries = 2; much > most * Math.max(least, little) && tries <= 3; tries++) {
    little = Math.max(little, timeOf(short, 2 * tries))
    much = Math.min(much, timeOf(long, 1))
  }
  return { shape: name, little, much, ratio: much / Math.max(least, little) }
}
