// Run by processes.ts: indexes one corpus with one system, and tells how long it took and what memory it needed.
import type { IndexRun, IndexTask } from '../processes.ts'
import { systemNamed } from '../systems.ts'

const task = JSON.parse(process.argv[2]!) as IndexTask
const system = await systemNamed(task.system)
const started = performance.now()
const before = process.resourceUsage()
await system.index(task.corpus, task.store)
const seconds = (performance.now() - started) / 1000
const { maxRSS, userCPUTime, systemCPUTime, fsWrite } = process.resourceUsage()
const processor = userCPUTime + systemCPUTime - before.userCPUTime - before.systemCPUTime
// Blocks of 512 bytes, as getrusage counts them.
const writtenBytes = (fsWrite - before.fsWrite) * 512
const run: IndexRun = {
  seconds,
  processorSeconds: processor / 1e6,
  peakBytes: maxRSS * 1024,
  writtenBytes,
}
process.send!(run, () => process.exit())
