import { RemedyError } from '../../domain/remedy-error.ts'
import { RuntimeError } from '../ports.ts'
import { isIPv4 } from 'node:net'

/** An address cannot be reached at all, or leads elsewhere; the message says which. Trying again would not help. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/**
 * A `fetch` for agents that are not trusted: it counts what comes back (after decompression), follows no redirect to
 * another origin, and sends no headers of ours but those it is given.
 *
 * @param send - makes the requests, and refuses those that must not be made
 * @param onBytes - told of each piece of a body; whoever counts aborts the signal of the request when it is too much
 * @param headers - added to every request where the caller gave none of that name
 * @throws RuntimeError from the fetch when `send` refuses an address: that says nothing of the agent
 */
export function boundedFetch(
  send: typeof globalThis.fetch,
  onBytes: (bytes: number) => void,
  headers: Readonly<Record<string, string>> = {},
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    for (const [name, value] of Object.entries(headers)) {
      if (!request.headers.has(name)) request.headers.set(name, value)
    }
    const body = request.body === null ? undefined : await request.arrayBuffer()
    return countedResponse(await followed(request, body, send), onBytes)
  }
}

/** The same response, whose body is counted as it comes. @param onBytes - ends it where it throws */
export function countedResponse(response: Response, onBytes: (bytes: number) => void): Response {
  if (response.body === null) return response
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        onBytes(chunk.length)
        controller.enqueue(chunk)
      },
    }),
  )
  const { status, statusText, headers, url } = response
  return Object.defineProperty(new Response(counted, { status, statusText, headers }), 'url', { value: url })
}

/** Redirects that keep method and body, one after the other. */
const mostRedirects = 5

async function followed(
  request: Request,
  body: ArrayBuffer | undefined,
  send: typeof globalThis.fetch,
): Promise<Response> {
  let url = new URL(request.url)
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const response = await send(url, {
      method: request.method,
      headers: request.headers,
      signal: request.signal,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    }).catch((error: unknown) => {
      throw refused(error) ?? unreachable(url, error) ?? error
    })
    const location = response.headers.get('location')
    if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) return response
    await response.body?.cancel()
    const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined
    if (next?.origin !== url.origin)
      throw new UnreachableError('it redirects to another host, which is not followed')
    if (response.status < 307 && request.method !== 'GET') {
      throw new UnreachableError(`it redirects with status ${response.status}, which drops what was sent`)
    }
    url = next
  }
  throw new UnreachableError(`it redirects more than ${mostRedirects} times`)
}

/** Codes of errors that stay: nothing listens there, there is no such host, or it is not who it says. */
const lasting = /^(?:ECONNREFUSED|ENOTFOUND|ERR_TLS_\w+)$|CERT|SELF_SIGNED/

/** The guard of the network marks its refusals by their code, and says what to do. */
function refused(error: unknown): RuntimeError | undefined {
  if (!RemedyError.isInstance(error) || !('code' in error) || error.code !== 'ERR_REQUEST_REFUSED')
    return undefined
  return new RuntimeError(error.message, error.remedy, { cause: error })
}

function unreachable({ origin }: URL, error: unknown): UnreachableError | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return lasting.test(code)
    ? new UnreachableError(`nothing that can be trusted answers at ${origin} (${code})`, { cause: error })
    : undefined
}

/** The host and port that a request leaves this machine for; null on loopback. */
export function remoteHost({ hostname, host }: URL): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  const isLoopback = bare === 'localhost' || bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'))
  return isLoopback ? null : host
}
