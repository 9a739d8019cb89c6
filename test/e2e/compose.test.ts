import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { profileYaml } from '../../src/catalog/readers/profile-yaml.ts'
import { openDocument } from '../../src/catalog/source-document.ts'
import { isJsonObject } from '../../src/domain/json.ts'
import { type ModelRequest, type ModelServer, modelServer } from '../fakes/model-server.ts'
import { type CompiledPackage, compiledPackage, environmentIn } from '../fixtures/compiled-package.ts'
import { testClient, textOf } from '../server/connect.ts'

const task = 'take 17 percent of 250, then add three weeks to 2024-05-01'

let audition: CompiledPackage
let model: ModelServer
let folder: string
let environment: { readonly [name: string]: string }

/** Combines by labels when it is asked for a shape, one of them invented; else calls the tool that it has, and answers. */
const scripted = ({ body }: ModelRequest) => {
  if (body.response_format !== undefined || body.tools === undefined)
    return { text: JSON.stringify({ agents: [{ backbone: 'M1', tools: ['T1', 'T2', 'T99'] }] }) }
  const isAsked =
    Array.isArray(body.messages) && body.messages.some((one) => isJsonObject(one) && one.role === 'tool')
  return isAsked
    ? { text: 'It is 42.5, and 2024-05-22.' }
    : { calls: [{ tool: 'percent_of', arguments: { percent: 17, amount: 250 } }] }
}

beforeAll(async () => {
  ;[audition, model] = await Promise.all([compiledPackage(), modelServer(scripted)])
  folder = mkdtempSync(join(tmpdir(), 'audition-compose-'))
  environment = environmentIn(folder)
  await run({}, 'index', 'bundled:servers')
})

afterAll(async () => {
  await model?.close()
  rmSync(folder, { recursive: true, force: true })
})

const withModel = () => ({ AUDITION_LLM: model.spec('openai-compatible'), AUDITION_LLM_KEY: 'sk-test' })

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs the real program in a home of its own. */
const run = (env: object, ...argv: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [audition.main, ...argv],
      { cwd: folder, env: { ...environment, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })

test('without a model: tools for both steps, a null backbone, and a step that hardly anything does is told', async () => {
  const { code, stdout } = await run({}, 'compose', '--json', '-k', '3', `${task}, and paint my house`)
  const composed = JSON.parse(stdout)
  expect(code).toBe(0)
  expect(composed.profiles).toHaveLength(3)
  expect(composed.profiles[0]).toMatchObject({ composed: true, backbone: null })
  expect(composed.profiles[0].tools).toEqual(
    expect.arrayContaining(['audition-arithmetic/percent_of', 'audition-calendar/add_to_date']),
  )
  expect(composed.notes.join()).toMatch(
    /(?:No tool of yours does|It is open whether a tool of yours does) this: "paint my house"/,
  )
  expect(composed.notes).toContain('A model is missing to run it: set AUDITION_LLM, and compose again.')
  const shown = await run({}, 'compose', '-k', '1', task)
  expect(shown.stdout).toMatch(
    /Composed \(1 profile\)[\s\S]*composed-take-17-percent-of-250-then +composed +0\.\d\d +no backbone/,
  )
})

test('written, read again, allowed and auditioned: it calls its tool and is kept in the record', async () => {
  const agents = join(folder, 'agents')
  const { code, stdout } = await run(withModel(), 'compose', '--json', '--write', 'agents', task)
  expect(code).toBe(0)
  const composed = JSON.parse(stdout)
  expect(composed.asked).toEqual({ model: model.spec('openai-compatible'), dropped: 1 })
  expect(composed.written).toHaveLength(3)
  for (const file of readdirSync(agents)) {
    const { cards, problems } = profileYaml.read(openDocument(join(agents, file)))
    expect(problems).toEqual([])
    expect(cards).toMatchObject([
      { backbone: { name: 'tiny' }, tags: ['composed'], runtime: { kind: 'profile' } },
    ])
  }
  const [first] = composed.written
  const found = JSON.parse((await run({}, 'search', '--agents', '--json', '-k', '1', task)).stdout)
  expect(found.answers[0].candidates[0].card.tags).toEqual(['composed'])

  const exported = await run({}, 'export', first.id, '--as', 'agno', '--write', 'other')
  expect(exported.code, exported.stderr).toBe(0)
  const indexed = await run(
    {},
    'index',
    '--json',
    join(folder, 'other', exported.stdout.trim().split('/').at(-1)!),
  )
  expect(JSON.parse(indexed.stdout).sources[0]).toMatchObject({ added: 1, problems: [] })

  const refused = await run(withModel(), 'compose', '--json', '--write', 'agents', '--probe', task)
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.stdout).probe.candidates[0].notRun).toMatchObject({ kind: 'permission' })

  await run(
    withModel(),
    'allow',
    '--yes',
    '--no-sandbox',
    ...composed.written.map(({ id }: { id: string }) => id),
  )
  const probed = await run(withModel(), 'compose', '--json', '--write', 'agents', '--probe', task)
  expect(probed.code, probed.stderr).toBe(0)
  expect(JSON.parse(probed.stdout).probe.candidates[0]).toMatchObject({
    card: first.id,
    notRun: null,
    runs: [{ outcome: { ending: 'answered', task } }],
  })
  const called = model.requests.some(({ body }) => JSON.stringify(body.messages).includes('42.5'))
  expect(called).toBe(true)

  writeFileSync(first.file, 'mine')
  const taken = await run(withModel(), 'compose', '--write', 'agents', task)
  expect(taken.code).toBe(1)
  expect(taken.stderr).toMatch(/is there already, and says something else\./)
  expect(readFileSync(first.file, 'utf8')).toBe('mine')
})

