import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { lanceWriter } from '../src/adapters/lancedb/lance-writer.ts'
import { type Audition, openAudition } from '../src/compose/app.ts'
import type { IndexProgress } from '../src/indexing/index-report.ts'
import { configFrom } from '../src/config.ts'
import { EmbeddingModelError } from '../src/retrieval/rank/embedding-model-error.ts'
import { NoIndexError } from '../src/retrieval/ports.ts'
import { bytesIn, commit, listing, storeFolder } from './adapters/lancedb/stores.ts'
import { folderWith, temporaryFolder } from './catalog/temporary-folder.ts'
import { changeOf } from './contracts/catalog.ts'
import { toolCard } from './fakes/fake-audition.ts'
import { scatteredModel } from './fakes/scattered-model.ts'
import { type CompiledPackage, compiledPackage } from './fixtures/compiled-package.ts'
import { writeTinyBert } from './fixtures/onnx/tiny-bert.ts'

/** Audition over a store; closed after the test. */
function opened(
  home: string,
  environment: NodeJS.ProcessEnv = {},
  open: typeof openAudition = openAudition,
): Audition {
  const audition = open(configFrom({ AUDITION_READER: 'none', ...environment, AUDITION_HOME: home }))
  onTestFinished(() => audition.close())
  return audition
}

const functions = (...names: readonly string[]): string =>
  JSON.stringify(
    names.map((name) => ({
      type: 'function',
      function: { name, description: `Does ${name.replaceAll('_', ' ')}`, parameters: { type: 'object' } },
    })),
  )

describe('Audition over an empty home', () => {
  test('says that nothing is indexed, knows no source, and makes nothing', async () => {
    const home = storeFolder()
    const audition = opened(home)
    await expect(audition.search({ kind: 'tool', query: 'anything' })).rejects.toThrow(NoIndexError)
    await expect(audition.counts()).rejects.toThrow(NoIndexError)
    await expect(audition.cards(['a/one'])).rejects.toThrow(NoIndexError)
    expect(await audition.sources()).toEqual([])
    expect(await audition.diagnose()).toMatchObject({
      state: 'absent',
      location: home,
      configuredModel: expect.stringMatching(/^static:audition-1@[0-9a-f]{12}$/),
    })
    const report = await audition.index({
      locations: [folderWith({ 'tools.json': functions('weigh_parcel', 'stamp_letter') })],
      dryRun: true,
    })
    expect(report).toMatchObject({ tools: 2, agents: 0, sources: [{ source: 'tools', added: 2 }] })
    expect(existsSync(home)).toBe(false)
  })

  test('a home that is a file is said to be one, before anything that lies beside the store is looked at', async () => {
    const audition = opened(join(folderWith({ home: 'a file' }), 'home'))
    const refusal = /^The store in .* cannot be opened: it is a file, not a folder\./
    await expect(audition.search({ kind: 'tool', query: 'anything' })).rejects.toThrow(refusal)
    await expect(audition.index({ locations: [] })).rejects.toThrow(refusal)
    await expect(audition.repair({ intent: 'look' })).rejects.toThrow(refusal)
    expect(await audition.diagnose()).toMatchObject({
      state: 'unreadable',
      detail: 'it is a file, not a folder',
    })
  })
})

