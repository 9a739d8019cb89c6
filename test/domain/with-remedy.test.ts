import { expect, test } from 'vitest'
import { withRemedy } from '../../src/domain/remedy-error.ts'

test.each([
  {
    why: 'a message has no stop',
    message: 'a.yaml names no model',
    expected: 'a.yaml names no model. Set one.',
  },
  { why: 'a message is a sentence', message: 'It names no model.', expected: 'It names no model. Set one.' },
  { why: 'a message ends in another mark', message: 'Which model?', expected: 'Which model? Set one.' },
])('message and remedy stand as two sentences when $why', ({ message, expected }) => {
  expect(withRemedy(message, 'Set one.')).toBe(expected)
})
