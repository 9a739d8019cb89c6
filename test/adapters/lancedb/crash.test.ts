import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CardKind } from '../../../src/domain/card.ts'
import { movedOn, type Place } from '../../fakes/catalog-series.ts'
import { type CompiledScript, compileScript } from '../../fixtures/compile-script.ts'
import { bytesIn, commitSeries, expectWholeSeries, storeFolder } from './stores.ts'

let compiled: CompiledScript
beforeAll(() => {
  compiled = compileScript('test/fixtures/commit-for-ever.ts')
})
afterAll(() => compiled.remove())

type Kill = {
  readonly home: string
  /** The kind of card that the process changes first. */
  readonly first: CardKind
  /** The step it has told of when it is killed, and how long ago. */
  readonly step: string
  readonly delayMs: number
  /** Cards from which images are in segments. @defaultValue 4000 */
  readonly segmentsFrom?: number
}

/** Starts the process that commits for ever, and kills it. @returns the last commit it told of, if any */
async function kill({ home, first, step, delayMs, segmentsFrom = 4000 }: Kill): Promise<Place | null> {
  const child = spawn(process.execPath, [compiled.script, home, first, String(segmentsFrom)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last: Place | null = null
  let isDoomed = false
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('committed ')) last = JSON.parse(line.slice('committed '.length)) as Place
    if (isDoomed || !line.startsWith(step)) continue
    isDoomed = true
    setTimeout(() => child.kill('SIGKILL'), delayMs)
  }
  const [code, signal] = await ended
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' })
  return last
}

/**
 * Instants from the first write to the next commit: writing, embedding, images, the head, pruning, and between. The
 * kind that was interrupted is not the one that the next process begins with.
 */
const instants = ['writing', 'embedding', 'committed'].flatMap((step) =>
  [0, 16, 40, 96].map((delayMs, round) => ({
    step,
    delayMs: delayMs + Math.floor(Math.random() * 8),
    first: round % 2 === 0 ? ('tool' as const) : ('agent' as const),
  })),
)

const changesOf = (place: Place): number => place.tool + place.agent

describe('a process killed while it writes', () => {
  test.each([
    { how: 'in one image', segmentsFrom: 4000, each: 1, most: 1.5 },
    // Large tables are written anew, and what lies beside them forgotten, at 16 pieces: of a store as small as this it is eight times as much until then.
    { how: 'in segments', segmentsFrom: 10, each: 2, most: 10 },
  ])(
    'leaves the last commit whole, many times over, and the next run goes on from it: $how',
    async (of) => {
      const { segmentsFrom, each, most } = of
      const home = storeFolder()
      let place = { tool: 1, agent: 1 }
      await commitSeries(home, place, { segmentsFrom })
      for (const instant of instants.filter((_, at) => at % each === 0)) {
        const told = await kill({ home, segmentsFrom, ...instant })
        const found = await expectWholeSeries(home)
        expect(changesOf(found), JSON.stringify(instant)).toBeGreaterThanOrEqual(changesOf(told ?? place))
        place = found
      }
      expect(existsSync(join(home, 'index.lock'))).toBe(true)
      const last = movedOn(place, 'agent')
      await commitSeries(home, last, { segmentsFrom })
      expect(await expectWholeSeries(home)).toEqual(last)
      expect(existsSync(join(home, 'index.lock'))).toBe(false)

      const fresh = storeFolder()
      await commitSeries(fresh, last, { segmentsFrom })
      expect(bytesIn(home)).toBeLessThan(most * bytesIn(fresh))
    },
    240_000,
  )

  test.each([
    { step: 'writing', delayMs: 0 },
    { step: 'embedding', delayMs: 3 },
    { step: 'embedding', delayMs: 25 },
  ])('in its first commit leaves a store that can be indexed: $delayMs ms after $step', async (instant) => {
    const home = storeFolder()
    await kill({ home, first: 'tool', ...instant })
    await commitSeries(home, { tool: 3, agent: 2 })
    expect(await expectWholeSeries(home)).toEqual({ tool: 3, agent: 2 })
  })
})