describe('Audition over a store', () => {
  test('indexes, finds, completes, corrects and forgets', async () => {
    const audition = opened(storeFolder())
    const file = join(folderWith({ 'tools.json': functions('weigh_parcel', 'stamp_letter') }), 'tools.json')
    const report = await audition.index({ locations: [file] })
    expect(report).toMatchObject({ tools: 2, agents: 0, problems: [] })
    expect(report.seconds).toBeGreaterThan(0)
    const { candidates, ranker } = await audition.search({ kind: 'tool', query: 'weigh a parcel' })
    expect([candidates[0]?.card.id, ranker]).toEqual(['tools/weigh_parcel', 'learned'])
    expect(await audition.counts()).toEqual({ tools: 2, agents: 0, generation: 1 })
    expect((await audition.cards(['tools/stamp_letter', 'no/such'])).map(({ name }) => name)).toEqual([
      'stamp_letter',
    ])
    expect(await audition.closestIds('tools/weigh-parcl', 1)).toEqual(['tools/weigh_parcel'])
    expect(await audition.completeIds('TOOLS/S', 5, 'tool')).toEqual(['tools/stamp_letter'])
    await audition.removeSources(['tools'])
    expect(await audition.sources()).toEqual([])
    expect(await opened((await audition.diagnose()).location).counts()).toMatchObject({ tools: 0, agents: 0 })
  })

  test('sees what another process commits, at the latest a moment later', async () => {
    const home = storeFolder()
    await commit(home, { put: [toolCard('a/one')] })
    const audition = opened(home)
    expect((await audition.counts()).tools).toBe(1)
    await commit(home, { put: [toolCard('a/two')] })
    await expect.poll(async () => (await audition.counts()).tools, { timeout: 20_000 }).toBe(2)
  })

  test('answers every search whole while commits come and go', async () => {
    const home = storeFolder()
    const cardsOf = (turn: number) =>
      Array.from({ length: 40 }, (_, number) =>
        toolCard(`a/card-${turn % 2}-${number}`, { description: `Finds parcel ${number} of turn ${turn}` }),
      )
    await commit(home, { put: cardsOf(0) })
    const audition = opened(home)
    let isOver = false
    const committing = (async () => {
      const writer = await lanceWriter(home, { model: null })
      for (let turn = 1; turn <= 8; turn++) {
        const remove = cardsOf(turn - 1).map(({ id }) => id)
        await writer.commit(changeOf({ put: cardsOf(turn), remove }))
      }
      await writer.close()
      isOver = true
    })()
    const generations = new Set<number>()
    while (!isOver) {
      const answer = await audition.search({ kind: 'tool', query: 'finds a parcel', k: 20, pack: 'ranking' })
      const turns = new Set(answer.candidates.map(({ card }) => card.description.split('turn ')[1]))
      expect([answer.candidates.length, turns.size]).toEqual([20, 1])
      expect([...turns]).toEqual([String(answer.generation - 1)])
      generations.add(answer.generation)
    }
    await committing
    expect(generations.size).toBeGreaterThan(1)
  })

  test('waits for another index run, says so, and can be told to stop waiting', async () => {
    const home = storeFolder()
    const holder = await lanceWriter(home, { model: null })
    const locations = [folderWith({ 'tools.json': functions('weigh') })]
    const stop = new AbortController()
    const events: IndexProgress[] = []
    const stopped = opened(home).index({
      locations,
      signal: stop.signal,
      onProgress: (event) => {
        events.push(event)
        stop.abort(new Error('enough'))
      },
    })
    await expect(stopped).rejects.toThrow('enough')
    expect(events).toEqual([
      { step: 'write', share: 0, what: expect.stringMatching(`waiting for process ${process.pid} on .*`) },
    ])
    const waiting = opened(home).index({ locations, onProgress: () => void holder.close() })
    expect(await waiting).toMatchObject({ tools: 1 })
  })

  test('that was stopped in the middle of a run is as it was', async () => {
    const home = storeFolder()
    const folder = folderWith({ 'tools.json': functions('weigh') })
    const audition = opened(home)
    await audition.index({ locations: [folder] })
    const before = await audition.counts()
    const stop = new AbortController()
    const run = audition.index({
      locations: [folder, folderWith({ 'more.json': functions('wrap') })],
      signal: stop.signal,
      onProgress: ({ step }) => {
        if (step === 'write') stop.abort(new Error('enough'))
      },
    })
    await expect(run).rejects.toThrow('enough')
    expect(await opened(home).counts()).toEqual(before)
    expect(existsSync(join(home, 'index.lock'))).toBe(false)
  })
})

describe('settings of the environment', () => {
  test.each([
    { why: 'no language model', environment: {}, name: null, tokens: null },
    {
      why: 'a language model and tokens',
      environment: { AUDITION_LLM: 'ollama:qwen3', AUDITION_A2A_TOKENS: '{"https://a.test": "t"}' },
      name: 'ollama:qwen3',
      tokens: 'for https://a.test',
    },
  ])('$why', async ({ environment, name, tokens }) => {
    const audition = opened(storeFolder(), environment)
    expect(await audition.languageModel()).toBe(name)
    expect(await audition.runtimeSetting('a2a tokens')).toBe(tokens)
  })

  test('that say nothing are refused', async () => {
    const audition = opened(storeFolder(), { AUDITION_LLM: 'foo', AUDITION_A2A_TOKENS: 'foo' })
    await expect(audition.languageModel()).rejects.toThrow('AUDITION_LLM is "foo"')
    await expect(audition.runtimeSetting('a2a tokens')).rejects.toThrow('AUDITION_A2A_TOKENS')
  })
})

describe('vectors', () => {
  const query = { kind: 'tool', query: 'weigh a parcel' } as const

  test('are passed over in silence when the model is configured away, and a dense search says what it needs', async () => {
    const home = storeFolder()
    await commit(home, { put: [toolCard('a/weigh_parcel')] }, { model: scatteredModel() })
    const audition = opened(home, { AUDITION_MODEL: 'none' })
    expect(await audition.search(query)).toMatchObject({ ranker: 'lexical', candidates: [{}] })
    await expect(audition.search({ ...query, ranker: 'dense' })).rejects.toThrow(/AUDITION_MODEL=none/)
    expect(await audition.diagnose()).toMatchObject({ storedModel: 'scattered', configuredModel: null })
  })

  test('of another version of the built-in model are left alone, and the answer says so: an upgrade stops no search', async () => {
    const home = storeFolder()
    const version = (name: string) => scatteredModel({ id: `static:${name}@0123456789ab` })
    await commit(home, { put: [toolCard('a/weigh_parcel')] }, { model: version('audition-1') })
    const audition = opened(home)
    expect(await audition.search(query)).toMatchObject({
      ranker: 'lexical',
      candidates: [{}],
      note: expect.stringContaining('Run `audition index`'),
    })
    await expect(audition.search({ ...query, ranker: 'dense' })).rejects.toThrow(
      /were made by static:audition-1@0123/,
    )

    await commit(home, { put: [toolCard('a/weigh_parcel')] }, { model: version('another') })
    await expect(opened(home).search(query)).rejects.toThrow(/were made by static:another@/)
  })

  test('of a folder that holds no model are a fault that names it and what to do', async () => {
    const audition = opened(storeFolder(), { AUDITION_MODEL: 'static:/nowhere' })
    expect(await audition.diagnose()).toMatchObject({
      configuredModel: 'static:/nowhere',
      modelFault: {
        message: expect.stringMatching(/nowhere.model\.json cannot be read/),
        remedy: expect.stringContaining('AUDITION_MODEL'),
      },
    })
  })

  test('of a model that no adapter knows cannot be made, and that is said before anything is written', async () => {
    const home = storeFolder()
    const audition = opened(home, { AUDITION_MODEL: 'unheard-of' })
    const indexing = audition.index({ locations: [folderWith({ 'tools.json': functions('weigh') })] })
    await expect(indexing).rejects.toThrow(EmbeddingModelError)
    expect(existsSync(home)).toBe(false)
  })
})

