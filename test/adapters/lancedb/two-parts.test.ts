import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lanceWriter } from '../../../src/adapters/lancedb/lance-writer.ts'
import { repairStore } from '../../../src/adapters/lancedb/repair/repair-store.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'
import { changeOf } from '../../contracts/catalog.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'
import { type TwoPartsOptions, twoParts } from '../../fakes/two-parts.ts'
import { smallReader } from '../reader-model/small-reader.ts'
import { commit, freshReader, storeFolder } from './stores.ts'

const tools = Array.from({ length: 150 }, (_, number) => toolCard(`a/card-${number}`))

/** Models over the same readings, and how many texts of cards were read since it was last asked. */
function models() {
  const folder = { reader: smallReader(), readings: join(temporaryFolder(), 'readings.bin') }
  let count = 0
  const onRead = (texts: number): void => {
    count += texts
  }
  return {
    model: (options: Partial<TwoPartsOptions> = {}) => twoParts({ ...folder, onRead, ...options }),
    read() {
      const now = count
      count = 0
      return now
    },
  }
}

/** Cosines of both parts, by card. */
async function cosinesIn(
  home: string,
  model: EmbeddingModel,
  inMemory: Parameters<typeof memorySnapshot>[0],
) {
  const [query] = await model.embed(['read the lease'], 'query')
  const stored = await freshReader(home).snapshot()
  const oracle = await memorySnapshot(inMemory, model)
  const cosines = [stored, oracle].map(({ indexes }) =>
    Object.values(indexes).map((index) =>
      index.vectors!.scored(query!, null).parts.map((part) => [...part.best(1000).scores]),
    ),
  )
  return { stored: cosines[0], oracle: cosines[1], snapshot: stored }
}

describe('a store of vectors of two parts', () => {
  test('gives what a catalog in memory gives, also after changes, and reads only what is new', async () => {
    const home = storeFolder()
    const { model, read } = models()
    const cards = [...tools, agentCard('a/guide')]
    await commit(home, { put: cards }, { model: model() })
    expect(read()).toBe(151)
    const first = await cosinesIn(home, model(), cards)
    expect(first.stored).toEqual(first.oracle)
    expect(first.snapshot.embedding).toMatchObject({ dimensions: 56, parts: [8, 48] })
    read()
    const changed = toolCard('a/card-3', { description: 'another' })
    await commit(home, { put: [changed, toolCard('b/new')], remove: ['a/card-5'] }, { model: model() })
    expect(read()).toBe(2)
    const left = [
      ...cards.filter(({ id }) => id !== 'a/card-3' && id !== 'a/card-5'),
      changed,
      toolCard('b/new'),
    ]
    const second = await cosinesIn(home, model(), left)
    expect(second.stored).toEqual(second.oracle)
    const { steps } = await repairStore(
      home,
      { intent: 'look' },
      {
        openModel: async () => model(),
        outcomesElsewhere: async () => [],
        now: new Date(),
        givenUp: {},
        onTable: () => undefined,
      },
    )
    expect(steps).toEqual([])
  })

  test('goes on where it was stopped while cards were read', async () => {
    const home = storeFolder()
    const { model, read } = models()
    const stop = new AbortController()
    const steps: string[] = []
    const writer = await lanceWriter(home, { model: model() })
    const stopped = writer.commit(
      changeOf({ put: tools }),
      (_, step) => {
        steps.push(step)
        if (step === 'reading 128 of 150 cards') stop.abort(new Error('stopped'))
      },
      stop.signal,
    )
    await expect(stopped).rejects.toThrow('stopped')
    await writer.close()
    expect(read()).toBe(128)
    expect(steps).toContain('reading 64 of 150 cards')
    await commit(home, { put: tools }, { model: model() })
    expect(read()).toBe(22)
    const { indexes } = await freshReader(home).snapshot()
    expect(indexes.tool.vectors!.held).toEqual([150, 150])
  })

  test('leaves a kind unread once it has too many cards, and reads it when it has fewer', async () => {
    const home = storeFolder()
    const { model, read } = models()
    const some = model({ mostCards: 150 })
    const heldIn = async () => {
      const { indexes, embedding } = await freshReader(home).snapshot()
      return { held: indexes.tool.vectors!.held, unread: (embedding as { unread?: unknown }).unread }
    }
    await commit(home, { put: tools }, { model: some })
    expect([read(), await heldIn()]).toEqual([150, { held: [150, 150] }])
    const steps: string[] = []
    const writer = await lanceWriter(home, { model: some })
    await writer.commit(changeOf({ put: [toolCard('b/more')] }), (_, step) => steps.push(step))
    await writer.close()
    expect([read(), await heldIn()]).toEqual([0, { held: [151, 0], unread: ['tool'] }])
    expect(steps.join()).not.toContain('reading')
    await commit(home, { put: [agentCard('b/one')] }, { model: some })
    expect([read(), await heldIn()]).toEqual([1, { held: [151, 0], unread: ['tool'] }])
    await commit(home, { remove: ['a/card-0'] }, { model: some })
    expect([read(), await heldIn()]).toEqual([1, { held: [150, 150] }])
  })

  test('is due for a commit when the limit is set otherwise, and not before', async () => {
    const home = storeFolder()
    const { model } = models()
    const isCurrent = async (mostCards: number): Promise<boolean> => {
      const writer = await lanceWriter(home, { model: model({ mostCards }) })
      const is = await writer.isCurrent()
      await writer.close()
      return is
    }
    await commit(home, { put: tools.slice(0, 9) }, { model: model({ mostCards: 20 }) })
    expect([await isCurrent(20), await isCurrent(9), await isCurrent(8)]).toEqual([true, true, false])
    const limited = { model: model({ mostCards: 8 }) }
    await commit(home, {}, limited)
    expect([await isCurrent(8), await isCurrent(9)]).toEqual([true, false])
  })
})
