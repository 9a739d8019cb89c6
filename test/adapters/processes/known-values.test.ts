import { describe, expect, test } from 'vitest'
import { commandValues, knownValues } from '../../../src/adapters/processes/launch-secrets.ts'

describe('knownValues', () => {
  const token = 'ghp_0123456789abcdefghij'
  test.each([
    {
      why: 'a secret by its name',
      named: [['API_TOKEN', 'Zq8-value']],
      errors: true,
      answers: true,
      cards: true,
    },
    {
      why: 'a short secret is no chance word of an answer',
      named: [['API_TOKEN', 'Zq8']],
      errors: true,
      answers: true,
      cards: false,
    },
    {
      why: 'a short plain word stays in answers',
      named: [['API_TOKEN', 'demo']],
      errors: true,
      answers: false,
      cards: false,
    },
    { why: 'a secret by its shape', named: [['SETTING', token]], errors: true, answers: true, cards: false },
    {
      why: 'a setting that may be anything',
      named: [['CITY', 'Den Haag']],
      errors: true,
      answers: false,
      cards: false,
    },
    { why: 'a plain setting', named: [['MODE', 'fast']], errors: false, answers: false, cards: false },
    { why: 'a path', named: [['FOLDER', '/srv/data']], errors: false, answers: false, cards: false },
  ] as const)('$why', ({ named, errors, answers, cards }) => {
    const [[, value]] = named
    const { inErrors, inAnswers, inCards } = knownValues(named, [])
    expect([inErrors, inAnswers, inCards].map((values) => values.includes(value))).toEqual([
      errors,
      answers,
      cards,
    ])
  })

  test('a variable that was filled in counts by its own name, wherever it was put', () => {
    const { inErrors, inAnswers } = knownValues([], [['MY_PASSWORD', 'four words of secret']])
    expect(inErrors).toEqual(['four words of secret'])
    expect(inAnswers).toEqual(['four words of secret'])
  })

  test('the values of secret flags are found among arguments', () => {
    const args = [
      'serve',
      '--token',
      'Zq8-value',
      '--port=80',
      '--api-key=Zq8-other',
      '--password',
      '--quiet',
    ]
    const { inAnswers } = knownValues(commandValues({ args, env: {} }), [])
    expect(inAnswers).toEqual(['Zq8-value', 'Zq8-other'])
  })
})