describe('the compiled program', () => {
  let compiled: CompiledPackage
  let compiledApp: { readonly openAudition: typeof openAudition }
  beforeAll(async () => {
    compiled = await compiledPackage()
    const app = join(dirname(dirname(compiled.main)), 'compose', 'app.js')
    compiledApp = (await import(pathToFileURL(app).href)) as typeof compiledApp
  })

  test('searches with the model that made the vectors, refuses another one, and embeds anew when it is configured', async () => {
    const home = storeFolder()
    const one = await writeTinyBert(join(temporaryFolder(), 'one'))
    const over = (folder: string) =>
      opened(home, { AUDITION_MODEL: `transformers:${folder}` }, compiledApp.openAudition)
    const request = { kind: 'tool', query: 'weigh a parcel' } as const
    const locations = [folderWith({ 'tools.json': functions('weigh_parcel', 'stamp_letter') })]

    const first = over(one)
    await first.index({ locations })
    expect(await first.search(request)).toMatchObject({ ranker: 'hybrid' })
    const { storedModel } = await first.diagnose()
    expect(storedModel).toMatch(/^transformers/)

    const second = over(`${one}?pooling=cls`)
    await expect(second.search(request)).rejects.toMatchObject({
      name: 'EmbeddingModelError',
      message: expect.stringContaining(`The store's vectors were made by ${storedModel}, but `),
      remedy: expect.stringContaining('audition index'),
    })
    expect(await second.search({ ...request, ranker: 'lexical' })).toMatchObject({ ranker: 'lexical' })
    await second.index({ locations })
    expect(await second.search({ ...request, ranker: 'dense' })).toMatchObject({
      ranker: 'dense',
      candidates: [{}, {}],
    })
    expect((await second.diagnose()).storedModel).not.toBe(storedModel)
  })

  test('killed at any instant of an index run leaves the last index, and the next run is right', async () => {
    const home = storeFolder()
    const names = (part: string) => Array.from({ length: 1500 }, (_, number) => `tool_${part}_${number}`)
    const base = folderWith({ 'base.json': functions(...names('base')) })
    const more = folderWith({ 'more.json': functions(...names('more')), '.claude/agents/a.md': agent })
    const run = (location: string) =>
      spawn(process.execPath, [compiled.main, 'index', location], {
        env: { ...process.env, AUDITION_HOME: home },
        stdio: 'ignore',
      })
    const [code] = (await once(run(base), 'exit')) as [number]
    expect(code).toBe(0)
    const audition = opened(home)
    let wasWhole = 0
    for (let instant = 0; instant < 5; instant++) {
      const child = run(more)
      const ended = once(child, 'exit')
      const timer = setTimeout(() => child.kill('SIGKILL'), 150 + 180 * instant + Math.random() * 120)
      await ended
      clearTimeout(timer)
      const { tools, agents } = await opened(home).counts()
      expect([
        [1500, 0],
        [3000, 1],
      ]).toContainEqual([tools, agents])
      expect(await audition.diagnose()).toMatchObject({ state: 'ready', tools, agents })
      if (tools === 3000) {
        wasWhole += 1
        await audition.removeSources(
          (await audition.sources()).map(({ id }) => id).filter((id) => id !== 'base'),
        )
      }
    }
    const report = await audition.index({ locations: [base, more] })
    expect(report).toMatchObject({ tools: 3000, agents: 1 })
    expect(await opened(home).counts()).toMatchObject({ tools: 3000, agents: 1 })
    const [card] = await audition.cards(['more/tool_more_1499'])
    expect(card?.description).toBe('Does tool more 1499')

    const fresh = storeFolder()
    await opened(fresh).index({ locations: [base, more] })
    expect(bytesIn(home), `${wasWhole} of 5 runs were done before they were killed`).toBeLessThan(
      1.5 * bytesIn(fresh),
    )
    expect(listing(home).some((file) => file.includes('index.lock'))).toBe(false)
  })
})

const agent = '---\nname: clerk\ndescription: Works at the counter\n---\nYou work.\n'
