import { execFile, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { demoPairs } from '../../catalog/demo/pairs.ts'
import type * as App from '../../src/compose/app.ts'
import type { Audition } from '../../src/compose/audition.ts'
import { command as probeCommand } from '../../src/cli/commands/probe.ts'
import { command as runCommand } from '../../src/cli/commands/run.ts'
import type * as Config from '../../src/config.ts'
import { fakeAudition } from '../fakes/fake-audition.ts'
import { modelServer } from '../fakes/model-server.ts'
import { type CompiledPackage, compiledPackage, environmentIn } from '../fixtures/compiled-package.ts'
import { connectInMemory, testClient, textOf } from '../server/connect.ts'

let audition: CompiledPackage
let folder: string
let environment: { readonly [name: string]: string }

beforeAll(async () => {
  audition = await compiledPackage()
  folder = mkdtempSync(join(tmpdir(), 'audition-probe-'))
  environment = environmentIn(folder)
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

/** Runs the real program in a home of its own; one that does not end with 0 throws. */
const run = async (...argv: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [audition.main, ...argv], {
    env: environment,
  })
  return stdout
}

test('the first minute: of two agents that say the same, the one that works ranks first once both were run', async () => {
  const tour = await run('quickstart')
  expect(tour).toMatch(/Ranked by what is known so far: +1\. demo-profiles\/measure-/)
  expect(tour).toMatch(/demo-profiles\/measure-amber +3 of 3/)
  expect(tour).toMatch(/demo-profiles\/measure-cobalt +0 of 3/)
  expect(tour).toMatch(/Ranked by what happened: +1\. demo-profiles\/measure-amber/)
})

test('audition probe tells the sound one from the broken one', async () => {
  const pair = ['demo-profiles/tally-south', 'demo-profiles/tally-north']
  const report = JSON.parse(await run('probe', ...pair, '--json', '--count', '2'))
  expect(report.candidates).toMatchObject([
    { card: pair[0], worked: 2, graded: 2, notRun: null },
    { card: pair[1], worked: 0, graded: 2, notRun: null },
  ])
  expect(readdirSync(join(folder, 'store', 'transcripts'))).toHaveLength(6 + 4)
})

test('a bundled tool is graded by the answer key that ships beside its server', async () => {
  const env = { ...environment, AUDITION_HOME: join(folder, 'known') }
  const inHome = async (...argv: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [audition.main, ...argv], { env })).stdout
  await inHome('index', 'bundled:servers')
  const probed = await inHome('probe', 'audition-arithmetic/percent_of', '--json', '--count', '1')
  expect(JSON.parse(probed).candidates[0].runs[0].outcome).toMatchObject({
    task: 'What is 85% of 4705.28, and 4705.28 with it added and taken off?',
    verdict: { grade: 5, judge: 'reference', reason: expect.stringContaining('3999.488') },
  })
})

test.skipIf(process.platform === 'win32')(
  'the first examples of probe and run, and the example of probe_agent, are of what `audition index` reads',
  async () => {
    const home = { ...environment, AUDITION_HOME: join(folder, 'indexed') }
    const inHome = async (line: string): Promise<string> =>
      (
        await promisify(execFile)(
          'sh',
          ['-c', `audition() { "${process.execPath}" "${audition.main}" "$@"; }\n${line}`],
          { cwd: folder, env: home },
        )
      ).stdout
    await inHome('audition index')
    expect(await inHome(probeCommand.examples[0]!.line)).toMatch(/^audition-\S+ +\d of \d/m)
    expect(await inHome(runCommand.examples[0]!.line)).toContain('2026-03-23')
    const client = await connectInMemory(fakeAudition([], { empty: true }))
    const refused = await client.callTool({ name: 'probe_agent', arguments: { nothing: 1 } })
    const [, example = ''] = /Example: probe_agent (.*)$/.exec(textOf(refused)) ?? []
    const { agents } = JSON.parse(example) as { readonly agents: readonly string[] }
    await client.close()
    expect(await inHome(`audition probe --dry-run ${agents.join(' ')}`)).toContain(agents[0])
  },
)

test('an MCP host calls a tool and runs an agent through audition, over stdio', async () => {
  await run('index', 'bundled:servers')
  const client = testClient({}, 'cursor-vscode')
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [audition.main, 'serve', '--call'],
      env: { ...environment },
      cwd: folder,
    }),
  )
  try {
    const query = { query: 'take a percentage of an amount', sources: ['audition-arithmetic'] }
    const found = await client.callTool({ name: 'search_tools', arguments: query })
    expect(found.structuredContent).toMatchObject({
      candidates: expect.arrayContaining([expect.objectContaining({ reach: 'through audition' })]),
      next: expect.stringContaining('call_tool'),
    })
    const id = 'audition-arithmetic/percent_of'
    const called = await client.callTool({
      name: 'call_tool',
      arguments: { id, arguments: { percent: 20, amount: 50 } },
    })
    expect(called.isError, textOf(called)).toBeUndefined()
    expect(called.structuredContent).toEqual({
      data_from: id,
      text: '20% of 50 is 10 (plus: 60, minus: 40)',
      result: { part: 10, increased: 60, decreased: 40 },
    })
    const agent = { id: 'demo-profiles/ratio-elm', task: 'What percentage of 24 is 6?' }
    const ran = await client.callTool({ name: 'run_agent', arguments: agent })
    expect(ran.isError, textOf(ran)).toBeUndefined()
    expect(textOf(ran)).toContain('25')
  } finally {
    await client.close()
  }
})

