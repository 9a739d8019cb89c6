import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openAudition } from '../src/compose/app.ts'
import { configFrom } from '../src/config.ts'
import { serverFolder } from './adapters/mcp-client/servers.ts'
import { temporaryFolder } from './catalog/temporary-folder.ts'
import { runCaptured } from './fakes/captured-terminal.ts'

type Entry = { readonly [field: string]: unknown }

/** A project, and what somebody else makes of its configuration once a person has agreed to it. */
type Change = {
  readonly what: string
  readonly before: (place: Place) => Entry
  /** Another entry, or the same while something else changes around it. */
  readonly after: (place: Place) => Entry
  /** What a person is shown: what was allowed, and what stands there now. */
  readonly was: RegExp
  readonly now: RegExp
}

type Place = {
  readonly folder: string
  readonly log: string
  readonly url: string
  /** Writes an executable that is a server, and notes its starts under this name. */
  program(path: string, name: string): string
}

const counted = join(serverFolder, 'counted.mjs')
const plain = ({ log }: Place, ...more: readonly string[]): Entry => ({
  command: process.execPath,
  args: [counted, log, 'calc', ...more],
})

const changes: readonly Change[] = [
  {
    what: 'the command',
    before: (place) => ({ command: place.program('bin/good', 'good') }),
    after: (place) => ({ command: place.program('bin/evil', 'evil') }),
    was: /program: \S*bin\/good/,
    now: /program: \S*bin\/evil/,
  },
  {
    what: 'an argument',
    before: (place) => plain(place),
    after: (place) => plain(place, 'answers', '--allow-write'),
    was: /arguments: /,
    now: /arguments: .*--allow-write/,
  },
  {
    what: 'an argument whose text is masked',
    before: (place) => plain(place, 'answers', '--token', 'one'),
    after: (place) => plain(place, 'answers', '--token', '/tmp/evil.js'),
    was: /a part that is not shown/,
    now: /a part that is not shown/,
  },
  {
    what: 'the image of a container',
    before: (place) => ({
      command: place.program('bin/docker', 'docker'),
      args: ['run', '-i', 'vendor/good'],
    }),
    after: (place) => ({ command: join(place.folder, 'bin/docker'), args: ['run', '-i', 'vendor/evil'] }),
    was: /arguments: run -i vendor\/good/,
    now: /arguments: run -i vendor\/evil/,
  },
  {
    what: 'the working folder',
    before: (place) => {
      place.program('a/server', 'good')
      place.program('b/server', 'evil')
      return { command: 'sh', args: ['server'], cwd: join(place.folder, 'a') }
    },
    after: (place) => ({ command: 'sh', args: ['server'], cwd: join(place.folder, 'b') }),
    was: /folder: \S*\/a/,
    now: /folder: \S*\/b/,
  },
  {
    what: 'a further variable',
    before: (place) => plain(place),
    after: (place) => ({ ...plain(place), env: { MY_BACKEND: 'x' } }),
    was: /nothing/,
    now: /variable MY_BACKEND: x/,
  },
  {
    what: 'the value of a variable that says what is loaded',
    before: (place) => ({ ...plain(place), env: { NODE_OPTIONS: '--no-warnings' } }),
    after: (place) => {
      writeFileSync(join(place.folder, 'evil.cjs'), '')
      return { ...plain(place), env: { NODE_OPTIONS: '--require ./evil.cjs' } }
    },
    was: /variable NODE_OPTIONS: --no-warnings/,
    now: /variable NODE_OPTIONS: --require \.\/evil\.cjs/,
  },
  {
    what: 'the value of a variable that nobody knows',
    before: (place) => ({ ...plain(place), env: { GIT_ASKPASS: '/bin/true', PAD: 'a' } }),
    after: (place) => ({ ...plain(place), env: { GIT_ASKPASS: '/tmp/evil', PAD: 'b' } }),
    was: /variable GIT_ASKPASS: /,
    now: /variable PAD: b/,
  },
  {
    what: 'the secret of yours that a variable holds',
    before: (place) => ({ ...plain(place), env: { API_TOKEN: '$' + '{GOOD_TOKEN}' } }),
    after: (place) => ({ ...plain(place), env: { API_TOKEN: '$' + '{OTHER_TOKEN}' } }),
    was: /variable API_TOKEN: \$\{GOOD_TOKEN\}/,
    now: /variable API_TOKEN: \$\{OTHER_TOKEN\}/,
  },
  {
    what: 'the PATH in which its command is looked for',
    before: (place) => {
      place.program('a/tool', 'good')
      place.program('b/tool', 'evil')
      return { command: 'tool', env: { PATH: `${join(place.folder, 'a')}:/usr/bin:/bin` } }
    },
    after: (place) => ({ command: 'tool', env: { PATH: `${join(place.folder, 'b')}:/usr/bin:/bin` } }),
    was: /program: \S*a\/tool/,
    now: /program: \S*b\/tool/,
  },
  {
    what: 'where the link to its program leads',
    before: (place) => linked(place, place.program('bin/good', 'good')),
    after: (place) => linked(place, place.program('bin/evil', 'evil')),
    was: /program: \S*bin\/good/,
    now: /program: \S*bin\/evil/,
  },
  {
    what: 'where the link to its script leads',
    before: (place) => ({ command: 'sh', args: [linked(place, place.program('bin/good', 'good')).command] }),
    after: (place) => ({ command: 'sh', args: [linked(place, place.program('bin/evil', 'evil')).command] }),
    was: /leads to: \S*bin\/good/,
    now: /leads to: \S*bin\/evil/,
  },
  {
    what: 'its address',
    before: ({ url }) => ({ type: 'http', url: `${url}/good` }),
    after: ({ url }) => ({ type: 'http', url: `${url}/evil` }),
    was: /address: \S*\/good/,
    now: /address: \S*\/evil/,
  },
  {
    what: 'a further header',
    before: ({ url }) => ({ type: 'http', url }),
    after: ({ url }) => ({ type: 'http', url, headers: { 'X-More': 'y' } }),
    was: /nothing/,
    now: /header x-more/,
  },
  {
    what: 'the secret of yours that a header holds',
    before: ({ url }) => ({ type: 'http', url, headers: { Authorization: 'Bearer $' + '{GOOD_TOKEN}' } }),
    after: ({ url }) => ({ type: 'http', url, headers: { Authorization: 'Bearer $' + '{OTHER_TOKEN}' } }),
    was: /header authorization: .*\$\{GOOD_TOKEN\}/,
    now: /header authorization: .*\$\{OTHER_TOKEN\}/,
  },
]

