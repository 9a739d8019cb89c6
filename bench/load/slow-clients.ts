import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { searchMessage } from './search-client.ts'

/** Clients that hold a connection and hardly use it, until they are told to leave. */
type SlowClients = {
  readonly count: number
  /** Connections they opened, one after another where the server closed them. */
  opened(): number
  leave(): Promise<void>
}

/** Pause between two bytes, in milliseconds. */
const pauseMs = 20
/** Requests that one who never reads sends at once, before it goes on one by one. */
const atOnce = 200

/** How a slow client behaves on one connection. */
type Manner = (socket: Socket, request: string, hasLeft: () => boolean) => Promise<void>

/** Reads its answers a byte at a time. */
const readsSlowly: Manner = async (socket, request, hasLeft) => {
  socket.pause()
  socket.write(request)
  while (!hasLeft() && !socket.destroyed) {
    if (socket.read(1) === null && socket.readableEnded) return
    await wait(pauseMs)
  }
}

/** Asks again and again and never reads. */
const neverReads: Manner = async (socket, request, hasLeft) => {
  socket.pause()
  socket.write(request.repeat(atOnce))
  while (!hasLeft() && !socket.destroyed) {
    await wait(pauseMs)
    socket.write(request)
  }
}

/** Sends its request a byte at a time. */
const sendsSlowly: Manner = async (socket, request, hasLeft) => {
  socket.resume()
  while (!hasLeft() && !socket.destroyed) {
    for (const byte of request) {
      if (hasLeft() || socket.destroyed) return
      socket.write(byte)
      await wait(pauseMs)
    }
  }
}

const manners = [readsSlowly, neverReads, sendsSlowly]

/** Starts so many slow clients, of all manners in turn. One whose connection is closed opens another. */
export function slowClients(url: string, query: string, count: number): SlowClients {
  const { hostname, port, host, pathname } = new URL(url)
  const { headers, body } = searchMessage(query)
  const head = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `POST ${pathname} HTTP/1.1\r\n${head.join('')}\r\n${body}`
  let opened = 0
  let left = false
  const sockets = new Set<Socket>()
  const live = async (manner: Manner): Promise<void> => {
    while (!left) {
      const socket = connect(Number(port), hostname)
      opened += 1
      sockets.add(socket)
      socket.on('error', () => undefined) // the server may close it at any time
      await manner(socket, request, () => left)
      socket.destroy()
      sockets.delete(socket)
      await wait(pauseMs)
    }
  }
  const lives = Array.from({ length: count }, (_, at) => live(manners[at % manners.length]!))
  return {
    count,
    opened: () => opened,
    async leave() {
      left = true
      for (const socket of sockets) socket.destroy()
      await Promise.all(lives)
    },
  }
}
