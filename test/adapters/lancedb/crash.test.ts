import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CompiledScript, compileScript } from '../../fixtures/compile-script.ts'
import { bytesIn, commitSeries, expectWholeSeries, storeFolder } from './stores.ts'

let compiled: CompiledScript
beforeAll(() => {
  compiled = compileScript('test/fixtures/commit-for-ever.ts')
})
afterAll(() => compiled.remove())

/** Starts the process that commits for ever, and kills it `delayMs` after it tells of a step. @returns its last commit */
async function killAfter(home: string, step: string, delayMs: number): Promise<number> {
  const child = spawn(process.execPath, [compiled.script, home], { stdio: ['ignore', 'pipe', 'inherit'] })
  let last = 0
  let isDoomed = false
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'exit')
  for await (const line of lines) {
    if (line.startsWith('committed ')) last = Number(line.slice('committed '.length))
    if (isDoomed || !line.startsWith(step)) continue
    isDoomed = true
    setTimeout(() => child.kill('SIGKILL'), delayMs)
  }
  const [code, signal] = await ended
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' })
  return last
}

/** Instants from the first write to the next commit: writing, embedding, images, the head, pruning, and between. */
const instants = [
  'writing tools',
  'embedding tools',
  'writing agents',
  'embedding agents',
  'committed',
].flatMap((step) =>
  [0, 10, 20, 40, 80].map((delayMs) => ({ step, delayMs: delayMs + Math.floor(Math.random() * 10) })),
)

describe('a process killed while it writes', () => {
  test(`leaves the last commit whole, ${instants.length} times over, and the next run goes on from it`, async () => {
    const home = storeFolder()
    await commitSeries(home, 1)
    let number = 1
    for (const { step, delayMs } of instants) {
      const told = await killAfter(home, step, delayMs)
      const found = await expectWholeSeries(home)
      expect(found, `killed ${delayMs} ms after "${step}"`).toBeGreaterThanOrEqual(Math.max(told, number))
      number = found
    }
    expect(existsSync(join(home, 'index.lock'))).toBe(true)
    await commitSeries(home, number + 1)
    expect(await expectWholeSeries(home)).toBe(number + 1)
    expect(existsSync(join(home, 'index.lock'))).toBe(false)

    const fresh = storeFolder()
    await commitSeries(fresh, number + 1)
    expect(bytesIn(home)).toBeLessThan(1.5 * bytesIn(fresh))
  }, 180_000)

  test.each([
    ['writing tools', 0],
    ['embedding tools', 3],
    ['embedding agents', 8],
  ] as const)('leaves nothing indexed when it dies in its first commit: %s', async (step, delayMs) => {
    const home = storeFolder()
    await killAfter(home, step, delayMs)
    await commitSeries(home, 5)
    expect(await expectWholeSeries(home)).toBe(5)
  })
})