test.each([
  { why: 'a probe without files', argv: ['--probe', 'x'], said: /--probe needs --write/ },
  {
    why: 'a probe without a model',
    argv: ['--probe', '--write', 'other', 'x'],
    said: /--probe needs a model: set AUDITION_LLM/,
  },
  { why: 'an empty task', argv: [' '], said: /The task is empty\./ },
])('$why is wrong usage', async ({ argv, said }) => {
  const { code, stderr } = await run({}, 'compose', ...argv)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(said) })
})

test('over MCP: search_agents offers compose_agent where no agent fits, and it answers with tools and no path', async () => {
  const client = testClient()
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [audition.main, 'serve'],
      env: { ...environment },
      cwd: folder,
    }),
  )
  try {
    const none = await client.callTool({
      name: 'search_agents',
      arguments: { task: 'sequence a genome and fold its proteins' },
    })
    expect(none.structuredContent).toMatchObject({
      match: expect.stringMatching(/none|weak/),
      next: expect.stringContaining('compose_agent'),
    })
    const composed = await client.callTool({ name: 'compose_agent', arguments: { task } })
    expect(composed.isError, textOf(composed)).toBeUndefined()
    expect(composed.structuredContent).toMatchObject({
      profiles: [{ composed: true, backbone: null, steps: [{}, {}] }, {}, {}],
      next: expect.stringContaining('audition compose --write agents'),
    })
    expect(textOf(composed)).toContain('audition-arithmetic/percent_of')
    expect(JSON.stringify(composed)).not.toContain(folder)
    const hostile = await client.callTool({
      name: 'compose_agent',
      arguments: { task: '17 percent of 250 $(touch pwned) `id`' },
    })
    // A person may paste the line that it names.
    expect((hostile.structuredContent as { readonly next: string }).next).not.toMatch(/pwned|`id`/)
    const wrong = await client.callTool({ name: 'compose_agent', arguments: { goal: 'x' } })
    expect(textOf(wrong)).toContain('Example: compose_agent {"task":')
  } finally {
    await client.close()
  }
})
