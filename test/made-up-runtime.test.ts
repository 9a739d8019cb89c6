import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import type {
  askedKinds as Asked,
  permitWords as Words,
  runtimes as Runtimes,
} from '../src/compose/runtimes.ts'
import { defaultLimits } from '../src/probing/ports.ts'
import type { executorOf as ExecutorOf } from '../src/probing/runtime-kind.ts'
import { agentCard } from './fakes/fake-audition.ts'

const called = promisify(execFile)
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'audition-made-up-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [, diff = ''] = /^```diff\n(.*?)^```$/ms.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')) ?? []

/** The sources with the diff of CONTRIBUTING.md, compiled. @returns where a compiled module lies */
async function compiledWithDiff(): Promise<(module: string) => string> {
  const copy = mkdtempSync(join(folder, 'copy-'))
  for (const name of ['src', 'tsconfig.json', 'tsconfig.build.json', 'package.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  writeFileSync(join(copy, 'line.diff'), diff)
  await called('git', ['apply', 'line.diff'], { cwd: copy })
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const plain = ['--declaration', 'false', '--sourceMap', 'false']
  await called('node', [tsc, '-p', 'tsconfig.build.json', ...plain], { cwd: copy })
  return (module) => pathToFileURL(join(copy, 'dist', module)).href
}

test('a runtime is added by one file and a row, as CONTRIBUTING.md shows', async () => {
  expect(diff.match(/^diff --git/gm)).toHaveLength(2)
  const compiled = await compiledWithDiff()
  const { runtimes, shownRuntime, permitKinds, permitWords, askedKinds } = (await import(
    compiled('compose/runtimes.js')
  )) as {
    runtimes: typeof Runtimes
    shownRuntime: (card: object) => { text(runtime: object): string } | undefined
    permitKinds: readonly string[]
    permitWords: typeof Words
    askedKinds: typeof Asked
  }
  const { executorOf } = (await import(compiled('probing/runtime-kind.js'))) as {
    executorOf: typeof ExecutorOf
  }
  const server = createServer((socket) => socket.once('data', (line) => socket.end(`you said ${line}`)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const runtime = { kind: 'line', port }
  const card = { ...agentCard('team/echo'), runtime } as unknown as Parameters<
    (typeof Runtimes)[0]['accepts']
  >[0]

  const [own, ...others] = runtimes.filter(({ accepts }) => accepts(card))
  expect(others).toEqual([])
  expect(permitKinds).toContain('line')
  expect(permitWords).toContainEqual(expect.objectContaining({ permit: 'line', one: 'The agent at port' }))
  expect(askedKinds).toContain(card.kind === 'agent' && card.agentKind)
  expect(shownRuntime(card)?.text(runtime)).toBe(`agent at port ${port}`)
  const executor = executorOf<object>(own!, {})
  expect((await executor.plan(card)).permit).toBe(`line:${port}`)
  const signal = new AbortController().signal
  const ran = await executor.execute(card, { text: 'hello' }, { limits: defaultLimits, signal })
  expect(ran).toMatchObject({ ending: 'answered', answer: 'you said hello', outputBytes: 15 })
  server.close()
})
