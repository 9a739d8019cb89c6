// Run by record-writers.ts: adds outcomes until it is killed, and tells the ids that were acknowledged.
import { randomUUID } from 'node:crypto'
import { lanceTrackRecord } from '../../src/adapters/lancedb/record/track-record.ts'
import type { Outcome } from '../../src/domain/outcome.ts'

const record = lanceTrackRecord(process.argv[2]!, { embed: async () => null })
const outcome = (): Outcome => ({
  id: randomUUID(),
  card: `agents/${process.pid % 7}`,
  cardHash: 'one',
  kind: 'agent',
  task: 'count to ten',
  time: new Date().toISOString(),
  origin: 'probe',
  executor: 'command',
  ending: 'answered',
  verdict: null,
  seconds: 0.1,
  tokens: null,
  cost: null,
})
for (;;) {
  const outcomes = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, outcome)
  await record.add(outcomes)
  process.stdout.write(`${outcomes.map(({ id }) => id).join('\n')}\n`)
}
