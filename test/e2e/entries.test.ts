import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { supervise } from '../../src/adapters/processes/supervise.ts'
import { nativeGate } from '../../src/adapters/transformers/protocol.ts'
import { configFrom } from '../../src/config.ts'
import { compiledPackage } from '../fixtures/compiled-package.ts'

/**
 * Files that the program starts, or reads, by their name: no compiler sees that one of them is gone. Tests run the sources, where most
 * of them are not started at all.
 */
let root: string
let dist: string
const home = mkdtempSync(join(tmpdir(), 'audition-entries-'))

beforeAll(async () => {
  dist = dirname(dirname((await compiledPackage()).main))
  root = dirname(dist)
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

type Named = { readonly by: string; readonly name: string }

/** Names of files in the strings of the compiled program (the formatter quotes them by '), those of imports left out: they fail by themselves. */
function namedFiles(): readonly Named[] {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.js') && !file.startsWith('page'))
    .flatMap((file) => {
      const code = readFileSync(join(dist, file), 'utf8')
        .replaceAll(/\/\*[\s\S]*?\*\/|\/\/ .*/g, '')
        .replaceAll(/^(?:import|export)\s[^'"]*?from\s+['"][^'"]+['"]/gm, '')
      const strings = code.matchAll(/'((?:\.{1,2}\/)?[\w-][\w/-]*\.(?:m?js|wasm)|\.{1,2}\/[\w/-]+\.json)'/g)
      return [...strings].map(([, name]) => ({ by: file, name: name! }))
    })
}

const isThere = ({ by, name }: Named): boolean =>
  name.startsWith('.')
    ? existsSync(join(dist, dirname(by), name))
    : readdirSync(dist, { recursive: true, encoding: 'utf8' }).some((file) =>
        `/${file.replaceAll('\\', '/')}`.endsWith(`/${name}`),
      )

/** Modules that code beside them starts: a URL by their own name. */
const entries = (): readonly string[] =>
  namedFiles()
    .filter(({ by, name }) => {
      const code = readFileSync(join(dist, by), 'utf8')
      return new RegExp(`new URL\\([^\\n]*'${name.replaceAll('.', '\\.')}'`).test(code) && name.endsWith('js')
    })
    .map(({ by, name }) => join(dirname(by), name).replaceAll('\\', '/'))

/** The first message of a thread; what ends it otherwise is an error. */
function firstMessage(file: string, workerData: unknown, sent?: unknown): Promise<unknown> {
  const worker = new Worker(pathToFileURL(join(dist, file)), { workerData, execArgv: [] })
  if (sent !== undefined) worker.postMessage(sent)
  return new Promise((resolve, reject) => {
    worker.once('message', resolve).once('error', reject)
    worker.once('exit', (code) => reject(new Error(`${file} ended with code ${code} and said nothing`)))
  }).finally(() => worker.terminate())
}

const config = { model: 'none', cache: home, reader: null }

/** How each entry is started, and what only a module that is an entry answers. */
const starts: { readonly [file: string]: () => Promise<void> } = {
  async 'compose/repair/repair-process.js'() {
    const entry = pathToFileURL(join(dist, 'compose', 'repair', 'repair-process.js'))
    const own = configFrom({ AUDITION_HOME: home, AUDITION_READER: 'none' })
    const request = { config: own, intent: 'look', givenUp: {} }
    const ended = await supervise({ entry, request, silenceMs: 60_000, mostBytes: Number.POSITIVE_INFINITY })
    expect(ended).toMatchObject({ kind: 'answered' })
  },
  async 'compose/search-threads/thread.js'() {
    const said = await firstMessage('compose/search-threads/thread.js', { config })
    expect(said).toEqual({ kind: 'ready' })
  },
  async 'trust/scan/scan-worker.js'() {
    expect(await firstMessage('trust/scan/scan-worker.js', undefined, { texts: [] })).toEqual([])
  },
  async 'adapters/transformers/worker.js'() {
    const packageUrl = pathToFileURL(join(home, 'no-such-package.js')).href
    const start = { settings: { packageUrl }, gate: nativeGate() }
    const said = await firstMessage('adapters/transformers/worker.js', start)
    expect(said).toMatchObject({ kind: 'failed', failure: { during: 'import' } })
  },
}

describe('files that the compiled program names', () => {
  test('all exist', () => {
    expect(namedFiles().filter((named) => !isThere(named))).toEqual([])
  })

  test('the package names files that exist: its program, its library, its server', () => {
    const { bin, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const { mcpServers } = JSON.parse(readFileSync(join(root, 'mcp.json'), 'utf8'))
    const files = [bin.audition, exports['.'].types, exports['.'].default, mcpServers.audition.args[0]]
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  test('so do the servers that the bundled catalog starts', () => {
    const folder = join(root, 'catalog')
    const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:yaml|json)$/.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
    const servers = new Set(
      texts.flatMap((text) =>
        [...text.matchAll(/\$\{AUDITION_CATALOG\}\/([\w/-]+\.js)/g)].map(([, file]) => file!),
      ),
    )
    expect(servers.size).toBeGreaterThan(0)
    expect([...servers].filter((file) => !existsSync(join(dist, 'bundled', file)))).toEqual([])
  })

  test('of every entry this test knows how it is started', () => {
    expect([...entries()].sort()).toEqual(Object.keys(starts).sort())
  })

  test.each(Object.keys(starts))('%s starts and answers', (file) => starts[file]!())
})
