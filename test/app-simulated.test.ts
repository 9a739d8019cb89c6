import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dump } from 'js-yaml'
import { expect, onTestFinished, test } from 'vitest'
import { openAudition } from '../src/compose/app.ts'
import { configFrom } from '../src/config.ts'
import { grantsFor } from '../src/probing/settings/grants.ts'
import { readOutcomeLines } from '../src/probing/record/outcome-lines.ts'
import { servedModel } from './adapters/ai-sdk/agents.ts'
import { storeFolder } from './adapters/lancedb/stores.ts'
import { folderWith } from './catalog/temporary-folder.ts'
import type { ModelReply } from './fakes/model-server.ts'

const program = fileURLToPath(new URL('./fixtures/mcp-servers/called.mjs', import.meta.url))
const signal = new AbortController().signal

/** A shop that is indexed, and a profile that uses it on a scripted model. */
async function house(
  replies: readonly ModelReply[] = [{ text: '{"failed": false, "answer": "bought it"}' }],
) {
  const model = await servedModel(replies)
  const folder = folderWith({})
  const pids = join(folder, 'pids')
  const shop = { command: process.execPath, args: [program, pids] }
  const [config, profile, settings] = ['.mcp.json', 'buyer.yaml', 'settings.yaml'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  writeFileSync(config, JSON.stringify({ mcpServers: { shop } }))
  writeFileSync(settings, `allow: ["chat:${model.origin}"]\n`)
  writeFileSync(
    profile,
    dump({
      profile: 'audition/v1',
      name: 'buyer',
      description: 'Buys things',
      backbone: { name: 'named' },
      servers: { shop },
    }),
  )
  const app = openAudition(
    configFrom({
      AUDITION_MODEL: 'none',
      AUDITION_HOME: storeFolder(),
      AUDITION_SETTINGS: settings,
      AUDITION_LLM: model.spec('openai-compatible'),
      HOME: folder,
      PATH: process.env.PATH,
    }),
  )
  onTestFinished(() => app.close())
  const { sources } = await app.index({ locations: [config, profile] })
  const buyer = sources.map(({ source }) => `${source}/buyer`)
  const started = () => readFileSync(pids, 'utf8').trim().split('\n').length
  const permit = async (id: string, kind: 'real' | 'simulated') => {
    const probing = await (kind === 'real' ? app.probing() : app.simulatedProbing())
    const [plan] = await probing.plan({ cards: await app.cards([id]), tasks: given('x') })
    if (plan?.notRun?.kind === 'permission')
      await probing.changeAllow({ add: grantsFor(plan.notRun.missing, plan.launch ?? {}) })
    return plan
  }
  return { app, model, started, permit, buyer: (await app.cards(buyer))[0]!.id, indexed: started() }
}

const given = (text: string, args?: object) =>
  ({
    kind: 'given',
    tasks: [{ text, ...(args === undefined ? {} : { arguments: args as { what: string } }) }],
  }) as const

test('a tool is probed as simulated: nothing starts, nothing is asked, and the ledger is another one', async () => {
  const { app, started, indexed } = await house()
  const probing = await app.simulatedProbing()
  const cards = await app.cards(['shop/buy'])
  const report = await probing.probe({ cards, tasks: given('buy tea', { what: 'tea' }) })
  expect(report.candidates[0]).toMatchObject({
    notRun: null,
    runs: [{ answer: 'bought it', outcome: { executor: 'simulated-mcp-tool', ending: 'answered' } }],
  })
  expect(started()).toBe(indexed)
  expect(await (await app.record()).list()).toEqual([])
  const simulated = await (await app.simulatedRecord()).list()
  expect(simulated).toMatchObject([{ card: 'shop/buy', executor: 'simulated-mcp-tool' }])
  expect(await probing.transcript(simulated[0]!.id)).not.toBeNull()
  expect(await (await app.probing()).transcript(simulated[0]!.id)).toBeNull()
  const { candidates } = await app.search({ kind: 'tool', query: 'buy', k: 3 })
  expect(candidates.every(({ signals }) => signals.record === undefined)).toBe(true)
  const lines = readOutcomeLines(JSON.stringify(simulated[0]))
  expect(lines.outcomes).toEqual([])
  expect(lines.problems[0]?.message).toContain('simulated')
  expect(await (await app.simulatedRecord()).forget({})).toBe(1)
})

test('an audition runs on simulated tools too, and leaves the track record alone', async () => {
  const { app, started, indexed } = await house()
  const probing = await app.simulatedProbing()
  const cards = await app.cards(['shop/buy'])
  const report = await probing.audition({ cards, tasks: given('buy tea', { what: 'tea' }) })
  expect(report).toMatchObject({ runs: 1, spared: 0, winner: null, candidates: [{ notRun: null }] })
  expect(started()).toBe(indexed)
  expect(await (await app.record()).list()).toEqual([])
  expect(await (await app.simulatedRecord()).list()).toHaveLength(1)
})

test('a profile runs on its servers as they are simulated; only what really starts has to be allowed', async () => {
  const { app, model, started, permit, buyer, indexed } = await house([
    { calls: [{ tool: 'buy', arguments: { what: 'tea' } }] },
    { text: '{"failed": false, "answer": "bought tea, not really"}' },
    { text: 'The tea is bought.' },
  ])
  const plan = await permit(buyer, 'simulated')
  expect(plan?.notRun).toMatchObject({ kind: 'permission', missing: [expect.stringMatching(/^profile:/)] })
  const probing = await app.simulatedProbing()
  const report = await probing.probe({ cards: await app.cards([buyer]), tasks: given('Buy tea.') })
  const [run] = report.candidates[0]!.runs
  expect(run).toMatchObject({ answer: 'The tea is bought.', outcome: { executor: 'simulated-profile' } })
  const transcript = await probing.transcript(run!.outcome.id)
  expect(transcript?.events).toContainEqual(
    expect.objectContaining({ kind: 'tool-result', tool: 'buy', text: 'bought tea, not really' }),
  )
  expect(JSON.stringify(model.requests[1]?.body)).toContain('BEGIN ARGUMENTS')
  expect(started()).toBe(indexed)
  expect(await (await app.record()).list()).toEqual([])
})

test('an agent that others run is not run at all', async () => {
  const { app, buyer } = await house()
  const [card] = await app.cards([buyer])
  const clerk = { ...card!, id: 'team/clerk', runtime: { kind: 'a2a', url: 'https://agents.example' } }
  const [plan] = await (await app.simulatedProbing()).plan({ cards: [clerk as never], tasks: given('x') })
  expect(plan?.notRun).toMatchObject({ kind: 'runtime', message: expect.stringContaining('run by others') })
})

test('recording starts the real server only when that is allowed; what it gave is replayed, and counts as a use', async () => {
  const { app, started, permit, indexed } = await house()
  const args = { what: 'tea' }
  const record = async () => (await app.simulatedServer('shop', { mode: 'record' })).session()
  const replay = async () => (await app.simulatedServer('shop', { mode: 'replay' })).session()
  expect(await (await record()).call('buy', args)).toMatchObject({
    failed: true,
    content: [{ text: expect.stringContaining('not allowed') }],
  })
  expect(started()).toBe(indexed)
  await permit('shop/buy', 'real')
  const real = await (await record()).call('buy', args)
  expect(real).toEqual({ content: [{ type: 'text', text: 'bought tea' }], failed: false, from: 'real' })
  expect(await (await replay()).call('buy', args)).toEqual(real)
  expect(started()).toBe(indexed + 1)
  await expect
    .poll(async () => (await app.record()).list(), { timeout: 10_000 })
    .toMatchObject([{ card: 'shop/buy', origin: 'use', executor: 'mcp-tool' }])
})

test('calls for hosts, and probes of tools, are recordings too', async () => {
  const { app, permit } = await house()
  await permit('shop/say', 'real')
  const [say] = await app.cards(['shop/say'])
  await (await app.probing()).probe({ cards: [say!], tasks: given('say it', { text: 'probed' }) })
  const calling = await app.keptCalling()
  await calling.call({ card: say as never, args: { text: 'called' }, mayChange: false, signal })
  const session = (await app.simulatedServer('shop', { mode: 'replay' })).session()
  for (const text of ['probed', 'called'])
    expect(await session.call('say', { text })).toMatchObject({
      from: 'real',
      content: [{ text: `said ${text}` }],
    })
  expect(await session.call('say', { text: 'never' })).toMatchObject({ from: 'nobody' })
})

test('a server that is not in the index is told, with those like it', async () => {
  const { app } = await house()
  await expect(app.simulatedServer('shopp')).rejects.toThrow(/No server "shopp"/)
  await expect(app.simulatedServer('shop', { faults: 'errors=7' })).rejects.toThrow(/no share of 0 to 1/)
})
