import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type CompiledPackage, compiledPackage } from '../fixtures/compiled-package.ts'
import { testClient } from '../server/connect.ts'

let audition: CompiledPackage
let env: { readonly [name: string]: string }
const folder = mkdtempSync(join(tmpdir(), 'audition-simulate-'))

beforeAll(async () => {
  audition = await compiledPackage()
  env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    AUDITION_MODEL: 'none',
    AUDITION_HOME: join(folder, 'store'),
    AUDITION_SETTINGS: join(folder, 'settings.yaml'),
  }
  await promisify(execFile)(process.execPath, [audition.main, 'index', 'bundled'], { env })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function connected(mode: 'legacy' | 'auto', ...flags: readonly string[]) {
  const client = testClient({ versionNegotiation: { mode } })
  const args = [audition.main, 'simulate', 'audition-arithmetic', ...flags]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: { ...env }, stderr: 'ignore' }),
  )
  onTestFinished(() => client.close())
  return client
}

const percent = { name: 'percent_of', arguments: { percent: 17, amount: 250 } }

describe.each(['legacy', 'auto'] as const)('the program over stdio, to a client of mode %s', (mode) => {
  test('lists, answers in the shape that is promised, refuses what does not fit, and tells progress', async () => {
    const client = await connected(mode)
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(20)
    expect(tools.find(({ name }) => name === 'percent_of')).toMatchObject({
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    })
    const steps: number[] = []
    const answer = await client.callTool(percent, { onprogress: ({ progress }) => void steps.push(progress) })
    expect(answer.structuredContent).toMatchObject({ part: expect.any(Number) })
    expect(answer._meta).toMatchObject({ 'audition/simulated': { from: 'made-up' } })
    expect(steps[0]).toBe(0) // clients drop what comes together with the answer
    expect(await client.callTool({ name: 'percent_of', arguments: {} })).toMatchObject({ isError: true })
    await expect(client.callTool({ name: 'percent_off', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    })
  })

  test('a call is cancelled, and the next is answered', async () => {
    const client = await connected(mode, '--fault', 'latency=2s')
    const stop = new AbortController()
    const call = client.callTool(percent, { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), 100)
    await expect(call).rejects.toThrow()
    expect((await client.callTool(percent)).isError).toBeUndefined()
  })

  test('what was answered before is replayed, and nothing else', async () => {
    const first = await (await connected(mode)).callTool(percent)
    const client = await connected(mode, '--replay')
    expect(await client.callTool(percent)).toEqual(first)
    const unseen = { name: 'percent_of', arguments: { percent: 1, amount: 1 } }
    expect(await client.callTool(unseen)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('no recording') }],
    })
  })
})

test('a ping is answered', async () => {
  expect(await (await connected('legacy')).ping()).toEqual({})
})
