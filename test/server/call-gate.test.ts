import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BusyError, callGate } from '../../src/server/call-gate.ts'

const never = new AbortController().signal

test('so many run, so many wait, and the rest is refused at once', async () => {
  const gate = callGate({ running: 2, waiting: 1 })
  const ends: (() => void)[] = []
  const work = () => new Promise<void>((resolve) => ends.push(resolve))
  const calls = Array.from({ length: 4 }, () => gate.run(work, never))
  await expect(calls[3]).rejects.toThrow(BusyError)
  expect(ends).toHaveLength(2)
  ends[0]!()
  await calls[0]
  await new Promise((resolve) => setImmediate(resolve))
  expect(ends).toHaveLength(3)
  for (const end of ends) end()
  await Promise.all(calls.slice(0, 3))
})

test('whoever gives up in the queue leaves it, and takes no place of another', async () => {
  const gate = callGate({ running: 1, waiting: 10 })
  let end = () => {}
  const first = gate.run(() => new Promise<void>((resolve) => (end = resolve)), never)
  const leaving = new AbortController()
  const second = gate.run(async () => 'second', leaving.signal)
  const third = gate.run(async () => 'third', never)
  leaving.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  end()
  await first
  expect(await third).toBe('third')
  await expect(gate.run(async () => 'late', AbortSignal.abort(new Error('never came')))).resolves.toBe('late')
})

test('never more run than may, each is done once in the order it came, failures free their place', async () => {
  const calls = fc.array(fc.record({ ticks: fc.nat({ max: 4 }), fails: fc.boolean() }), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), calls, async (running, works) => {
      const gate = callGate({ running, waiting: 100 })
      const started: number[] = []
      let now = 0
      let most = 0
      const outcomes = await Promise.allSettled(
        works.map(({ ticks, fails }, at) =>
          gate.run(async () => {
            started.push(at)
            now += 1
            most = Math.max(most, now)
            for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve()
            now -= 1
            if (fails) throw new Error('failed')
          }, never),
        ),
      )
      expect(most).toBeLessThanOrEqual(running)
      expect(started).toEqual(works.map((_, at) => at))
      expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(works.map(({ fails }) => fails))
    }),
  )
})
