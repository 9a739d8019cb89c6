import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import type { Meter } from './meter.ts'

/** Where to connect. Everything is expanded already. */
export type HttpLaunch = { readonly url: URL; readonly headers: Readonly<Record<string, string>> }

/** What makes the requests, and refuses those that must not be made. */
export type Send = typeof globalThis.fetch

/** How long to wait for the server's word on the end of our session, in milliseconds. */
const farewellMs = 1_000

/** Streamable HTTP, and a way to end it that lets the server forget our session. */
export function streamableHttp(launch: HttpLaunch, meter: Meter, send: Send): Transport {
  const transport = new StreamableHTTPClientTransport(launch.url, {
    fetch: meteredFetch(meter, send),
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
    if (transport.sessionId !== undefined) await within(farewellMs, transport.terminateSession())
    await close()
  }
  return transport
}

/** The HTTP+SSE transport of protocol 2024-11-05, which some servers still speak. */
export const serverSentEvents = (launch: HttpLaunch, meter: Meter, send: Send): Transport =>
  new SSEClientTransport(launch.url, {
    fetch: meteredFetch(meter, send),
    requestInit: { headers: statedHeaders(launch.headers) },
  })

/** `"Authorization": "${TOKEN:-}"` means no header when there is no token. */
const statedHeaders = (headers: HttpLaunch['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value.trim() !== ''))

function meteredFetch(
  meter: Meter,
  send: Send,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await send(url, init)
    if (response.body === null) return response
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          meter.add(chunk.length)
          controller.enqueue(chunk)
        },
      }),
    )
    const { status, statusText, headers } = response
    const metered = new Response(counted, { status, statusText, headers })
    Object.defineProperty(metered, 'url', { value: response.url })
    return metered
  }
}

async function within(timeoutMs: number, farewell: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  })
  await Promise.race([farewell.catch(() => {}), patience]) // a server that will not say farewell is left all the same
  clearTimeout(timer)
}
