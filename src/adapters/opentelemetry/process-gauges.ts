import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import process from 'node:process'
import type { Observed } from './instruments.ts'

/** Between two looks at the event loop, in milliseconds; what is measured is this and the delay. */
const resolution = 20

/** Of this process, since the last time it was asked. */
export function processGauges(): () => readonly Observed[] {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  let loop = performance.eventLoopUtilization()
  return () => {
    const { user, system } = process.cpuUsage()
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, loop)
    loop = now
    const [p50, p99] = [50, 99].map((at) =>
      delay.count === 0 ? 0 : Math.max(0, delay.percentile(at) / 1e9 - resolution / 1e3),
    )
    delay.reset()
    return [
      { metric: 'process.memory.usage', value: process.memoryUsage.rss() },
      { metric: 'process.cpu.time', value: user / 1e6, attributes: { 'cpu.mode': 'user' } },
      { metric: 'process.cpu.time', value: system / 1e6, attributes: { 'cpu.mode': 'system' } },
      { metric: 'process.uptime', value: process.uptime() },
      { metric: 'nodejs.eventloop.delay.p50', value: p50! },
      { metric: 'nodejs.eventloop.delay.p99', value: p99! },
      { metric: 'nodejs.eventloop.utilization', value: utilization },
    ]
  }
}
