// Run by processes.ts: opens a store with one system, answers a first query, then passes over queries on demand.
import type { SearchPass, SearchTask } from '../processes.ts'
import { systemNamed } from '../systems.ts'

const task = JSON.parse(process.argv[2]!) as SearchTask
const system = await systemNamed(task.system)
const searcher = await system.open(task.store)
await searcher.search(task.query, 10)
process.send!({})

process.on('message', async ({ queries, k }: { queries: readonly string[]; k: number }) => {
  const milliseconds: number[] = []
  const found: SearchPass['found'][number][] = []
  for (const query of queries) {
    const started = performance.now()
    const ranking = await searcher.search(query, k)
    milliseconds.push(performance.now() - started)
    found.push(ranking)
  }
  process.send!({
    milliseconds,
    found,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    residentBytes: process.memoryUsage().rss,
  } satisfies SearchPass)
})
process.on('disconnect', async () => {
  await searcher.close()
  process.exit()
})
