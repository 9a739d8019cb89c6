import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ServedAudition, serveAudition } from '../../bench/served-audition.ts'
import { type CompiledPackage, compiledPackage, environmentIn } from '../fixtures/compiled-package.ts'
import { initialize, initialized, modern, modernEra, plain } from '../server/eras.ts'

let audition: CompiledPackage
let folder: string
let environment: { readonly [name: string]: string }

const at = (...path: readonly string[]): string => join(folder, ...path)

/** Runs the real program in a home of its own; one that does not end with 0 throws. */
const run = async (...argv: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [audition.main, ...argv], {
    env: environment,
  })
  return stdout
}

/** An agent that says when it begins, and answers when a file appears. */
const gated = (name: string): string => `
import { existsSync, writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(at(`${name}.pid`))}, String(process.pid))
setInterval(() => {
  if (!existsSync(${JSON.stringify(at(`${name}.go`))})) return
  console.log('It is 42.')
  process.exit(0)
}, 10)
`

beforeAll(async () => {
  audition = await compiledPackage()
  folder = mkdtempSync(join(tmpdir(), 'audition-shutdown-'))
  environment = environmentIn(folder)
  mkdirSync(at('agents'))
  for (const name of ['patient', 'stuck']) {
    writeFileSync(at(`${name}.mjs`), gated(name))
    writeFileSync(
      at('agents', `${name}.yaml`),
      `profile: audition/v1\nname: ${name}\ndescription: The ${name} one does sums.\nrun: { command: node, args: [${JSON.stringify(at(`${name}.mjs`))}] }\n`,
    )
  }
  await run('index', at('agents'), '--as', 'mine')
  await run('allow', '--yes', '--no-sandbox', 'mine/patient', 'mine/stuck')
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

const served = (): Promise<ServedAudition> => serveAudition({ env: environment, program: audition.main })

const begun = async (name: string): Promise<number> => {
  await vi.waitFor(() => expect(existsSync(at(`${name}.pid`))).toBe(true), { timeout: 20_000 })
  return vi.waitFor(() => {
    const pid = Number(readFileSync(at(`${name}.pid`), 'utf8'))
    expect(pid).toBeGreaterThan(0)
    return pid
  })
}

/** Whoever adopts the children of a dead process may be slow to notice their end. */
const isGone = (pid: number) =>
  vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/), { timeout: 20_000 })

type Reply = { readonly status: number; readonly connection: string | undefined; readonly text: string }

/** A call by hand, over connections of its own or kept ones. */
function call(url: string, name: string, given: object, agent = new Agent()): Promise<Reply> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': modernEra,
    'mcp-method': 'tools/call',
    'mcp-name': name,
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8')
      })
      response.on('error', reject)
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, text })
      })
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(modern(1, 'tools/call', { name, arguments: given })))
  })
}

/** How many outcomes of a card are recorded. */
const outcomes = async (id: string): Promise<number> =>
  (await run('record', 'export')).split('\n').filter((line) => line.includes(`"${id}"`)).length

