import { expect, test } from 'vitest'
import { callsUnderWay } from '../../../src/adapters/mcp-client/live-server.ts'

test('of a process that is gone no call is blamed beside another, of a silent one that which it read alone', async () => {
  const calls = callsUnderWay({ isProcess: true, answers: () => Promise.resolve(false) })
  const first = calls.begin()
  expect(calls.isAlone(first, 'gone')).toBe(true)
  const behind = calls.begin()
  await Promise.resolve()
  expect(calls.isAlone(first, 'silent')).toBe(true)
  expect(calls.isAlone(behind, 'silent')).toBe(false)
  expect([first, behind].map((call) => calls.isAlone(call, 'gone'))).toEqual([false, false])
})
