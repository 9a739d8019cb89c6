// Loaded into the server that call.ts starts: at SIGUSR2 it writes what memory the process needs, in MB.
import { renameSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const file = process.env.AUDITION_BENCH_MEMORY!

process.on('SIGUSR2', () => {
  const { rss, heapTotal } = process.memoryUsage()
  collect()
  const kept = rss - heapTotal + process.memoryUsage().heapUsed
  writeFileSync(`${file}.new`, JSON.stringify({ process: rss / 2 ** 20, kept: kept / 2 ** 20 }))
  renameSync(`${file}.new`, file)
})
