// Run by processes.ts: indexes one corpus with one system, and tells how long it took and what memory it needed.
import type { IndexTask } from '../processes.ts'
import { systemNamed } from '../systems.ts'

const task = JSON.parse(process.argv[2]!) as IndexTask
const system = await systemNamed(task.system)
const started = performance.now()
await system.index(task.corpus, task.store)
const seconds = (performance.now() - started) / 1000
process.send!({ seconds, peakBytes: process.resourceUsage().maxRSS * 1024 }, () => process.exit())
