// Run by processes.ts: opens a store with one system, answers a first query, then passes over queries on demand.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { SearchPass, SearchTask } from '../processes.ts'
import { systemNamed } from '../systems.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const task = JSON.parse(process.argv[2]!) as SearchTask
const system = await systemNamed(task.system)
const searcher = await system.open(task.store)
await searcher.search(task.query, 10)
const processorMs = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1000
process.send!({ processorMs: processorMs() })

process.on('message', async ({ queries, k }: { queries: readonly string[]; k: number }) => {
  const milliseconds: number[] = []
  const processorMilliseconds: number[] = []
  const found: SearchPass['found'][number][] = []
  for (const query of queries) {
    const worked = processorMs()
    const started = performance.now()
    const ranking = await searcher.search(query, k)
    milliseconds.push(performance.now() - started)
    processorMilliseconds.push(processorMs() - worked)
    found.push(ranking)
  }
  const residentBytes = process.memoryUsage().rss
  collectGarbage()
  process.send!({
    milliseconds,
    processorMilliseconds,
    found,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    residentBytes,
    heldBytes: process.memoryUsage().rss,
  } satisfies SearchPass)
})
process.on('disconnect', async () => {
  await searcher.close()
  process.exit()
})
