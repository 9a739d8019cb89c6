/** How often each caller may ask. */
export type CallerRate = {
  /**
   * Counts one request of a caller.
   *
   * @returns 0 when it may go on; otherwise the seconds to wait, at least 1, and nothing was counted
   */
  take(caller: string): number
}

/** Callers that are remembered; beyond, the one longest unheard of starts anew. */
const remembered = 10_000
const minuteMs = 60_000

/**
 * A bucket per caller: it holds the requests of one minute, which may come at once, and refills evenly.
 *
 * @param perMinute - at least 1; `Infinity` never refuses
 * @param now - milliseconds of a clock that never goes back
 */
export function callerRate(perMinute: number, now: () => number = () => performance.now()): CallerRate {
  const buckets = new Map<string, { readonly left: number; readonly at: number }>()
  return {
    take(caller) {
      if (perMinute === Number.POSITIVE_INFINITY) return 0
      const at = now()
      const known = buckets.get(caller) ?? { left: perMinute, at }
      const left = Math.min(perMinute, known.left + ((at - known.at) * perMinute) / minuteMs)
      const isTaken = left >= 1
      buckets.delete(caller) // set again, it is the last one: the first is the one longest unheard of
      buckets.set(caller, { left: isTaken ? left - 1 : left, at })
      if (buckets.size > remembered) buckets.delete(buckets.keys().next().value ?? '')
      return isTaken ? 0 : Math.max(1, Math.ceil(((1 - left) * minuteMs) / perMinute / 1000))
    },
  }
}

/**
 * Who stands behind a network address, as far as it tells: an IPv4 address, or the half of an IPv6 address that
 * names a network, since one caller has the other half to choose from.
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [bare = ''] = address.split('%')
  const [head = '', tail] = bare.split('::')
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const gap = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length
  const all = [...groups(head), ...Array.from({ length: Math.max(0, gap) }, () => '0'), ...groups(tail ?? '')]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
