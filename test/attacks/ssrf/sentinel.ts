import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A listener on every address of this machine that counts who comes, and answers as a service inside would. */
export type Sentinel = {
  readonly port: number
  connections(): number
  close(): Promise<void>
}

const secret = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\nsecret'

/** Dual-stack where the machine has IPv6. */
export async function openSentinel(): Promise<Sentinel> {
  let connections = 0
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    connections += 1
    open.add(socket)
    socket.on('error', () => {})
    socket.end(secret)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: 0, host: '::' }, resolve)
  }).catch(() => new Promise<void>((resolve) => server.listen(0, '0.0.0.0', () => resolve())))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** An HTTP server on 127.0.0.1. */
export async function openServer(
  answer: RequestListener,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createHttpServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
