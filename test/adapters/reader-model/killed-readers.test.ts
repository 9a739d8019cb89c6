import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { twoParts } from '../../fakes/two-parts.ts'
import { type CompiledScript, compileScript } from '../../fixtures/compile-script.ts'
import { smallReader } from './small-reader.ts'

let compiled: CompiledScript
beforeAll(() => {
  compiled = compileScript('test/fixtures/read-for-ever.ts')
})
afterAll(() => compiled.remove())

/** Reads cards in a process of its own, and kills it after so many. @returns how many it had told */
async function readAndKill(folders: readonly [string, string], name: string, count: number): Promise<number> {
  const child = spawn(process.execPath, [compiled.script, ...folders, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let told = 0
  for await (const line of createInterface(child.stdout)) {
    told = Number(line) + 1
    if (told === count) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return told
}

test('of processes that read at the same time and are killed, what each had read is not read again', async () => {
  const [reader, readings] = [smallReader(), join(temporaryFolder(), 'readings.bin')]
  const names = ['one', 'two', 'three']
  const told = await Promise.all(names.map((name, at) => readAndKill([reader, readings], name, 30 + 9 * at)))
  let read = 0
  const model = twoParts({ reader, readings, onRead: (texts) => (read += texts) })
  const cards = names.flatMap((name, at) =>
    Array.from({ length: told[at]! }, (_, number) => toolCard(`a/${name}-${number}`)),
  )
  const kept = await model.embedCards(cards)
  expect(read).toBe(0)
  const fresh = twoParts({ reader, readings: join(temporaryFolder(), 'readings.bin') })
  expect(await fresh.embedCards(cards)).toEqual(kept)
})
