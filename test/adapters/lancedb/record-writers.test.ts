import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordBatch } from '../../../src/adapters/lancedb/record/record-rows.ts'
import { RecordTable } from '../../../src/adapters/lancedb/record/record-table.ts'
import { lanceTrackRecord } from '../../../src/adapters/lancedb/record/track-record.ts'
import { type CompiledScript, compileScript } from '../../fixtures/compile-script.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { outcomeOf } from './some-outcomes.ts'
import { storeFolder } from './stores.ts'

let compiled: CompiledScript
beforeAll(() => {
  compiled = compileScript('bench/children/record-writer.ts')
})
afterAll(() => compiled.remove())

/** A real process that adds until it is killed; what it told as acknowledged goes to `acknowledged`. */
function startWriter(home: string, acknowledged: Set<string>): ChildProcess {
  const child = spawn(process.execPath, [compiled.script, home], { stdio: ['ignore', 'pipe', 'inherit'] })
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) acknowledged.add(line)
  })
  return child
}

const gone = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) =>
    (child.exitCode ?? child.signalCode) === null ? child.once('close', resolve) : resolve(null),
  )

test('loses nothing that was acknowledged to four processes that write at once while one after the other is killed', async () => {
  const home = temporaryFolder()
  const acknowledged = new Set<string>()
  const writers = Array.from({ length: 4 }, () => startWriter(home, acknowledged))
  try {
    for (let kill = 0; kill < 5; kill += 1) {
      // Each round begins when more was acknowledged, and ends at a random instant of a write.
      const before = acknowledged.size
      while (acknowledged.size < before + 8) await wait(20)
      await wait(Math.random() * 300)
      const [victim] = writers.splice(0, 1)
      victim!.kill('SIGKILL')
      await gone(victim!)
      writers.push(startWriter(home, acknowledged))
    }
  } finally {
    for (const writer of writers) writer.kill('SIGKILL')
    await Promise.all(writers.map(gone))
  }
  const record = lanceTrackRecord(home, { embed: async () => null })
  const listed = (await record.list()).map(({ id }) => id)
  const kept = new Set(listed)
  expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([])
  expect(listed.length).toBe(kept.size)
  expect((await record.index()).size).toBe(kept.size)
  await record.close()
})

test('a write that a later version of another process knows nothing of is made again', async () => {
  const home = storeFolder()
  const [table, other] = [new RecordTable(home), lanceTrackRecord(home, { embed: async () => null })]
  const rows = [{ outcome: outcomeOf({ id: 'mine' }), added: 0, stored: null }]
  let tries = 0
  await table.write(
    async (opened) => {
      tries += 1
      if (tries === 1) await other.add([outcomeOf({ id: 'theirs' })])
      else await opened.add(recordBatch(rows))
    },
    async (opened) => (await opened.countRows("id = 'mine'")) === 1,
  )
  expect(tries).toBe(2)
  expect((await other.list()).map(({ id }) => id).sort()).toEqual(['mine', 'theirs'])
  table.close()
  await other.close()
})
