import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that may wait on one connection. Clients that send several before the first answer are rare. */
const mostWaiting = 16

/**
 * Answers the requests of one connection one after another, as their answers must leave anyway: who sends many at once
 * and does not read would else have the server work for nobody while others wait. A connection on which too many wait
 * is closed.
 */
export function oneAtATime(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  const waiting = new WeakMap<Socket, (() => void)[]>()
  const take = (socket: Socket): void => {
    const next = socket.destroyed ? undefined : waiting.get(socket)?.shift()
    if (next === undefined) waiting.delete(socket)
    else next()
  }
  return (request, response) => {
    const { socket } = request
    const turn = (): void => {
      response.once('close', () => take(socket))
      answer(request, response)
    }
    const others = waiting.get(socket)
    if (others === undefined) {
      waiting.set(socket, [])
      turn()
    } else if (others.length < mostWaiting) others.push(turn)
    else socket.destroy()
  }
}
