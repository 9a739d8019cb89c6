import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type OtlpReceiver, otlpReceiver } from '../fakes/otlp-receiver.ts'
import { unusedOrigin } from '../fakes/unused-origin.ts'
import { compiledPackage, environmentIn } from '../fixtures/compiled-package.ts'
import { initialize, initialized, plain, searchCall } from '../server/eras.ts'
import { traceId, traceparent } from '../watching/watched.ts'

let main: string
let folder: string
let environment: { readonly [name: string]: string }

beforeAll(async () => {
  main = (await compiledPackage()).main
  folder = mkdtempSync(join(tmpdir(), 'audition-watched-'))
  environment = environmentIn(folder)
  await promisify(execFile)(process.execPath, [main, 'index', 'bundled:'], { env: environment })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Says of each module of OpenTelemetry's SDK that it is loaded. */
const tellsLoaded = (() => {
  const hook =
    'export async function resolve(name, context, next) { const found = await next(name, context); ' +
    'if (/opentelemetry.(sdk|exporter|resources|core)/.test(found.url)) process._rawDebug("LOADED " + found.url); return found }'
  const data = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
  return `--import=${data(`import { register } from 'node:module'; register(${JSON.stringify(data(hook))})`)}`
})()

/** Serves over stdio, asks once, ends. */
async function served(flags: readonly string[], variables: { readonly [name: string]: string } = {}) {
  const child = spawn(process.execPath, [tellsLoaded, main, 'serve', '--no-watch', ...flags], {
    env: { ...environment, ...variables },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = text(child.stderr)
  const answers: { readonly id?: number; readonly result?: { readonly isError?: boolean } }[] = []
  const answered = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      answers.push(JSON.parse(line))
      if (answers.at(-1)?.id === 2) resolve()
    })
  })
  const request = plain(2, 'tools/call', { ...searchCall, _meta: { traceparent } })
  for (const message of [initialize('2025-11-25'), initialized, request])
    child.stdin.write(`${JSON.stringify(message)}\n`)
  await answered
  return {
    answer: answers.at(-1)!,
    async ended() {
      child.stdin.end()
      const [code] = (await once(child, 'exit')) as [number]
      return { code, said: await said }
    },
  }
}

async function receiving(answer?: Parameters<typeof otlpReceiver>[0]) {
  const receiver: OtlpReceiver = await otlpReceiver(answer)
  onTestFinished(() => receiver.close())
  // Sent as soon as there is one, so that a receiver which hangs has something while requests are answered.
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.origin, OTEL_BSP_SCHEDULE_DELAY: '1' }
  return { receiver, variables }
}

test('with --otlp spans and metrics are sent, those of the last moment too', async () => {
  const { receiver, variables } = await receiving()
  const serving = await served(['--otlp'], {
    ...variables,
    OTEL_SERVICE_NAME: 'of-the-team',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=search',
  })
  expect((await serving.ended()).code).toBe(0)
  expect(receiver.spans().find(({ name }) => name === 'tools/call search_tools')).toMatchObject({ traceId })
  expect(receiver.resource()['service.name']).toBe('of-the-team')
  expect(receiver.points().map(({ name }) => name)).toContain('mcp.server.operation.duration')
  expect(receiver.headers.map((headers) => headers['x-team'])).toContain('search')
})

test('a receiver that hangs delays no answer, and not the end of the process', async () => {
  const { receiver, variables } = await receiving('hangs')
  const tenMinutes = { OTEL_EXPORTER_OTLP_TIMEOUT: '600000', OTEL_BSP_EXPORT_TIMEOUT: '600000' }
  const serving = await served(['--otlp'], { ...variables, ...tenMinutes })
  expect(serving.answer.result?.isError).toBeUndefined()
  const { code } = await serving.ended()
  expect(code).toBe(0)
  expect(receiver.bodies.length).toBeGreaterThan(0)
})

test.each(['refuses', 'is not there'])('a receiver that %s costs nothing but a line', async (fault) => {
  const { variables } = await receiving('refuses')
  const endpoint = fault === 'refuses' ? variables.OTEL_EXPORTER_OTLP_ENDPOINT : await unusedOrigin()
  const serving = await served(['--otlp'], { ...variables, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  expect(serving.answer.result?.isError).toBeUndefined()
  const { code, said } = await serving.ended()
  expect(code).toBe(0)
  expect(said.match(/OTLP/g)?.length ?? 0).toBeLessThanOrEqual(1)
})

test('without --otlp nothing is sent, and nothing of OpenTelemetry is loaded, whatever the environment says', async () => {
  const { receiver, variables } = await receiving()
  const { said } = await (await served([], { ...variables, OTEL_TRACES_EXPORTER: 'otlp' })).ended()
  expect(receiver.bodies).toEqual([])
  expect(said).not.toContain('LOADED')
})

test('OTEL_SDK_DISABLED wins over --otlp', async () => {
  const { receiver, variables } = await receiving()
  const { said } = await (await served(['--otlp'], { ...variables, OTEL_SDK_DISABLED: 'true' })).ended()
  expect(receiver.bodies).toEqual([])
  expect(said).toContain('LOADED') // the hook works
})

test('--log-format json writes an event a line, with the ids of request and trace, and without what was asked', async () => {
  const { code, said } = await (await served(['--log-format', 'json'])).ended()
  expect(code).toBe(0)
  const lines = said.split('\n').filter((line) => line !== '' && !line.startsWith('LOADED'))
  const events = lines.map((line) => JSON.parse(line))
  expect(events.find(({ event }) => event === 'tools/call search_tools')).toMatchObject({
    level: 'info',
    trace_id: traceId,
    request_id: '2',
    'mcp.method.name': 'tools/call',
    duration_ms: expect.any(Number),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
  expect(said).not.toContain(searchCall.arguments.query)
})
