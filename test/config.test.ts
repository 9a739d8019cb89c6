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
