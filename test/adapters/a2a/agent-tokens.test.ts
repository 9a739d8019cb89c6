import { expect, test } from 'vitest'
import { originsWithTokens } from '../../../src/adapters/a2a/agent-address.ts'
import { RuntimeError } from '../../../src/probing/ports.ts'

test.each([
  { why: 'no variable', text: undefined, origins: [] },
  { why: 'an empty one', text: ' ', origins: [] },
  {
    why: 'two agents',
    text: '{"https://a.test": "t1", "http://127.0.0.1:7": "t2"}',
    origins: ['https://a.test', 'http://127.0.0.1:7'],
  },
])('the origins of $why', ({ text, origins }) => {
  expect(originsWithTokens({ AUDITION_A2A_TOKENS: text })).toEqual(origins)
})

test.each([
  { why: 'no JSON', text: 'hunter22' },
  { why: 'no object', text: '["hunter22"]' },
  { why: 'a path behind the origin', text: '{"https://a.test/": "hunter22"}' },
  { why: 'a default port, which no origin has', text: '{"https://a.test:443": "hunter22"}' },
  { why: 'a host alone', text: '{"a.test": "hunter22"}' },
  { why: 'token and origin swapped', text: '{"hunter22": "https://a.test"}' },
  { why: 'a token with a space', text: '{"https://a.test": "hunter22 "}' },
  { why: 'a token that is no text', text: '{"https://a.test": ["hunter22"]}' },
])('$why is refused and not repeated', ({ text }) => {
  const read = () => originsWithTokens({ AUDITION_A2A_TOKENS: text })
  expect(read).toThrow(RuntimeError)
  expect(read).toThrow(
    expect.objectContaining({
      message: expect.not.stringContaining('hunter22'),
      remedy: expect.stringMatching(/^(?!.*hunter22).*https:\/\/agent\.example/),
    }),
  )
})
