import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** Memory that a process holds at the moment, in bytes. @throws Error when there is no such process */
export function residentBytes(pid: number): number {
  if (process.platform === 'linux') {
    const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    if (found === null) throw new Error(`Process ${pid} has ended.`)
    return Number(found[1]) * 1024
  }
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
}

/** Looks again and again until told to stop. */
export function watchMemory(pid: number, everyMs = 100): { stop(): { readonly peak: number } } {
  let peak = residentBytes(pid)
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid))
  }, everyMs)
  return {
    stop() {
      clearInterval(timer)
      return { peak }
    },
  }
}

/** The least that a process holds while it rests for so long: what it gives back, it gives back late. */
export async function restingMemory(pid: number, milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds
  let least = residentBytes(pid)
  while (performance.now() < until) {
    await wait(250)
    least = Math.min(least, residentBytes(pid))
  }
  return least
}
