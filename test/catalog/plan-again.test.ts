import { expect, test } from 'vitest'
import { planAgain } from '../../src/indexing/index-sources.ts'
import { OvertakenError } from '../../src/store/catalog-writer.ts'

const overtaken = (times: number) => {
  let plans = 0
  return async () => {
    plans += 1
    if (plans <= times) throw new OvertakenError('changed the same sources')
    return plans
  }
}

test('a change that was overtaken is planned again, and each time is told', async () => {
  let told = 0
  const onOvertaken = () => {
    told += 1
  }
  expect(await planAgain(overtaken(3), { pauseMs: 0, onOvertaken })).toBe(4)
  expect(told).toBe(3)
})

test('it gives up in the end, with what happened and what to do', async () => {
  const failure = await planAgain(overtaken(100), { pauseMs: 0 }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(OvertakenError)
  expect(failure).toMatchObject({
    message: 'Nothing was stored: other processes that write this store changed the same sources.',
    remedy: 'Run it again when the others are done.',
  })
})

test('another failure is not tried again', async () => {
  let plans = 0
  const failing = async () => {
    plans += 1
    throw new Error('the disk is full')
  }
  await expect(planAgain(failing, { pauseMs: 0 })).rejects.toThrow('the disk is full')
  expect(plans).toBe(1)
})

test('whoever stops it does not wait', async () => {
  const stop = new AbortController()
  const onOvertaken = () => stop.abort(new Error('enough'))
  const planned = planAgain(overtaken(100), { pauseMs: 60_000, onOvertaken, signal: stop.signal })
  await expect(planned).rejects.toThrow(/aborted|enough/)
})
