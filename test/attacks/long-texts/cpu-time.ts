/** Milliseconds of processor that this process took for a piece of work, least of some tries: others on the machine do not count. */
export function cpuTime(work: () => unknown, tries: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let tried = 0; tried < tries; tried++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}