describe('serve --http', () => {
  test('SIGTERM: a probe that runs is finished and recorded, what comes then gets 503, and the process ends with 0', async () => {
    const server = await served()
    const kept = new Agent({ keepAlive: true, maxSockets: 1 })
    expect((await call(server.url, 'search_agents', { task: 'sums' }, kept)).status).toBe(200)
    const probed = call(server.url, 'probe_agent', { agents: ['mine/patient'], task: 'What is 6 times 7?' })
    const pid = await begun('patient')
    server.process.kill('SIGTERM')
    await vi.waitFor(() => expect(server.output()).toContain('Stopping.'))
    for (const agent of [kept, new Agent()]) {
      const refused = await call(server.url, 'search_agents', { task: 'sums' }, agent)
      expect(refused).toMatchObject({ status: 503, connection: 'close' })
      expect(JSON.parse(refused.text)).toMatchObject({
        error: { message: expect.stringContaining('stopping') },
      })
    }
    expect(server.process.exitCode).toBe(null)
    writeFileSync(at('patient.go'), '')
    const { status, text } = await probed
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({
      result: { structuredContent: { state: 'done', candidates: [{ id: 'mine/patient' }] } },
    })
    expect(await server.ended).toBe(0) // a second signal would end it at once
    await isGone(pid)
    expect(await outcomes('mine/patient')).toBe(1)
    kept.destroy()
  })

  test('SIGINT with nothing running ends at once with 0, although a client keeps its connection', async () => {
    const server = await served()
    const kept = new Agent({ keepAlive: true, maxSockets: 1 })
    const found = await call(server.url, 'search_agents', { task: 'sums' }, kept)
    expect(found.text).toContain('mine/patient')
    expect(await server.stop('SIGINT')).toBe(0)
    kept.destroy()
  })

  test('searches and an evaluation that run at SIGTERM are answered', async () => {
    const server = await served()
    const evaluated = call(server.url, 'evaluate', { dataset: 'bundled', limit: 60 })
    const searches = Array.from({ length: 20 }, (_, turn) =>
      call(server.url, 'search_agents', { task: `sums number ${turn}` }),
    )
    await Promise.race(searches) // all have arrived: connections are taken in order
    const code = server.stop()
    const answers = await Promise.all(searches)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { text } = await evaluated
    expect(text).toMatch(/"state":"done"/)
    expect(await code).toBe(0)
  })

  test('a second signal ends at once, and what it had started ends too', async () => {
    const server = await served()
    const probed = call(server.url, 'probe_agent', { agents: ['mine/stuck'], task: 'What is 6 times 7?' })
    const lost = expect(probed).rejects.toThrow(/hang up|ECONNRESET/)
    const pid = await begun('stuck')
    server.process.kill('SIGTERM')
    await vi.waitFor(() => expect(server.output()).toContain('Stopping.'))
    expect(await server.stop('SIGTERM')).toBe(130)
    await lost
    await isGone(pid)
    rmSync(at('stuck.pid'))
  })
})

describe('serve over stdio', () => {
  /** The program, told the handshake and one call. */
  function calling(name: string, given: object, options: readonly string[] = []) {
    const child = spawn(process.execPath, [audition.main, 'serve', ...options], { env: environment })
    let told = ''
    child.stdout.on('data', (chunk: Buffer) => {
      told += chunk.toString('utf8')
    })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const messages = [
      initialize('2025-11-25'),
      initialized,
      plain(2, 'tools/call', { name, arguments: given }),
    ]
    for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`)
    return {
      child,
      ended,
      answer: () =>
        told
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as { id?: number; result?: object })
          .find(({ id }) => id === 2),
    }
  }

  test('SIGTERM: a call that runs is answered first, and the process ends with 0', async () => {
    rmSync(at('patient.pid'), { force: true })
    rmSync(at('patient.go'), { force: true })
    const before = await outcomes('mine/patient')
    const { child, ended, answer } = calling('probe_agent', {
      agents: ['mine/patient'],
      task: 'What is 6 times 7?',
    })
    const pid = await begun('patient')
    child.kill('SIGTERM')
    writeFileSync(at('patient.go'), '')
    expect(await ended).toBe(0)
    expect(answer()).toMatchObject({ result: { structuredContent: { state: 'done' } } })
    await isGone(pid)
    expect(await outcomes('mine/patient')).toBe(before + 1)
  })

  test('SIGINT and SIGTERM right after it, as Claude Code ends its servers: what was called is in the record', async () => {
    await run('index', '-y', 'bundled')
    await run('allow', 'bundled')
    const { child, ended, answer } = calling(
      'call_tool',
      { id: 'audition-arithmetic/percent_of', arguments: { percent: 10, amount: 50 } },
      ['--call'],
    )
    await vi.waitFor(() => expect(answer()).toBeDefined(), { timeout: 30_000 })
    child.kill('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 100))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(JSON.stringify(answer())).toContain('data_from')
    expect(await outcomes('audition-arithmetic/percent_of')).toBe(1)
  })

  test('a signal after the end of stdin stops what still runs; the call is told, its processes end', async () => {
    rmSync(at('stuck.pid'), { force: true })
    const { child, ended, answer } = calling('probe_agent', {
      agents: ['mine/stuck'],
      task: 'What is 6 times 7?',
    })
    const pid = await begun('stuck')
    child.stdin.end()
    await new Promise((resolve) => setTimeout(resolve, 50))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(JSON.stringify(answer())).toContain('mine/stuck')
    await isGone(pid)
  })
})
