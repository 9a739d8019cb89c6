import { readFileSync } from 'node:fs'

/**
 * What tells a process from another one that got its number after it ended, or after the machine was started anew: the start of the
 * machine and that of the process. Null where the system does not tell (it is Linux that does).
 */
export function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name stands in parentheses and may hold anything; the start is the 20th word after it.
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return started === undefined ? null : `${boot}/${started}`
  } catch {
    return null
  }
}
