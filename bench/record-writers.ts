import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { lanceTrackRecord } from '../src/adapters/lancedb/record/track-record.ts'
import { atMost, type Bench } from './bench.ts'

const writers = 4
const child = fileURLToPath(new URL('./children/record-writer.js', import.meta.url))

/** Real processes and real kills: SIGKILL to one of them every second, at a random instant of it. */
export const recordWriters: Bench = {
  name: 'record-writers',
  question: `Does a record that ${writers} processes write lose anything when one is killed every second?`,
  async run(workplace) {
    const kills = workplace.quick ? 5 : 60
    const home = workplace.scratch()
    const acknowledged = new Set<string>()
    const running: ChildProcess[] = []
    for (let count = 0; count < writers; count += 1) running.push(start(home, acknowledged))
    const started = performance.now()
    for (let kill = 1; kill <= kills; kill += 1) {
      await wait(Math.max(0, started + 1000 * (kill - 1 + Math.random()) - performance.now()))
      const [victim] = running.splice(Math.floor(Math.random() * running.length), 1)
      await killed(victim!)
      running.push(start(home, acknowledged))
      if (kill % 10 === 0) workplace.log(`record-writers: ${kill} killed, ${acknowledged.size} acknowledged`)
    }
    const seconds = (performance.now() - started) / 1000
    await Promise.all(running.map(killed))
    const record = lanceTrackRecord(home, { embed: async () => null })
    const kept = (await record.list()).map(({ id }) => id)
    await record.close()
    const ids = new Set(kept)
    const lost = [...acknowledged].filter((id) => !ids.has(id)).length
    return {
      tables: [
        {
          title: `${writers} processes for ${seconds.toFixed(0)} s, ${kills} of them killed`,
          head: ['acknowledged', 'lost', 'kept', 'twice'],
          rows: [[acknowledged.size, lost, ids.size, kept.length - ids.size].map(String)],
        },
      ],
      notes: [
        'A process tells an outcome as acknowledged when `add` has settled. More are kept than acknowledged: those that were written when the process was killed before it could tell.',
      ],
      floors: [atMost('acknowledged outcomes that are lost', 0, lost)],
    }
  },
}

function start(home: string, acknowledged: Set<string>): ChildProcess {
  const started = spawn(process.execPath, [child, home], { stdio: ['ignore', 'pipe', 'inherit'] })
  createInterface(started.stdout).on('line', (id) => {
    // A line that a kill cut short was not told.
    if (id.length === 36) acknowledged.add(id)
  })
  return started
}

async function killed(started: ChildProcess): Promise<void> {
  const closed = once(started, 'close')
  started.kill('SIGKILL')
  await closed
}
