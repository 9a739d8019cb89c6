import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { oneAtATime } from '../../src/server/serve-http.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that answers when told to, and a caller of it that sends what it likes. */
async function answering() {
  const begun: { readonly path: string; readonly response: ServerResponse }[] = []
  const server = createServer()
  server.on(
    'request',
    oneAtATime((request, response) => void begun.push({ path: request.url ?? '', response })),
  )
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const caller = () => {
    const socket = connect(port, '127.0.0.1')
    let told = ''
    let isClosed = false
    socket.on('data', (chunk: Buffer) => {
      told += chunk.toString('utf8')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      isClosed = true
    })
    return {
      ask: (...paths: readonly string[]) =>
        void socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join('')),
      told: () => [...told.matchAll(/answer (\S+?)\./g)].map(([, path]) => path),
      isClosed: () => isClosed,
      leave: () => socket.destroy(),
    }
  }
  return { begun, caller }
}

test('the requests of one connection begin one after another; another connection waits for none of them', async () => {
  const { begun, caller } = await answering()
  const [hasty, other] = [caller(), caller()]
  hasty.ask('/1', '/2', '/3')
  await vi.waitFor(() => expect(begun.map(({ path }) => path)).toEqual(['/1']))
  other.ask('/other')
  await vi.waitFor(() => expect(begun.map(({ path }) => path)).toEqual(['/1', '/other']))
  for (const place of [0, 2, 3]) {
    const { path, response } = begun[place]!
    response.end(`answer ${path}.`)
    await vi.waitFor(() => expect(hasty.told()).toContain(path))
    if (place < 3) await vi.waitFor(() => expect(begun).toHaveLength(place === 0 ? 3 : 4))
  }
  expect(hasty.told()).toEqual(['/1', '/2', '/3'])
})

test('however requests are split over writes, all are answered, in order', async () => {
  const { begun, caller } = await answering()
  const answerAll = setInterval(() => {
    for (const { path, response } of begun.splice(0)) response.end(`answer ${path}.`)
  }, 1)
  closing.push(() => clearInterval(answerAll))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
      async (writes) => {
        const one = caller()
        let asked = 0
        for (const count of writes) one.ask(...Array.from({ length: count }, () => `/${++asked}`))
        await vi.waitFor(() =>
          expect(one.told()).toEqual(Array.from({ length: asked }, (_, at) => `/${at + 1}`)),
        )
        one.leave()
      },
    ),
    { numRuns: 20 },
  )
})

test('a connection on which too many wait is closed, and none of them begins any more', async () => {
  const { begun, caller } = await answering()
  const flooding = caller()
  flooding.ask(...Array.from({ length: 200 }, (_, at) => `/${at}`))
  await vi.waitFor(() => expect(flooding.isClosed()).toBe(true))
  expect(begun.map(({ path }) => path)).toEqual(['/0'])
  begun[0]!.response.end('too late')
  const calm = caller()
  calm.ask('/calm')
  await vi.waitFor(() => expect(begun.map(({ path }) => path)).toEqual(['/0', '/calm']))
})

test('what waits on a connection that its caller leaves is dropped', async () => {
  const { begun, caller } = await answering()
  const leaving = caller()
  leaving.ask('/1', '/2')
  await vi.waitFor(() => expect(begun).toHaveLength(1))
  leaving.leave()
  await vi.waitFor(() => expect(begun[0]!.response.closed).toBe(true))
  const next = caller()
  next.ask('/next')
  await vi.waitFor(() => expect(begun.map(({ path }) => path)).toEqual(['/1', '/next']))
})
