import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { BoundReached, type Bounds, boundsOf } from '../../src/domain/bounds.ts'

const never = (): Promise<never> => new Promise(() => undefined)
const stopper = () => new AbortController()

describe('boundsOf', () => {
  test('gives what the work gives, as long as nothing stops it', async () => {
    const bounds = boundsOf({ callers: [stopper().signal, undefined], seconds: 60, bytes: 10 })
    bounds.countBytes(10)
    expect(await bounds.orStopped(Promise.resolve(8))).toBe(8)
    await expect(bounds.orStopped(Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect([bounds.signal.aborted, bounds.stoppedBy(), bounds.bytes()]).toEqual([false, undefined, 10])
    bounds.release()
  })

  test.each([
    { by: 'time', does: () => {}, says: 'it did not answer within 0.02 s' },
    { by: 'output', does: (it: Bounds) => it.countBytes(1_001), says: 'it sent more than 1,000 bytes' },
    { by: 'budget', does: (it: Bounds) => it.stopAtLimit('it took 3 turns'), says: 'it took 3 turns' },
  ])('ends work that does not listen, and says that it was $by', async ({ by, does, says }) => {
    const bounds = boundsOf({ seconds: 0.02, bytes: 1_000 })
    const running = bounds.orStopped(never())
    does(bounds)
    await expect(running).rejects.toMatchObject({ name: 'BoundReached', bound: by, message: says })
    expect([bounds.stoppedBy(), bounds.signal.reason]).toEqual([by, expect.any(BoundReached)])
    bounds.release()
  })

  test('says it in other words', () => {
    const words = { output: 'it printed too much' }
    const bounds = boundsOf({ bytes: 0, words })
    bounds.countBytes(1)
    expect(bounds.signal.reason).toEqual(new BoundReached('output', words.output))
  })

  test('ends with the reason of any caller, before and after it began', async () => {
    const stop = stopper()
    const bounds = boundsOf({ callers: [stopper().signal, stop.signal] })
    const running = bounds.orStopped(never())
    stop.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    const late = boundsOf({ callers: [stop.signal] })
    await expect(late.orStopped(never())).rejects.toThrow('enough')
    expect([bounds.stoppedBy(), late.stoppedBy()]).toEqual(['caller', 'caller'])
  })

  test('tells the first reason alone', () => {
    const stop = stopper()
    const bounds = boundsOf({ callers: [stop.signal] })
    bounds.stop(new Error('nonsense'))
    bounds.stopAtLimit('too many')
    stop.abort(new Error('enough'))
    expect([bounds.stoppedBy(), bounds.signal.reason.message]).toEqual(['fault', 'nonsense'])
  })

  test('a part counts for the whole and ends with it, and not the other way', () => {
    const whole = boundsOf({ bytes: 1_000 })
    const [one, other] = [boundsOf({ within: whole }), boundsOf({ within: whole })]
    one.countBytes(600)
    one.stopAtLimit('it took too much memory')
    expect([whole.signal.aborted, other.signal.aborted]).toEqual([false, false])
    other.countBytes(401)
    expect([whole.stoppedBy(), other.stoppedBy(), one.stoppedBy()]).toEqual(['output', 'caller', 'budget'])
  })

  test('lets work that heeds its signal come to its own end', async () => {
    const bounds = boundsOf({})
    bounds.stop(new Error('stop'))
    expect(
      await bounds.orStopped(
        wait(10).then(() => 'cleaned up'),
        60_000,
      ),
    ).toBe('cleaned up')
    await expect(bounds.orStopped(never(), 10)).rejects.toThrow('stop')
  })

  test('time begins anew, and ends with the release', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const [silent, released] = [boundsOf({ seconds: 1 }), boundsOf({ seconds: 1 })]
    for (const _ of [1, 2, 3]) {
      vi.advanceTimersByTime(900)
      for (const one of [silent, released]) one.restart()
    }
    released.release()
    released.restart()
    expect(silent.stoppedBy()).toBeUndefined()
    vi.advanceTimersByTime(1_000)
    expect([silent.stoppedBy(), released.stoppedBy()]).toEqual(['time', undefined])
  })
})
