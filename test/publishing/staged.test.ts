import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, expect, test } from 'vitest'
import { bytesIn, stage } from '../../bench/publishing/stage.ts'
import { compiledPackage } from '../fixtures/compiled-package.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-staged-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const staged = join(folder, 'app')
const main = join(staged, 'dist', 'cli', 'main.js')
const data = join(folder, 'data')
mkdirSync(data)
const env = { AUDITION_HOME: join(data, 'store'), AUDITION_SETTINGS: join(data, 'settings.yaml'), HOME: data }
const root = join(import.meta.dirname, '..', '..')
const tools = join(root, 'examples', 'tools')
const { main: built } = await compiledPackage()
await stage(staged, root, dirname(dirname(dirname(built))))

/** What `docker images` says of the base image, less what the Dockerfile strips off the store's library, in MB. */
const base = 141 - 31

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'an image of it is smaller than 400 MB',
  () => {
    expect(bytesIn(staged) / 1e6 + base).toBeLessThan(400)
  },
)

test('it holds what the product needs, and no more', () => {
  const names = readdirSync(join(staged, 'node_modules'))
  expect(names).toEqual(expect.arrayContaining(['@lancedb', '@modelcontextprotocol', 'zod']))
  for (const stranger of ['vitest', 'typescript', 'onnxruntime-node', 'sharp', 'openai', 'express'])
    expect(names).not.toContain(stranger)
  expect(readdirSync(join(staged, 'node_modules', '@lancedb'))).toHaveLength(2)
  expect(existsSync(join(staged, 'node_modules', 'zod', 'LICENSE'))).toBe(true)
})

test('it does not start where others reach it, as long as no token is set', async () => {
  const started = promisify(execFile)(process.execPath, [main, 'serve', '--http', '0', '--host', '0.0.0.0'], {
    cwd: staged,
    env,
  })
  await expect(started).rejects.toMatchObject({ stderr: expect.stringContaining('Set AUDITION_TOKEN') })
})

test('it indexes and serves with its own packages alone, as the image starts it', async () => {
  await promisify(execFile)(process.execPath, [main, 'index', tools], { cwd: staged, env })
  const token = 'a-token-of-the-test'
  const server = spawn(process.execPath, [main, 'serve', '--http', '0', '--host', '0.0.0.0'], {
    cwd: staged,
    env: { ...env, AUDITION_TOKEN: token },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const said = String((await once(server.stderr, 'data'))[0])
    const port = /:(\d+)\/mcp/.exec(said)?.[1]
    expect(await (await fetch(`http://127.0.0.1:${port}/health`)).json()).toEqual({ status: 'ok' })
    const client = new Client({ name: 'test', version: '1.0.0' })
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }),
    )
    const query = 'convert money into another currency'
    const { structuredContent } = await client.callTool({ name: 'search_tools', arguments: { query } })
    expect(structuredContent).toHaveProperty('candidates.0.id', 'money/convert_currency')
    await client.close()
  } finally {
    server.kill()
    await once(server, 'exit')
  }
})
