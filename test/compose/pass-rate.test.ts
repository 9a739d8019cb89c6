import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openAudition } from '../../src/compose/app.ts'
import type { ToolTask } from '../../src/compose/pass-rating.ts'
import { answerKeysIn } from '../../src/compose/parts/known-answers.ts'
import { configFrom } from '../../src/config.ts'
import type { ToolCard } from '../../src/domain/card.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/domain/json.ts'
import { cardsOfServers } from '../../src/evaluation/datasets/bundled-tools.ts'
import { grantsFor } from '../../src/probing/settings/grants.ts'
import { tasksOfCard } from '../../src/probing/writing/tasks-of-card.ts'
import { storeFolder } from '../adapters/lancedb/stores.ts'
import { servedModel } from '../adapters/ai-sdk/agents.ts'
import {
  buildCatalog,
  connectTo,
  root,
  serverFiles,
  type ServerName,
} from '../catalog-bundled/built-catalog.ts'
import { folderWith } from '../catalog/temporary-folder.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import type { ModelReply, ModelRequest } from '../fakes/model-server.ts'

const catalog = buildCatalog()
afterAll(() => catalog.remove())

type KnownTask = ToolTask & { readonly tool: string; readonly arguments: JsonObject }
let tasks: readonly KnownTask[] = []
/** The catalog of all three servers; each house has a copy. */
const indexed = join(catalog.folder, 'store')

/** Tasks of the bundled tools whose known answer is a text or number that the tool states in words. */
beforeAll(async () => {
  const answers = await answerKeysIn(catalog.folder)
  const cards = cardsOfServers(join(root, 'catalog'), join(root, 'evals/bundled/tools.jsonl'))
  const found: KnownTask[] = []
  for (const server of Object.keys(serverFiles) as ServerName[]) {
    const client = await connectTo(catalog.folder, server)
    for (const card of cards.filter((one): one is ToolCard => one.kind === 'tool' && one.server === server)) {
      let ofTool = 0
      for (const task of tasksOfCard(card, 6, { answers })) {
        const { reference } = task
        if (task.arguments === undefined || reference?.kind !== 'json-path') continue
        const text = String(reference.value)
        const reply = await client.callTool({ name: card.name, arguments: { ...task.arguments } })
        const [content] = reply.content
        if (typeof reference.value === 'object' || content?.type !== 'text' || text.length < 2) continue
        if (!new RegExp(`(?<![\\w.])${text.replace(/[^\w ]/g, '\\$&')}(?![\\w.]\\w)`).test(content.text))
          continue
        if (found.some((one) => one.text === task.text) || ofTool === 2) continue
        ofTool += 1
        found.push({
          text: task.text,
          arguments: task.arguments,
          tool: card.name,
          expected: [],
          reference: { kind: 'states', text },
        })
      }
    }
    await client.close()
  }
  tasks = found
  const servers = Object.fromEntries(
    Object.entries(serverFiles).map(([name, file]) => [
      name,
      { command: process.execPath, args: [join(catalog.folder, 'servers', `${file}.js`)] },
    ]),
  )
  const file = join(catalog.folder, 'mcp.json')
  writeFileSync(file, JSON.stringify({ mcpServers: servers }))
  const audition = openAudition(configFrom({ AUDITION_READER: 'none', AUDITION_HOME: indexed }))
  await audition.index({ locations: [file] })
  await audition.close()
})

/** How agents behave, by the name of the model: each is asked with the messages so far and the tools that it has. */
function agents({ body }: ModelRequest): ModelReply {
  const messages = body.messages as readonly JsonObject[]
  const asked = textOf(messages.findLast(({ role }) => role === 'user'))
  const known = tasks.find(({ text }) => text === asked)
  const has = (body.tools as readonly JsonObject[] | undefined)?.some(
    (tool) => isJsonObject(tool.function) && tool.function.name === known?.tool,
  )
  const last = messages.at(-1)
  const call = known && { calls: [{ tool: known.tool, arguments: known.arguments }] }
  switch (body.model) {
    case 'good':
      if (call === undefined || !has) return { text: 'I have no tool for it.' }
      return last?.role === 'tool' ? { text: `The tool says: ${textOf(last)}` } : call
    case 'even':
      return (
        (call && tasks.indexOf(known) % 2 === 0 && last?.role !== 'tool' && has && call) || {
          text: last?.role === 'tool' ? textOf(last) : 'I will not.',
        }
      )
    case 'wrong':
      return last?.role !== 'tool' && call && has ? call : { text: 'It is certainly -777777.' }
    case 'endless':
      return call && has ? call : { text: 'I have no tool for it.' }
    default:
      return { text: 'It can be looked up.' }
  }
}

