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

test('the reader reads some cards of a kind, or is switched off', () => {
  expect(configFrom({}).reader).toEqual({ mostCards: 50_000 })
  expect(configFrom({ AUDITION_READER: '', AUDITION_READER_CARDS: '12' }).reader).toEqual({ mostCards: 12 })
  expect(configFrom({ AUDITION_READER: 'none', AUDITION_READER_CARDS: '12' }).reader).toBeNull()
  expect(() => configFrom({ AUDITION_READER: 'off' })).toThrow('AUDITION_READER is "off"')
  for (const wrong of ['-1', '1.5', 'all'])
    expect(() => configFrom({ AUDITION_READER_CARDS: wrong })).toThrow(`AUDITION_READER_CARDS is "${wrong}"`)
})

test.each([
  { why: 'none', environment: {}, read: null },
  { why: 'an empty one', environment: { AUDITION_LLM: ' , ' }, read: null },
  {
    why: 'one, with its key, as ever',
    environment: { AUDITION_LLM: 'anthropic:claude-sonnet-5', AUDITION_LLM_KEY: 'k' },
    read: { spec: 'anthropic:claude-sonnet-5', key: 'k' },
  },
  {
    why: 'several, the first with the old key, each other with its own',
    environment: {
      AUDITION_LLM: 'ollama:qwen3:8b, anthropic:claude-sonnet-5,openai:gpt-5.5',
      AUDITION_LLM_KEY_2: 'k2',
    },
    read: {
      spec: 'ollama:qwen3:8b',
      others: [
        { spec: 'anthropic:claude-sonnet-5', key: 'k2', keyVariable: 'AUDITION_LLM_KEY_2' },
        { spec: 'openai:gpt-5.5', keyVariable: 'AUDITION_LLM_KEY_3' },
      ],
    },
  },
])('AUDITION_LLM names language models: $why', ({ environment, read }) => {
  expect(configFrom(environment).languageModel).toEqual(read)
})
