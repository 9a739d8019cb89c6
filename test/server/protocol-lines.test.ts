import fc from 'fast-check'
import { expect, test } from 'vitest'
import { protocolLines, type RejectedLine } from '../../src/server/transport/protocol-lines.ts'

const longest = 400

/** Sends parts and gives back the lines that passed, and those that were left out. */
async function through(parts: readonly Buffer[], room = async () => {}) {
  const rejected: RejectedLine[] = []
  const passed: Buffer[] = []
  const lines = protocolLines({ longest, onRejected: (line) => rejected.push(line), room })
  lines.on('data', (part: Buffer) => passed.push(part))
  for (const part of parts) lines.write(part)
  await new Promise<void>((resolve) => {
    lines.on('end', resolve)
    lines.end()
  })
  return { passed: Buffer.concat(passed).toString('utf8'), rejected }
}

const request = (id: number | string, text = '') =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params: { text } })
const long = 'x'.repeat(longest)

test.each<{ why: string; line: string; ids: readonly (string | number | null)[] | 'passes' }>([
  { why: 'a request', line: request(1), ids: 'passes' },
  { why: 'a request with a carriage return', line: `${request(1)}\r`, ids: 'passes' },
  { why: 'a notification', line: '{"jsonrpc":"2.0","method":"notifications/initialized"}', ids: 'passes' },
  { why: 'an answer', line: '{"jsonrpc":"2.0","id":4,"result":{}}', ids: 'passes' },
  { why: 'no JSON', line: 'no json', ids: [] },
  { why: 'nothing', line: '', ids: [] },
  { why: 'JSON that is nothing', line: 'null', ids: [] },
  { why: 'an object without an id', line: '{"method":"x"}', ids: [] },
  { why: 'parameters in a list', line: '{"jsonrpc":"2.0","id":5,"method":"x","params":[1]}', ids: [5] },
  { why: 'another version', line: '{"jsonrpc":"1.0","id":"six","method":"x"}', ids: ['six'] },
  { why: 'an id that is an object', line: '{"jsonrpc":"2.0","id":{},"method":"x"}', ids: [] },
  { why: 'an id that is no whole number', line: '{"jsonrpc":"2.0","id":1.5,"method":"x"}', ids: [] },
  { why: 'a batch', line: `[${request(7)},{"method":"x"},${request('eight')}]`, ids: [7, 'eight'] },
  { why: 'an empty batch', line: '[]', ids: [] },
  { why: 'a long line, its id first', line: `{"jsonrpc":"2.0","id":9,"method":"${long}"}`, ids: [9] },
  { why: 'a long line, its id last', line: `{"method":"${long}","jsonrpc":"2.0","id":"ten"}`, ids: ['ten'] },
  { why: 'a long line of nobody', line: long + long, ids: [null] },
])('$why: who waits is told', async ({ line, ids }) => {
  const { passed, rejected } = await through([Buffer.from(`${line}\n${request(99)}\n`)])
  if (ids === 'passes') {
    expect({ passed, rejected }).toEqual({ passed: `${line}\n${request(99)}\n`, rejected: [] })
  } else {
    expect(passed).toBe(`${request(99)}\n`)
    expect(rejected.map(({ id }) => id)).toEqual(ids)
  }
})

test('however the bytes are cut, the same lines come out', async () => {
  const line = fc.oneof(
    fc.integer({ min: 1, max: 99 }).map((id) => request(id, 'ä漢👩‍👩‍👧')),
    fc.constantFrom(
      '',
      'no json',
      '[]',
      '{"id":3}',
      long,
      long + long,
      `{"jsonrpc":"2.0","id":9,"x":"${long}"}`,
    ),
    fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\n', '')),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 700 })),
      async (lines, cuts) => {
        const bytes = Buffer.from(lines.map((one) => `${one}\n`).join(''))
        const parts: Buffer[] = []
        let from = 0
        for (const cut of cuts) {
          parts.push(bytes.subarray(from, from + cut))
          from += cut
        }
        parts.push(bytes.subarray(from))
        expect(await through(parts)).toEqual(await through([bytes]))
      },
    ),
  )
})

test('nothing more is read while there is no room', async () => {
  let makeRoom = () => {}
  const room = new Promise<void>((resolve) => (makeRoom = resolve))
  const passed: string[] = []
  const lines = protocolLines({ longest, onRejected: () => {}, room: () => room })
  lines.on('data', (part: Buffer) => passed.push(String(part)))
  lines.write(`${request(1)}\n`)
  lines.write(`${request(2)}\n`)
  await new Promise((resolve) => setImmediate(resolve))
  expect(passed).toEqual([`${request(1)}\n`])
  makeRoom()
  await expect.poll(() => passed).toEqual([`${request(1)}\n`, `${request(2)}\n`])
})