const textOf = (message: JsonObject | undefined): string => {
  const content: JsonValue | undefined = message?.content
  return typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part) => (isJsonObject(part) ? String(part.text ?? '') : '')).join('')
      : ''
}

async function house(model: string, allow: readonly string[] = ['mcp:*']) {
  const server = await servedModel(agents)
  const folder = folderWith({
    'settings.yaml': `allow: ${JSON.stringify(allow)}\nprices:\n  openai-compatible/${model}: { input: 1, output: 2 }\n`,
  })
  const home = storeFolder()
  cpSync(indexed, home, { recursive: true })
  const audition = openAudition(
    configFrom({
      AUDITION_READER: 'none',
      AUDITION_HOME: home,
      AUDITION_SETTINGS: join(folder, 'settings.yaml'),
      AUDITION_LLM: server.spec('openai-compatible', model),
      PATH: process.env.PATH,
    }),
  )
  onTestFinished(() => audition.close())
  const ids = new Map(
    (await audition.completeIds('', 200, 'tool')).map((id) => [id.slice(id.indexOf('/') + 1), id]),
  )
  const own = tasks.map(({ tool, ...task }) => ({ ...task, expected: [ids.get(tool)!] }))
  return { audition, server, folder, tasks: own }
}

async function commandOver(count: number) {
  const { audition, tasks: own } = await house('good')
  const rows = own
    .slice(0, count)
    .map(({ text, expected, reference }) => ({ query: text, expected, expect: reference }))
  const file = join(
    folderWith({ 'tasks.jsonl': rows.map((row) => JSON.stringify(row)).join('\n') }),
    'tasks.jsonl',
  )
  const run = (...flags: readonly string[]) =>
    runCaptured(['evaluate', 'pass-rate', file, ...flags], audition, { env: { COLUMNS: '120' } })
  return { run, own }
}

const everything = { toolsets: ['given', 'retrieved', 'none'], k: 3, limits: { steps: 4 } } as const

