import { expect, test } from 'vitest'
import { deliveredResult } from '../../src/server/tools/calls/delivered-result.ts'

const structured = { celsius: 1 }
const big = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(8 * 1024 * 1024) }
const says = (text: string) => ({ type: 'text', text })

test.each([
  { what: 'the same as a text', content: [says('{"celsius": 1}')], text: undefined },
  { what: 'words', content: [says('[1] It is cold.')], text: '[1] It is cold.' },
  {
    what: 'a picture that is too large',
    content: [says('{"celsius":1}'), big],
    text: '[image of 6 MB: more than the 5 MB that are passed on]',
  },
])('beside a structured result stands $what', async ({ content, text }) => {
  const answer = await deliveredResult(
    'shop/weather',
    { content, structured, failed: false, excuse: null },
    {},
  )
  expect(answer.structured).toEqual({
    data_from: 'shop/weather',
    ...(text === undefined ? {} : { text }),
    result: structured,
  })
})
