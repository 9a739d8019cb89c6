import { beforeAll, describe, expect, test } from 'vitest'
import { seedOf } from '../../src/domain/random.ts'
import { allDefences } from '../../src/retrieval/defences/defence-settings.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { arsenalOf } from './retrieval/arsenal.ts'
import { attacks } from './retrieval/attacks.ts'
import { ndcgOf, placesHeld } from './retrieval/measure.ts'
import { isHostile, published, standingsWith } from './retrieval/publish.ts'
import { type Battlefield, bundledBattlefield } from './retrieval/targets.ts'
import { noDefences } from '../fakes/no-defences.ts'

const sources = { name: '2 sources', sources: 2, publishersPerSource: 1 }

describe('attacks on the bundled catalog, by words alone', () => {
  let field: Battlefield
  beforeAll(async () => {
    field = await bundledBattlefield(20)
  })

  const heldBy = async (name: string) => {
    const attack = attacks.find((one) => one.name === name)!
    const drafts = await attack.drafts(field.targets, 20, arsenalOf(seedOf(name), field.cards, null))
    const cards = published(drafts, sources)
    expect(cards.every(({ id }) => isHostile(id))).toBe(true)
    const all = [...field.cards, ...cards]
    const strangers = await memorySnapshot(all, null, { standingOf: standingsWith('stranger') })
    const distrusted = await memorySnapshot(all, null, { standingOf: standingsWith('distrusted') })
    return {
      undefended: await placesHeld(strangers, null, field.targets, noDefences),
      stranger: await placesHeld(strangers, null, field.targets, allDefences),
      defended: await placesHeld(distrusted, null, field.targets, allDefences),
    }
  }

  // One card per request in a catalog of 65 tools is 24% hostile, not 1%, and two sources are no crowd: what remains here is more than the
  // suite's floor.
  const remaining: { readonly [attack: string]: number } = {
    'query-shaped': 20,
    hijack: 20,
    optimised: 25,
    flood: 10,
    stuffing: 25,
    keywords: 28,
    'near-copies': 5,
  }
  test.each(attacks.map(({ name }) => name))(
    '%s: the defences take places back from sources the user distrusts',
    async (name) => {
      const { undefended, stranger, defended } = await heldBy(name)
      expect(stranger).toBeLessThanOrEqual(undefended + 1)
      expect(undefended).toBeGreaterThan(15)
      expect(defended).toBeLessThanOrEqual(remaining[name]!)
    },
  )

  test('honest requests lose next to nothing', async () => {
    for (const { cards, queries } of field.parts) {
      const settings = [noDefences, allDefences].map((defences) => ({ defences, pack: 'ranking' as const }))
      const [off, on] = await ndcgOf(
        await memorySnapshot(cards, null, { standingOf: standingsWith('stranger') }),
        null,
        queries,
        settings,
      )
      const mean = (values: readonly number[]) =>
        values.reduce((sum, value) => sum + value, 0) / values.length
      expect(mean(off!) - mean(on!)).toBeLessThanOrEqual(0.5)
    }
  })
})
