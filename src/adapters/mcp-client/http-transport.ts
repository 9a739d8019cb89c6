import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { type Bounds, boundsOf } from '../../domain/bounds.ts'
import { countedResponse } from '../../probing/run/bounded-fetch.ts'

/** Where to connect. Everything is expanded already. */
export type HttpLaunch = { readonly url: URL; readonly headers: Readonly<Record<string, string>> }

/** What makes the requests, and refuses those that must not be made. */
export type Send = typeof globalThis.fetch

/** How long to wait for the server's word on the end of our session, in seconds. */
const farewell = 1

/** Streamable HTTP, and a way to end it that lets the server forget our session. */
export function streamableHttp(launch: HttpLaunch, bounds: Bounds, send: Send): Transport {
  const transport = new StreamableHTTPClientTransport(launch.url, {
    fetch: meteredFetch(bounds, send),
    requestInit: { headers: statedHeaders(launch.headers) },
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  })
  const close = transport.close.bind(transport)
  transport.close = async () => {
    if (transport.sessionId !== undefined) {
      const patience = boundsOf({ seconds: farewell })
      await patience.orStopped(transport.terminateSession()).catch(() => {}) // one that says nothing is left all the same
      patience.release()
    }
    await close()
  }
  return transport
}

/** The HTTP+SSE transport of protocol 2024-11-05, which some servers still speak. */
export const serverSentEvents = (launch: HttpLaunch, bounds: Bounds, send: Send): Transport =>
  new SSEClientTransport(launch.url, {
    fetch: meteredFetch(bounds, send),
    requestInit: { headers: statedHeaders(launch.headers) },
  })

/** `"Authorization": "${TOKEN:-}"` means no header when there is no token. */
const statedHeaders = (headers: HttpLaunch['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value.trim() !== ''))

const meteredFetch =
  (bounds: Bounds, send: Send) =>
  async (url: string | URL, init?: RequestInit): Promise<Response> =>
    countedResponse(await send(url, init), (bytes) => {
      bounds.countBytes(bytes)
      bounds.signal.throwIfAborted()
    })
