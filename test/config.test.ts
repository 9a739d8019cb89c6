import { isAbsolute, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { configFrom } from '../src/config.ts'

test('the settings file lies in a folder of the user, or where AUDITION_SETTINGS says', () => {
  const { settings } = configFrom({})
  expect(isAbsolute(settings)).toBe(true)
  expect(settings).toMatch(/audition.*settings\.yaml$/)
  expect(configFrom({ AUDITION_SETTINGS: 'mine.yaml' }).settings).toBe(resolve('mine.yaml'))
  expect(configFrom({ AUDITION_SETTINGS: '' }).settings).toBe(settings)
})

test('one thread searches, or as many as AUDITION_THREADS says', () => {
  const threads = (value: string) => configFrom({ AUDITION_THREADS: value }).searchThreads
  expect(threads('')).toBe(1)
  expect(threads('3')).toBe(3)
  for (const wrong of ['0', '1.5', 'many', '-1', '1000'])
    expect(() => threads(wrong)).toThrow(`AUDITION_THREADS is "${wrong}"`)
})