test('an MCP host probes a pair over stdio and finds the sound one first; what the user forbids stays shut', async () => {
  const client = testClient()
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [audition.main, 'serve'],
      env: { ...environment },
    }),
  )
  try {
    const [sound, flawed] = ['demo-profiles/ratio-elm', 'demo-profiles/ratio-oak']
    const probed = { agents: [flawed, sound], tasks: 2, max_seconds: 60 }
    const result = await client.callTool({ name: 'probe_agent', arguments: probed })
    expect(result.isError, textOf(result)).toBeUndefined()
    expect(result.structuredContent).toMatchObject({
      state: 'done',
      candidates: [
        { id: sound, worked: 2, graded: 2 },
        { id: flawed, graded: 2 },
      ],
    })
    const link = result.content.find(({ type }) => type === 'resource_link') as { readonly uri: string }
    const { contents } = await client.readResource({ uri: link.uri })
    expect((contents[0] as { readonly text: string }).text).toContain('"executor": "command"')

    const asked = { task: 'What percentage of 24 is 17?', sources: ['demo-profiles'] }
    const found = await client.callTool({ name: 'search_agents', arguments: asked })
    const { candidates } = found.structuredContent as { candidates: readonly { readonly id: string }[] }
    expect(candidates.map(({ id }) => id).find((id) => id === sound || id === flawed)).toBe(sound)

    await run('allow', 'remove', 'bundled')
    const shut = await client.callTool({ name: 'probe_agent', arguments: probed })
    expect(shut.structuredContent).toMatchObject({
      candidates: [{ user_runs: expect.stringMatching(/^audition allow demo-profiles\/ratio-/) }, {}],
      next: 'Nothing was run. Do what is said of each, or choose other candidates with search_agents.',
    })
  } finally {
    await client.close()
  }
})

