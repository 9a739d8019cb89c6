import { expect, test } from 'vitest'
import { RefusedRequestError } from '../../../src/adapters/http/reach.ts'
import { retryingFetch } from '../../../src/adapters/http/retrying-fetch.ts'

test.each([
  {
    why: 'an answer that got lost is asked for again, where that is wanted',
    cause: new Error('reset'),
    sends: 4,
  },
  {
    why: 'what may not be sent is not tried again: it would not be sent then either',
    cause: new RefusedRequestError('It redirects.', 'Name the address.'),
    sends: 1,
  },
])('$why', async ({ cause, sends }) => {
  let sent = 0
  const send = async () => {
    sent += 1
    throw new TypeError('fetch failed', { cause })
  }
  const retrying = retryingFetch(send, { sends: 4, lost: 'again', wait: async () => {} })
  await expect(retrying('http://127.0.0.1/')).rejects.toThrow('fetch failed')
  expect(sent).toBe(sends)
})
