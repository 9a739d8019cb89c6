import { expect, test } from 'vitest'
import { type FitRow, fitNames, scoreOf } from '../../bench/system-names/fit-names.ts'
import { nameExamples } from '../../bench/system-names/name-examples.ts'
import { seededRandom } from '../../bench/system-names/seeded-random.ts'
import type { TrainingCorpus } from '../../embeddings/trainer/src/data/corpus.ts'
import { toolCard } from '../fakes/fake-audition.ts'

const corpus: TrainingCorpus = {
  name: 'a',
  family: 'a',
  cards: [
    toolCard('a/create_issue', {
      name: 'create_issue',
      server: 'Plonk MCP Server',
      description: 'Creates an issue in Plonk. Needs an account of Plonk.',
    }),
    toolCard('a/forecast', {
      name: 'forecast',
      server: 'weather',
      description: 'Tells the weather of a city.',
    }),
  ],
  queries: [
    { id: '1', text: 'create an issue in plonk', relevant: ['a/create_issue'] },
    { id: '2', text: 'create an issue in the evening', relevant: ['a/create_issue'] },
    { id: '3', text: 'the forecast for weather in Lyon', relevant: ['a/forecast'] },
  ],
}
const read = () => nameExamples([corpus], { random: seededRandom(1), isKnown: () => true })

test('names are those of servers that their requests name, and that descriptions write large', () => {
  const { examples, names } = read()
  const written = (isName: boolean) =>
    new Set(examples.flatMap((one) => (one.origin === 'written' && one.isName === isName ? [one.text] : [])))
  expect(written(true)).toEqual(new Set(['plonk']))
  expect([...written(false)]).toEqual(expect.arrayContaining(['evening', 'Lyon', 'lyon']))
  expect(names).toEqual({ sure: ['plonk'], doubtful: [] })
})

test('the same data gives the same examples', () => {
  expect(read()).toEqual(read())
})

test('a head learns which signs tell', () => {
  const rows = [0, 1, 2, 3].map(
    (sign): FitRow => ({
      vector: Float32Array.of(sign % 2),
      signs: [sign],
      wanted: sign < 2,
      weight: 1,
    }),
  )
  const weights = fitNames(Array.from({ length: 50 }, () => rows).flat(), {
    dimensions: 1,
    signs: 4,
    random: seededRandom(2),
  })
  for (const row of rows) expect(scoreOf(weights, row) > 0).toBe(row.wanted)
})