function linked({ folder }: Place, target: string): { readonly command: string } {
  const link = join(folder, 'link')
  rmSync(link, { force: true })
  symlinkSync(target, link)
  return { command: link }
}

/** A folder whose `.mcp.json` is somebody else's, and an Audition of its own. */
async function project() {
  const folder = temporaryFolder()
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  onTestFinished(() => void vi.restoreAllMocks())
  const log = join(folder, 'log')
  const config = join(folder, '.mcp.json')
  const server = createServer((request, response) => {
    writeFileSync(log, `start ${request.url}\n`, { flag: 'a' })
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const place: Place = {
    folder,
    log,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    program(path, name) {
      const file = join(folder, path)
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${counted}" "${log}" ${name}\n`)
      chmodSync(file, 0o755)
      return file
    },
  }
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, 'home'),
    AUDITION_READER: 'none',
    AUDITION_HOME: join(folder, 'store'),
    AUDITION_SETTINGS: join(folder, 'settings.yaml'),
    AUDITION_MODEL: 'none',
    GOOD_TOKEN: 'good-token',
    OTHER_TOKEN: 'other-token',
  }
  const app = openAudition(configFrom(env))
  onTestFinished(() => app.close())
  return {
    place,
    app,
    config,
    settings: env.AUDITION_SETTINGS,
    write: (entry: Entry) => writeFileSync(config, JSON.stringify({ mcpServers: { calc: entry } })),
    run: (...argv: readonly string[]) =>
      runCaptured(argv, app, { cwd: folder, home: env.HOME, env: { ...env, COLUMNS: '400' } }),
    /** What was started or asked since the last look. */
    started() {
      const notes = existsSync(log) ? readFileSync(log, 'utf8') : ''
      rmSync(log, { force: true })
      return notes.split('\n').filter((note) => note.startsWith('start '))
    },
    async card() {
      const [id] = await app.completeIds('calc/', 1, 'tool')
      return id!
    },
  }
}

type Handler = Parameters<typeof createServer>[1]
const answer: NonNullable<Handler> = (request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
  })
  request.on('end', () => {
    const { id, method, params } = text === '' ? { id: 0, method: '', params: {} } : JSON.parse(text)
    const tool = { name: 'far', description: 'Far away', inputSchema: { type: 'object' } }
    const result =
      method === 'initialize'
        ? {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'far', version: '1' },
          }
        : { tools: [tool] }
    if (id === undefined || request.method !== 'POST')
      response.writeHead(request.method === 'POST' ? 202 : 405).end()
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
}

const call = ['--arguments', '{}', '--seconds', '2'] as const

