import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey } from '../jobs/caller-rate.ts'

/**
 * Bounds the connections of one address on which no request is under way: half-open ones, and those kept for later. Beyond the bound
 * the one that has waited longest is closed, so that whoever opens many and says nothing closes his own, and a caller who sends at once gets
 * in from any address.
 *
 * @param most - integer >= 1
 */
export function boundWaiting(server: Server, most: number): void {
  /** In the order in which they began to wait. */
  const waiting = new Map<string, Set<Socket>>()
  const remove = (socket: Socket, address: string): void => {
    const others = waiting.get(address)
    others?.delete(socket)
    if (others?.size === 0) waiting.delete(address)
  }
  const add = (socket: Socket, address: string): void => {
    if (socket.destroyed) return
    const others = waiting.get(address) ?? new Set()
    waiting.set(address, others.add(socket))
    const [longest] = others
    if (others.size > most && longest !== undefined) {
      remove(longest, address)
      longest.destroy()
    }
  }
  const addresses = new WeakMap<Socket, string>()
  server.on('connection', (socket: Socket) => {
    const address = addressKey(socket.remoteAddress)
    addresses.set(socket, address)
    socket.once('close', () => remove(socket, address))
    add(socket, address)
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const address = addresses.get(socket)
    if (address === undefined) return
    remove(socket, address)
    response.once('close', () => add(socket, address))
  })
}
