import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { supervise } from '../../../src/adapters/processes/supervise.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-supervise-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Work that does this once it was asked: `asked` is the request, `tell` sends. */
const work = (name: string, does: string) => {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(
    file,
    `process.once('disconnect', () => process.exit(0))
     const tell = (message) => process.send(message)
     process.once('message', async (asked) => { ${does} })`,
  )
  return { entry: pathToFileURL(file), request: { number: 7 }, silenceMs: 60_000, mostBytes: 2 ** 40 }
}

test('gives the answer', async () => {
  const does = `tell({ kind: 'at', what: 'the start' }); tell({ kind: 'answer', answer: asked.number + 1 })`
  expect(await supervise(work('answers', does))).toEqual({ kind: 'answered', answer: 8 })
})

test.each([
  { name: 'aborts', does: 'process.abort()', why: 'the process ended (SIGABRT)' },
  { name: 'exits', does: 'process.exit(3)', why: 'the process ended (code 3)' },
  {
    name: 'hangs',
    does: 'setInterval(() => {}, 1000)',
    why: 'it did not go on for 1 seconds',
    silenceMs: 1000,
  },
  { name: 'spins', does: 'for (;;);', why: 'it did not go on for 1 seconds', silenceMs: 1000 },
])('survives work that $name, and knows where', async ({ name, does, why, ...more }) => {
  const told = `tell({ kind: 'at', what: 'the table' }); await new Promise((go) => setTimeout(go, 100)); ${does}`
  expect(await supervise({ ...work(name, told), ...more })).toEqual({ kind: 'ended', why, at: 'the table' })
})

test.runIf(process.platform === 'linux')('survives work that takes too much memory', async () => {
  const does = 'setInterval(() => {}, 1000)'
  expect(await supervise({ ...work('grows', does), mostBytes: 1 })).toEqual({
    kind: 'ended',
    why: 'it took too much memory',
    at: null,
  })
})

test('ends with who asked', async () => {
  const stop = new AbortController()
  setTimeout(() => stop.abort(new Error('enough')), 200)
  const does = 'setInterval(() => {}, 1000)'
  await expect(supervise({ ...work('waits', does), signal: stop.signal })).rejects.toThrow('enough')
})