test('Ctrl-C ends what runs, its processes too, and keeps what had ended', async () => {
  const agents = join(folder, 'agents')
  mkdirSync(agents)
  const pidFile = join(folder, 'hanging.pid')
  writeFileSync(
    join(agents, 'hang.mjs'),
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`,
  )
  const profile = (name: string, code: string) =>
    `profile: audition/v1\nname: ${name}\ndescription: ${name} does.\nrun: { command: node, args: [${code}] }\n`
  writeFileSync(join(agents, 'hanging.yaml'), profile('hanging', JSON.stringify(join(agents, 'hang.mjs'))))
  writeFileSync(join(agents, 'ready.yaml'), profile('ready', `"-e", "console.log('It is 42.')"`))
  await run('index', 'bundled:demo') // beside sources of the user's it is there only when it is named
  await run('index', agents, '--as', 'mine')
  await run('allow', '--yes', '--no-sandbox', 'mine/ready', 'mine/hanging')

  const child = spawn(
    process.execPath,
    [audition.main, 'probe', 'mine/ready', 'mine/hanging', '--task', 'what is it?', '--expect', '42'],
    { env: environment },
  )
  let told = ''
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk.toString()
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await vi.waitFor(
    () => {
      expect(told).toContain('[1/2] mine/ready: grade 5')
      expect(existsSync(pidFile)).toBe(true)
    },
    { timeout: 40_000 },
  )
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow(/ESRCH/)
  const recorded = JSON.parse(await run('record', '--json'))
  expect(JSON.stringify(recorded)).toContain('mine/ready')
  expect(JSON.stringify(recorded)).not.toContain('mine/hanging')
})

/** For each pair's tasks, which of the two stands first; tasks for which neither is found do not count. */
async function firstOfPairs(app: Audition) {
  const first = { sound: 0, flawed: [] as string[] }
  for (const { sound, flawed, cases } of demoPairs) {
    for (const { task } of cases) {
      const filter = { sources: ['demo-profiles'] }
      const request = { kind: 'agent', query: task, k: 100, pack: 'ranking', filter } as const
      const { candidates } = await app.search(request)
      const name = candidates.map(({ card }) => card.name).find((one) => one === sound || one === flawed)
      if (name === sound) first.sound += 1
      if (name === flawed) first.flawed.push(task)
    }
  }
  return first
}

test('for every bundled pair and each of its tasks the sound one ranks above the broken one, once both were run', async () => {
  const at = (file: string) => pathToFileURL(join(dirname(audition.main), '..', file)).href
  const { openAudition } = (await import(at('compose/app.js'))) as typeof App
  const { configFrom } = (await import(at('config.js'))) as typeof Config
  const untried = join(folder, 'untried') // the same catalog without a record
  const isOfRecord = (path: string) => /track_record\.lance|transcripts/.test(path)
  cpSync(join(folder, 'store'), untried, { recursive: true, filter: (path) => !isOfRecord(path) })
  const app = openAudition(
    configFrom({
      ...environment,
      AUDITION_HOME: untried,
      AUDITION_SETTINGS: join(untried, 'settings.yaml'),
    }),
  )
  try {
    const before = await firstOfPairs(app)
    expect(before.flawed.length).toBeGreaterThan(0)
    const names = demoPairs.flatMap(({ sound, flawed }) => [sound, flawed])
    const cards = await app.cards(names.map((name) => `demo-profiles/${name}`))
    const report = await (await app.probing()).probe({ cards, tasks: { kind: 'own', count: 2 } })
    expect(report).toMatchObject({ stopped: null, left: 0 })
    expect(await firstOfPairs(app)).toEqual({ sound: before.sound + before.flawed.length, flawed: [] })
    expect(await (await app.record()).forget({})).toBe(2 * cards.length)
    expect(readdirSync(join(untried, 'transcripts'))).toEqual([])
  } finally {
    await app.close()
  }
})

test('five agents of the bundled catalog answer a task, a model grades and compares them, and search is measured by that', async () => {
  const home = join(folder, 'order')
  // A profile that was told to be brief says less; the judge likes what says more.
  const model = await modelServer(({ body }) => {
    const said = JSON.stringify(body.messages)
    const answers = [...said.matchAll(/<<<BEGIN (A\d) [\da-f]+>>>\\n\| ([^\\]*)/g)].map(
      ([, label = '', text = '']) => ({ label, text }),
    )
    if (answers.length > 0)
      return {
        text: JSON.stringify({
          order: answers.sort((a, b) => b.text.length - a.text.length).map(({ label }) => label),
        }),
      }
    if (said.includes('The answer to grade'))
      return { text: JSON.stringify({ reasoning: 'It is one.', grade: '3' }) }
    return { text: `I would ${'really '.repeat(said.length % 97)}do it.` }
  })
  const env = {
    ...environment,
    AUDITION_HOME: home,
    AUDITION_SETTINGS: join(folder, 'order.yaml'),
    AUDITION_LLM: model.spec('openai-compatible'),
    AUDITION_LLM_KEY: 'sk-test',
  }
  const inHome = async (...argv: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [audition.main, ...argv], { env })).stdout
  try {
    await inHome('index', 'bundled')
    await inHome('allow', '--yes', `chat:${model.origin}`)
    const report = JSON.parse(
      await inHome('probe', '--compare-order', 'summarize a csv file by column', '--json'),
    )
    expect(report.comparer).toBe(`llm:${model.spec('openai-compatible')}`)
    expect(report.tasks[0].candidates.map(({ rank }: { rank: number }) => rank)).toEqual([1, 4, 7, 10, 13])
    expect(report.tasks[0].leftOut).toBeNull()
    expect(report.ranked['ndcg@5'].mean).toBeGreaterThan(0)
    expect(report.random.top1).toBeLessThan(1)
  } finally {
    await model.close()
  }
})