describe('the pass rate of scripted agents over the bundled tools', () => {
  test('there are tasks of all three servers', () => {
    expect(tasks.length).toBeGreaterThan(20)
  })

  test('a good agent solves what it has the tool for, and nothing else', async () => {
    const { audition, tasks: own } = await house('good')
    const report = await audition.passRate({ tasks: own, ...everything })
    let found = 0
    for (const { text, expected } of own) {
      const request = {
        kind: 'tool',
        query: text,
        k: 3,
        enough: false,
        filter: { hasRuntime: true },
      } as const
      if ((await audition.search(request)).candidates.some(({ card }) => card.id === expected[0])) found += 1
    }
    expect(report.rows).toMatchObject([
      { toolset: 'given', runs: own.length, rate: { mean: 1 }, ungraded: 0, limited: 0 },
      { toolset: 'retrieved', runs: own.length, rate: { mean: found / own.length } },
      { toolset: 'none', runs: own.length, rate: { mean: 0, low: 0 } },
    ])
    expect(found).toBeGreaterThan(own.length / 2)
    expect(report.completeness).toBe(found / own.length)
    // Two turns of 10 and 5 tokens with a tool, one without.
    expect(report.rows[0]).toMatchObject({ tokens: 30, cost: 40 / 1e6, costPerSolved: 40 / 1e6 })
    expect(report.rows[2]).toMatchObject({ tokens: 15, costPerSolved: null })
    expect(report.pairs.find(({ other }) => other === 'none')).toMatchObject({
      toolset: 'given',
      difference: { mean: 1 },
      won: own.length,
      lost: 0,
    })
    expect(report.pairs.every(({ pHolm, p }) => pHolm >= p)).toBe(true)
    expect((await (await audition.record()).list()).filter(({ origin }) => origin !== 'use')).toEqual([])
  })

  test.each([
    { model: 'lazy', rate: () => 0, limited: false, why: 'it calls nothing' },
    { model: 'wrong', rate: () => 0, limited: false, why: 'it calls the tool and says something else' },
    { model: 'endless', rate: () => 0, limited: true, why: 'it calls without end' },
    {
      model: 'even',
      rate: () => Math.ceil(tasks.length / 2) / tasks.length,
      limited: false,
      why: 'it does every second task',
    },
  ])(
    'the $model agent: $why',
    async ({ model, rate, limited }) => {
      const { audition, tasks: own } = await house(model)
      const report = await audition.passRate({ tasks: own, ...everything, toolsets: ['given'] })
      expect(report.rows).toMatchObject([
        { runs: own.length, rate: { mean: rate() }, ungraded: 0, limited: limited ? own.length : 0 },
      ])
      expect(report.pairs).toEqual([])
      expect(report.completeness).toBeNull()
    },
    60_000,
  )

  test('simulated servers give recorded answers, and nothing is started', async () => {
    const { audition, tasks: own, folder } = await house('good')
    const some = own.slice(0, 6)
    for (const { expected, arguments: args } of some) {
      const [source = '', tool = ''] = expected[0]!.split('/')
      const server = await audition.simulatedServer(source, { mode: 'record' })
      expect(await server.session().call(tool, args)).toMatchObject({ from: 'real', failed: false })
    }
    writeFileSync(join(folder, 'settings.yaml'), 'allow: []\n')
    const report = await audition.passRate({
      tasks: some,
      ...everything,
      toolsets: ['given', 'none'],
      simulate: true,
    })
    expect(report).toMatchObject({
      servers: 'simulated',
      knownAnswers: 0,
      rows: [{ rate: { mean: 1 } }, { rate: { mean: 0 } }],
    })
    await expect(audition.passRate({ tasks: some, ...everything, toolsets: ['given'] })).rejects.toThrow(
      'you have not allowed to start this',
    )
  })

  test('of known answers that meet invented ones it is said how many', async () => {
    const { audition, tasks: own } = await house('good')
    const some = own.slice(0, 4)
    const asked = { ...everything, toolsets: ['given', 'none'] as const, simulate: true }
    expect(await audition.passRate({ tasks: some, ...asked })).toMatchObject({ knownAnswers: 4 })
    const unknown = some.map(({ reference: _none, ...task }) => task)
    expect(await audition.passRate({ tasks: unknown, ...asked })).toMatchObject({ knownAnswers: 0 })
    const { stdout } = await (await commandOver(2)).run('--simulate', '--toolset', 'given')
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Known answers of 2 tasks may not fit what simulated tools answer',
    )
  })

  test('what the search gave of servers without a permit is left out, and told', async () => {
    const { audition, tasks: own } = await house('good', [])
    const some = own.filter(({ expected: [id] }) => id!.startsWith('audition-text/')).slice(0, 2)
    const probing = await audition.probing()
    const cards = await audition.cards(some.flatMap(({ expected }) => expected))
    const plans = await probing.plan({ cards, tasks: { kind: 'given', tasks: [] } })
    for (const { launch, notRun } of plans)
      if (notRun?.kind === 'permission' && launch !== null)
        await probing.changeAllow({ add: grantsFor(notRun.missing, launch) })
    expect(some).toHaveLength(2)
    const report = await audition.passRate({ tasks: some, ...everything, k: 30 })
    expect(report.leftOut).toContain('audition-arithmetic')
    expect(report.rows).toMatchObject([{ rate: { mean: 1 } }, { rate: { mean: 1 } }, { rate: { mean: 0 } }])
    const tools = report.runs.flatMap((one) => one.tools)
    expect(tools.some((id) => id.startsWith('audition-arithmetic/'))).toBe(false)
    await expect(
      (await house('good', [])).audition.passRate({ tasks: some, ...everything, toolsets: ['retrieved'] }),
    ).rejects.toThrow('you have not allowed to start this')
  })

  test('as a command, with its table', async () => {
    const { run } = await commandOver(8)
    const { code, stdout, stderr } = await run('--toolset', 'given', '--toolset', 'none')
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/given +8 +100\.0 \[67\.6, 100\.0\] +0 +0 +30 +\$0\.0000/)
    expect(stdout).toMatch(/none +8 +0\.0 \[0\.0, 32\.4\]/)
    expect(stdout).toMatch(/given against none +\+100\.0 .* 8 +0 +0\.008 +0\.008 \*/)
    expect(stderr).toContain('8 tasks, 16 runs at most.')
  })

  test('as JSON, with every run', async () => {
    const { run, own } = await commandOver(3)
    const { stdout } = await run('--json', '--limit', '2', '--toolset', 'given')
    expect(JSON.parse(stdout).runs).toMatchObject([
      { toolset: 'given', isSolved: true, grade: 5, tools: own[0]!.expected },
      { toolset: 'given', isSolved: true, grade: 5 },
    ])
  })

  test('a tool that is not there is said', async () => {
    const { audition, tasks: own } = await house('good')
    const task = { ...own[0]!, expected: ['gone/tool'] }
    await expect(audition.passRate({ tasks: [task], ...everything })).rejects.toThrow('"gone/tool"')
  })
})
