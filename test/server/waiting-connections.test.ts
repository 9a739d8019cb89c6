import { createServer, get } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { boundWaiting } from '../../src/server/serve-http.ts'

/** A server that bounds what waits, and answers every request. */
async function served(most: number, total: number) {
  const server = createServer((_, response) => response.end('here'))
  server.maxConnections = total
  boundWaiting(server, most)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  const opened: Socket[] = []
  onTestFinished(() => {
    for (const socket of opened) socket.destroy()
    server.close()
    server.closeAllConnections()
  })
  const open = (says: string, from = '127.0.0.1') =>
    new Promise<Socket>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from }, () => {
        socket.write(says)
        resolve(socket)
      })
      opened.push(socket.on('error', () => {}).resume())
    })
  const asked = () =>
    new Promise<string>((resolve, reject) => {
      const request = get({ port, host: '127.0.0.1', agent: false }, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString('utf8')
        })
        response.on('end', () => resolve(text))
      })
      request.on('error', reject)
    })
  return { open, asked, opened }
}

test.each([
  { what: 'say nothing', says: '' },
  { what: 'begin a request and never end it', says: 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow:' },
  { what: 'ask once and keep the connection', says: 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n' },
])('connections of one address that $what lock nobody out', async ({ says }) => {
  const { open, asked, opened } = await served(8, 20)
  for (let count = 0; count < 60; count += 1) await open(says)
  expect(await asked()).toBe('here')
  await vi.waitFor(() => expect(opened.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(8), {
    timeout: 10_000,
  })
})

test('an address does not close the connections of another', async () => {
  const { open } = await served(4, 100)
  const other = await open('', '127.0.0.9').catch(() => null)
  for (let count = 0; count < 20; count += 1) await open('')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(other?.destroyed).toBe(false)
})