describe.each(changes)('$what of a server in a file that a project holds', ({ before, after, was, now }) => {
  test('is started again by nothing until a person has seen the difference', async () => {
    const { place, app, config, write, run, started, card } = await project()
    write(before(place))
    expect((await run('index', '.mcp.json')).code).toBe(0)
    expect(started()).not.toEqual([])
    const id = await card()
    expect((await run('allow', id, '--yes')).code).toBe(0)

    write(after(place))
    const ran = await run('run', id, ...call)
    const [index, found, json] = [
      await run('index', '.mcp.json', '--refresh'),
      await run('index', '--refresh'),
      await run('index', '.mcp.json', '--refresh', '--json'),
    ]
    const location = `${config}#calc`
    const quiet = { found: [location], isBackground: true, refresh: true } as const
    await app.index({ locations: [location], harvest: 'agreed', ...quiet })
    const doctor = await run('doctor', '--servers', '--json')
    expect(started()).toEqual([])

    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('not allowed')
    for (const text of [ran.stderr, index.stderr]) {
      expect(text).toMatch(new RegExp(`was .*${was.source}`))
      expect(text).toMatch(new RegExp(`now .*${now.source}`))
    }
    expect(found.stdout).toContain('changed since you agreed')
    const [source] = JSON.parse(json.stdout).sources
    expect(source).toMatchObject({ notAsked: 'launch changed', launchChanged: { was: expect.anything() } })
    const { findings } = JSON.parse(doctor.stdout)
    const told = findings.filter(({ message }: { message: string }) =>
      /changed since you agreed/.test(message),
    )
    expect(told.length).toBeGreaterThan(0)

    // A person who says yes has it started again, by both ways.
    expect((await run('index', '.mcp.json', '--refresh', '--yes')).code).toBe(0)
    expect(started()).not.toEqual([])
    const shown = await run('allow', id, '--yes')
    expect(shown.stderr).toContain('changed since you allowed it')
    await run('run', id, ...call)
    expect(started()).not.toEqual([])
  })
})

describe('what is no other launch', () => {
  test.each([
    {
      what: 'a rotated token, in a variable and in a header of another server',
      before: (place: Place) => ({ ...plain(place), env: { API_TOKEN: 'first-token-0001', LEVEL: 'info' } }),
      after: (place: Place) => ({ ...plain(place), env: { LEVEL: 'info', API_TOKEN: 'second-token-0002' } }),
    },
    {
      what: 'fields that say nothing of it',
      before: (place: Place) => plain(place),
      after: (place: Place) => ({ type: 'stdio', ...plain(place), timeout: 30 }),
    },
  ])(
    '$what: nobody is asked again',
    async ({ before, after }) => {
      const { place, write, run, started, card } = await project()
      write(before(place))
      await run('index', '.mcp.json')
      const id = await card()
      await run('allow', id, '--yes')
      started()
      write(after(place))
      expect((await run('run', id, ...call)).stdout).toContain('found by calc')
      expect((await run('index', '--refresh', '--json')).stdout).not.toContain('launch changed')
      expect(started()).toEqual(['start calc', 'start calc'])
    },
    60_000,
  )
})

test('a permit of an older Audition, a name alone, is asked for once more with the reason', async () => {
  const { place, config, settings, write, run, started, card } = await project()
  write(plain(place))
  await run('index', '.mcp.json')
  started()
  writeFileSync(settings, `allow:\n  - bundled # ours\n  - "mcp:${config}#calc"\n`)
  const id = await card()
  const refused = await run('run', id, ...call)
  expect(started()).toEqual([])
  expect(refused.stderr).toContain('you allowed it by its name alone, as older versions did')
  expect((await run('allow')).stdout).toContain('by its name alone: it is asked for once more')
  expect((await run('allow', id, '--yes')).code).toBe(0)
  expect(readFileSync(settings, 'utf8').match(/calc/g)).not.toBeNull()
  expect((await run('allow')).stdout).not.toContain('by its name alone')
  expect((await run('run', id, ...call)).stdout).toContain('found by calc')
  expect(started()).toEqual(['start calc'])
  expect((await run('allow', 'remove', `mcp:${config}#calc`)).code).toBe(0)
  expect((await run('run', id, ...call)).code).toBe(1)
  expect(started()).toEqual([])
})

test('whoever allows by a pattern allows whatever goes by the name, and is told so', async () => {
  const { place, config, write, run, started, card } = await project()
  write(plain(place))
  await run('index', '.mcp.json')
  const id = await card()
  expect((await run('allow', `mcp:${config}#calc`)).stderr).toContain('Give the id of the agent or tool')
  expect((await run('allow', `mcp:${config}#calc*`)).code).toBe(0)
  write(plain(place, 'answers', '--changed'))
  started()
  expect((await run('run', id, ...call)).code).toBe(0)
  expect(started()).toEqual(['start calc'])
})

test('a file that changes between the question and the start starts nothing', async () => {
  const { place, app, write, run, started, card } = await project()
  write(plain(place))
  await run('index', '.mcp.json')
  const [tool] = await app.cards([await card()])
  const probing = await app.probing()
  const tasks = { kind: 'given', tasks: [] } as const
  const [asked] = await probing.plan({ cards: [tool!], tasks })
  const { grantsFor } = await import('../src/probing/settings/grants.ts')
  const allow = grantsFor([asked!.launch!.permit], asked!.launch!)
  write(plain(place, 'answers', '--changed'))
  started()
  const report = await probing.run({ card: tool!, task: { text: 'x', arguments: {} }, allow })
  expect(report).toMatchObject({
    kind: 'not-run',
    why: { kind: 'permission', changed: [{ because: 'changed' }] },
  })
  expect(started()).toEqual([])
})
