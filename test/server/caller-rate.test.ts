import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressKey, callerRate } from '../../src/server/transport/http-callers.ts'

describe('the rate of a caller', () => {
  test('a minute of requests may come at once; then as many as come back in time', () => {
    let now = 0
    const rate = callerRate(60, () => now)
    expect(Array.from({ length: 60 }, () => rate.take('a'))).toEqual(Array.from({ length: 60 }, () => 0))
    expect(rate.take('a')).toBe(1)
    expect(rate.take('b')).toBe(0)
    now += 1_000
    expect([rate.take('a'), rate.take('a')]).toEqual([0, 1])
    now += 600_000
    expect(Array.from({ length: 61 }, () => rate.take('a')).filter((wait) => wait > 0)).toHaveLength(1)
  })

  test('no stretch of time has more than what it holds and what came back in it', () => {
    const steps = fc.array(fc.tuple(fc.nat({ max: 20_000 }), fc.constantFrom('a', 'b')), { maxLength: 300 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), steps, (perMinute, calls) => {
        let now = 0
        const rate = callerRate(perMinute, () => now)
        const taken: number[] = []
        for (const [pause, caller] of calls) {
          now += pause
          const wait = rate.take(caller)
          if (wait > 0) expect(Number.isInteger(wait)).toBe(true)
          else if (caller === 'a') taken.push(now)
        }
        for (const [from, start] of taken.entries()) {
          for (let to = from; to < taken.length; to += 1) {
            const most = perMinute + ((taken[to]! - start) * perMinute) / 60_000
            expect(to - from + 1).toBeLessThanOrEqual(most + 1e-6)
          }
        }
      }),
    )
  })

  test('whoever waits as long as told is let in', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), (perMinute) => {
        let now = 0
        const rate = callerRate(perMinute, () => now)
        while (rate.take('a') === 0);
        now += rate.take('a') * 1_000
        expect(rate.take('a')).toBe(0)
      }),
      { numRuns: 30 },
    )
  })

  test('an endless number of callers takes no endless room, and none is refused for it', () => {
    const rate = callerRate(1, () => 0)
    for (let caller = 0; caller < 30_000; caller += 1) expect(rate.take(`caller ${caller}`)).toBe(0)
    expect(rate.take('caller 29999')).toBe(60)
    expect(rate.take('caller 0')).toBe(0) // forgotten
  })
})

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8::5:6', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, 'unknown'],
])('%s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})
