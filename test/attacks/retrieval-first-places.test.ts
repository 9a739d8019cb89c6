import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { staticModel } from '../../src/adapters/static-model/static-model.ts'
import { builtInModel } from '../../src/compose/open-models.ts'
import { seedOf } from '../../src/domain/random.ts'
import { allDefences } from '../../src/retrieval/defences/defence-settings.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { arsenalOf } from './retrieval/arsenal.ts'
import { blindAttacks } from './retrieval/blind/blind.ts'
import { heldBy, sidesOf, withSides } from './retrieval/first-places.ts'
import { mostFirst, mostFirstAmongStrangers } from './retrieval/first-places-suite.ts'
import { guises, published } from './retrieval/publish.ts'
import { type Battlefield, bundledBattlefield } from './retrieval/targets.ts'
import { noDefences } from '../fakes/no-defences.ts'

const model = await staticModel(builtInModel)
afterAll(() => model.close())

let field: Battlefield
beforeAll(async () => {
  field = await bundledBattlefield(26)
})

/** By words alone nothing is comparable to a card that alone has a word of the request. */
const mostByWords = { installed: 20, strangers: 50 }

const chosen = [...blindAttacks.documentation.slice(0, 2), ...blindAttacks.advertisements.slice(0, 2)]

describe.each(chosen)('$name', (attack) => {
  test.each([
    { by: 'words alone', embedding: null, most: mostByWords },
    {
      by: 'the model that ships',
      embedding: model,
      most: { installed: mostFirst, strangers: mostFirstAmongStrangers },
    },
  ])(
    'takes hardly a first place from what is installed or known for long: $by',
    async ({ embedding, most }) => {
      const arsenal = arsenalOf(seedOf(attack.name), field.cards, null)
      const drafts = await attack.drafts(field.targets, field.targets.length, arsenal)
      const snapshot = await memorySnapshot(
        [...field.cards, ...published(drafts, guises.at(-1)!)],
        embedding,
        {
          standingOf: sidesOf({ honest: 'installed', hostile: 'newcomer' }),
        },
      )
      const held = async (honest: 'installed' | 'stranger', defences = allDefences) => {
        const sides = withSides(snapshot, { honest, hostile: 'newcomer' })
        return (await heldBy(sides, embedding, field.targets, defences)).first
      }
      expect(await held('installed', noDefences)).toBeGreaterThan(50)
      expect(await held('installed')).toBeLessThanOrEqual(most.installed)
      expect(await held('stranger')).toBeLessThanOrEqual(most.strangers)
    },
  )
})
