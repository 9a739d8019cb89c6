import { expect, test } from 'vitest'
import { cpuTime } from './long-texts/cpu-time.ts'
import { readers } from './long-texts/readers.ts'
import { shapes } from './long-texts/shapes.ts'

/** Times as long may a text take that is ten times as long. */
const most = 15
/** Milliseconds of processor below which garbage and compiling decide. What takes the square takes a hundred times as long. */
const least = 10

test('there are fifty shapes', () => expect(shapes.length).toBeGreaterThanOrEqual(50))

test.each(readers)(
  '$name: ten times the text takes at most 15 times as long',
  ({ read, length = 20_000 }) => {
    const slow = shapes.flatMap(({ name, make }) => {
      const [short, long] = [make(length), make(10 * length)]
      for (let tries = 1; ; tries++) {
        const little = Math.max(
          least,
          cpuTime(() => read(short), tries),
        )
        const much = cpuTime(() => read(long), tries)
        if (much <= most * little) return []
        if (tries > 4) return [`${name}: ${little} ms, then ${much} ms`]
      }
    })
    expect(slow).toEqual([])
  },
  240_000, // some read fifty long texts a letter at a time
)
