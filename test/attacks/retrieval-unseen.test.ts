import { beforeAll, expect, test } from 'vitest'
import { staticModel } from '../../src/adapters/static-model/static-model.ts'
import { builtInModel } from '../../src/compose/open-models.ts'
import { seedOf } from '../../src/domain/random.ts'
import type { EmbeddingModel } from '../../src/retrieval/ports.ts'
import { arsenalOf } from './retrieval/arsenal.ts'
import type { Attack, HostileDraft, Target } from './retrieval/attack.ts'
import { attacks, unpromised } from './retrieval/attacks.ts'
import { guises, published } from './retrieval/publish.ts'
import { hostileCount } from './retrieval/retrieval.ts'
import { type Battlefield, bundledBattlefield } from './retrieval/targets.ts'
import { rotated } from './retrieval/turns.ts'
import { unseenAttacks } from './retrieval/unseen/unseen.ts'

let field: Battlefield
beforeAll(async () => {
  field = await bundledBattlefield(100)
})

const drafted = async (attack: Attack, count: number, model: EmbeddingModel | null = null) =>
  attack.drafts(field.targets, count, arsenalOf(seedOf(attack.name), field.cards, model))

/** What is wrong with a draft as a tool's card; nothing of a valid one. */
function faults({ name, description, parameters = [], tags = [] }: HostileDraft): string[] {
  const texts = [name, description, ...parameters.map((parameter) => parameter.name), ...tags]
  return [
    ...(/^[\p{L}\p{N}_.:/-]{1,128}$/u.test(name) ? [] : [`name: ${name}`]),
    ...(texts.some((text) => text.trim() === '') ? ['an empty text'] : []),
    ...(texts.some((text) => /undefined|\[object/.test(text)) ? ['a text of no value'] : []),
    ...(new Set(parameters.map((parameter) => parameter.name)).size < parameters.length
      ? ['a parameter twice']
      : []),
  ]
}

test.each(unseenAttacks)(
  '$name: the budgeted number of valid cards, no two alike, the same each time',
  async (attack) => {
    for (const count of [hostileCount(field), field.targets.length + 7]) {
      const drafts = await drafted(attack, count)
      expect(drafts).toHaveLength(count)
      expect(drafts.flatMap(faults)).toEqual([])
      expect(new Set(drafts.map((draft) => JSON.stringify(draft))).size).toBe(count)
      for (const guise of guises)
        expect(new Set(published(drafts, guise).map(({ id }) => id)).size).toBe(count)
      expect(await drafted(attack, count)).toEqual(drafts)
    }
  },
)

test('names are new', () => {
  const names = [...attacks, ...unpromised, ...unseenAttacks].map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('cards of one request come to different sources, whatever the number of requests', () => {
  const targets: Target[] = Array.from({ length: 100 }, (_, at) => ({ text: `request ${at}`, winners: [] }))
  const places = Array.from({ length: 400 }, (_, place) => place)
  const sources = places.filter((place) => rotated(targets, place) === targets[50]).map((place) => place % 20)
  expect(sources).toHaveLength(4)
  expect(new Set(sources).size).toBe(4)
})

test('the two-part attack takes the model that ships for its choice', async () => {
  const model = await staticModel(builtInModel)
  const [twoPart] = unseenAttacks
  const chosen = await drafted(twoPart!, 10, model)
  expect(chosen.flatMap(faults)).toEqual([])
  expect(await drafted(twoPart!, 10, model)).toEqual(chosen)
  expect(chosen).not.toEqual(await drafted(twoPart!, 10))
  await model.close()
})
