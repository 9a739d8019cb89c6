import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { withDeadline } from '../../../src/adapters/http/with-deadline.ts'

const long = 60_000
const never = (): Promise<never> => new Promise(() => undefined)

describe('withDeadline', () => {
  test('gives what was run, and takes nothing of a signal that lives on', async () => {
    const { signal } = new AbortController()
    expect(await withDeadline(signal, long, async (stop) => stop.aborted)).toBe(false)
    await expect(withDeadline(signal, long, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  })

  test('ends when the time is up, also where nobody listens, and tells whoever does', async () => {
    let told: unknown
    const run = (stop: AbortSignal): Promise<never> => {
      stop.addEventListener('abort', () => {
        told = stop.reason
      })
      return never()
    }
    await expect(withDeadline(new AbortController().signal, 20, run)).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'It took longer than 0.02 s.',
    })
    expect(told).toBeInstanceOf(DOMException)
  })

  test('ends with the reason of its signal, before and after it began', async () => {
    const stop = new AbortController()
    const running = withDeadline(stop.signal, long, never)
    await wait(5)
    stop.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    await expect(withDeadline(stop.signal, long, never)).rejects.toThrow('enough')
  })
})
