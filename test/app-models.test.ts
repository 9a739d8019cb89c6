import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Audition, openAudition } from '../src/compose/app.ts'
import { configFrom } from '../src/config.ts'
import { folderWith, temporaryFolder } from './catalog/temporary-folder.ts'
import { someOutcomes } from './fakes/some-model-outcomes.ts'

/** Audition over a home of its own; closed after the test. */
function opened(environment: NodeJS.ProcessEnv = {}, home = temporaryFolder()): Audition {
  const audition = openAudition(
    configFrom({
      AUDITION_READER: 'none',
      AUDITION_HOME: home,
      AUDITION_SETTINGS: join(home, 'settings.yaml'),
      ...environment,
    }),
  )
  onTestFinished(() => audition.close())
  return audition
}

const files = () => {
  const folder = folderWith({
    'models.jsonl': [
      { id: 'acme/big', name: 'Big', price_in_per_m: 10, price_out_per_m: 10, tool_call: true },
      { id: 'acme/small', name: 'Small', price_in_per_m: 0.1, price_out_per_m: 0.1 },
    ]
      .map((record) => JSON.stringify(record))
      .join('\n'),
    'outcomes.jsonl': someOutcomes,
  })
  return { folder, locations: [join(folder, 'models.jsonl'), join(folder, 'outcomes.jsonl')] }
}
const ids = ({ models }: Awaited<ReturnType<Audition['models']>>) => models.map(({ id }) => id)

test.each([
  { by: 'vectors', environment: {} },
  { by: 'words', environment: { AUDITION_MODEL: 'none' } },
])(
  'lists and outcomes are indexed, compared by $by, read anew when they change, and forgotten',
  async ({ environment }) => {
    const home = temporaryFolder()
    const audition = opened(environment, home)
    const { folder, locations } = files()
    const report = await audition.index({ locations })
    expect(report.sources.map(({ source, models, problems }) => [source, models, problems])).toEqual([
      ['models', { cards: 2, tasks: 0 }, []],
      ['outcomes', { cards: 0, tasks: 40 }, []],
    ])
    const compare = (task: string, priceWeight = 0) => audition.models({ task, priceWeight })
    const code = await compare('write a function that sorts words')
    expect(ids(code)).toEqual(['acme/big', 'acme/small'])
    expect(code.models[0]!.nearest[0]!.task).toMatch(/^write a function/)
    expect(code).toMatchObject({ known: 2, tasks: 40 })
    expect(ids(await compare('who painted the harbour in winter?'))).toEqual(['acme/small', 'acme/big'])
    expect(ids(await compare('write a function that sorts words', 20))).toEqual(['acme/small', 'acme/big'])

    // Another process sees the same, and nothing is read twice.
    expect(ids(await opened(environment, home).models({ task: 'who painted it?', priceWeight: 0 }))[0]).toBe(
      'acme/small',
    )
    expect((await audition.index({ locations })).sources[1]).toMatchObject({
      models: { tasks: 40 },
      problems: [],
    })
    writeFileSync(locations[1]!, '{"query":"anything","model":"acme/big","score":0}\n')
    await audition.index({ locations: [folder] })
    expect(await audition.models()).toMatchObject({ tasks: 1 })
    await audition.removeSources(['outcomes', 'models'])
    expect(await audition.models()).toMatchObject({ models: [], known: 0, tasks: 0 })
  },
  60_000,
)

test('judged runs of agents tell of the models that they ran on', async () => {
  const audition = opened({ AUDITION_LLM: 'ollama:one,ollama:two' })
  const { locations } = files()
  await audition.index({ locations })
  const record = await audition.record()
  const outcome = (at: number, model: string, grade: 1 | 5) => ({
    id: `${model}-${at}`,
    card: 'team/clerk',
    cardHash: 'h',
    kind: 'agent' as const,
    task: `count the stamps ${at}`,
    time: '2026-03-01T10:00:00.000Z',
    origin: 'probe' as const,
    executor: 'profile',
    model,
    ending: 'answered' as const,
    verdict: { grade, reason: 'r', judge: 'j' },
    seconds: 1,
    tokens: null,
    cost: null,
  })
  await record.add([0, 1, 2, 3].flatMap((at) => [outcome(at, 'ollama/one', 1), outcome(at, 'ollama/two', 5)]))
  const { models } = await audition.models({ task: 'count the stamps', among: 'callable' })
  expect(models.map(({ id, outcomes, callable }) => [id, outcomes, callable])).toEqual([
    ['ollama/two', 4, true],
    ['ollama/one', 4, true],
  ])
})

test('an empty store knows no model, and those that can be called are listed all the same', async () => {
  expect(await opened().models({ task: 'anything' })).toMatchObject({ models: [], known: 0 })
  const { models } = await opened({ AUDITION_LLM: 'ollama:one' }).models()
  expect(models).toMatchObject([{ id: 'ollama/one', callable: true, outcomes: 0, estimate: 0.5 }])
})
