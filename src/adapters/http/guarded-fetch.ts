import type { Agent, Response as UndiciResponse } from 'undici'
import {
  assertWebAddress,
  isInReach,
  type NamedBy,
  plainHost,
  type AddressReach,
  reachOf,
  refusedHost,
  whyRefused,
  refusalIn,
  RefusedRequestError,
} from './reach.ts'
import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'

/** The one way to the network for whatever a card, a caller or a user names. */
export type HttpGuard = {
  /**
   * A `fetch` that goes no further than whoever named the address may. Redirects are followed as `init.redirect` says, five at most;
   * each is checked anew as named by a stranger, unless it stays at its origin, and takes no header along to another origin but the
   * harmless ones. Not followed: from https to http, and with a body to another host. Rejects with {@link RefusedRequestError}.
   */
  fetch(namedBy: NamedBy): typeof globalThis.fetch
}

/** How a guard is made. */
type HttpGuardOptions = {
  /** Hosts that may be private although a card named them; see {@link reachOf}. @defaultValue none */
  readonly privateHosts?: readonly string[]
  /** @defaultValue the system's resolver */
  readonly resolve?: Resolve
}

const mostRedirects = 5
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const nullBodyStatuses: ReadonlySet<number> = new Set([204, 205, 304])

/** Headers that say nothing of us and open nothing: all that another origin gets. */
const harmlessHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'user-agent',
  'range',
  'if-range',
])
/** Headers that describe a body; they go when it goes. */
const bodyHeaders = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
]

export function httpGuard({ privateHosts = [], resolve }: HttpGuardOptions = {}): HttpGuard {
  const agents = new Map<AddressReach, Promise<Agent>>()
  const agentFor = (reach: AddressReach): Promise<Agent> => {
    const agent = agents.get(reach) ?? guardedAgent(reach, resolve)
    agents.set(reach, agent)
    return agent
  }

  const sendTo = async (hop: Hop): Promise<UndiciResponse> => {
    const dispatcher = await agentFor(reachOf(hop.url, hop.namedBy, privateHosts))
    const { fetch } = await import('undici')
    try {
      return await fetch(hop.url, {
        method: hop.method,
        headers: [...hop.headers],
        redirect: 'manual',
        dispatcher,
        ...(hop.body === undefined ? {} : { body: hop.body }),
        ...(hop.signal === undefined ? {} : { signal: hop.signal }),
      })
    } catch (error) {
      throw refusalIn(error) ?? error
    }
  }

  return {
    fetch: (namedBy) => async (input, init) => {
      let hop = await firstHop(input, init, namedBy)
      const mode = init?.redirect ?? (input instanceof Request ? input.redirect : 'follow')
      for (let followed = 0; ; followed++) {
        const response = await sendTo(hop)
        const location = response.headers.get('location')
        if (location === null || !redirectStatuses.has(response.status) || mode === 'manual')
          return asGlobal(response, hop.url)
        await response.body?.cancel()
        if (mode === 'error') throw notFollowed(hop.url, 'it redirects, which is not expected there')
        if (followed === mostRedirects)
          throw notFollowed(hop.url, `it redirects more than ${mostRedirects} times`)
        hop = nextHop(hop, response.status, location)
      }
    },
  }
}

/** One request of a chain of redirects. */
type Hop = {
  readonly url: URL
  readonly namedBy: NamedBy
  readonly method: string
  readonly headers: Headers
  readonly body: ArrayBuffer | undefined
  readonly signal: AbortSignal | undefined
}

async function firstHop(
  input: Parameters<typeof globalThis.fetch>[0],
  init: RequestInit | undefined,
  namedBy: NamedBy,
): Promise<Hop> {
  const given = input instanceof Request ? input.url : String(input)
  if (!URL.canParse(given)) {
    throw new RefusedRequestError(
      'the address cannot be understood',
      'Correct the address: https://host/path.',
    )
  }
  const url = new URL(given)
  assertWebAddress(url) // before a Request is made, which refuses credentials in words of its own
  const request = new Request(input, init)
  const body = request.body === null ? undefined : await request.arrayBuffer()
  const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
  return { url, namedBy, method: request.method, headers: request.headers, body, signal }
}

function nextHop(hop: Hop, status: number, location: string): Hop {
  const url = URL.canParse(location, hop.url.href) ? new URL(location, hop.url.href) : undefined
  if (url === undefined) throw notFollowed(hop.url, 'it redirects to what is no address')
  assertWebAddress(url)
  const isSameOrigin = url.origin === hop.url.origin
  if (hop.url.protocol === 'https:' && url.protocol === 'http:')
    throw notFollowed(hop.url, 'it redirects from https to http')
  const dropsBody = (status === 303 && hop.method !== 'HEAD') || (status < 303 && hop.method === 'POST')
  if (!dropsBody && hop.body !== undefined && url.hostname !== hop.url.hostname)
    throw notFollowed(hop.url, 'it redirects to another host what was sent to it')
  const headers = new Headers(
    [...hop.headers].filter(([name]) => isSameOrigin || keepsAcross(name, hop.body !== undefined)),
  )
  if (dropsBody) for (const name of bodyHeaders) headers.delete(name)
  return {
    url,
    headers,
    signal: hop.signal,
    namedBy: isSameOrigin ? hop.namedBy : 'card',
    method: dropsBody ? 'GET' : hop.method,
    body: dropsBody ? undefined : hop.body,
  }
}

const keepsAcross = (name: string, hasBody: boolean): boolean =>
  harmlessHeaders.has(name) || (hasBody && bodyHeaders.includes(name))

const notFollowed = ({ host }: URL, why: string): RefusedRequestError =>
  new RefusedRequestError(`the answer of ${host} is not followed: ${why}`, 'Name the address it leads to.')

/** Responses of the package, by the response that stands for them: one that is forgotten would cancel its body. */
const standingFor = new WeakMap<Response, UndiciResponse>()

/** As a response of the runtime's own class, which SDKs expect. */
function asGlobal(response: UndiciResponse, url: URL): Response {
  const { status, statusText } = response
  const body = nullBodyStatuses.has(status) ? null : (response.body as ReadableStream<Uint8Array> | null)
  const made = new Response(body, { status, statusText, headers: [...response.headers] })
  Object.defineProperty(made, 'url', { value: url.href })
  standingFor.set(made, response)
  return made
}

/** Resolves a name to all its addresses, as `dns.lookup` with `all` does. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Connections that go no further than `reach`. A name is resolved once for each connection, every address it has is checked, and
 * the connection is made to those very addresses: an answer that changes between two questions gains nothing. Connects directly:
 * HTTP_PROXY and its like are not read.
 */
async function guardedAgent(reach: AddressReach, resolve: Resolve = systemLookup): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici')
  const options = { lookup: checkedLookup(reach, resolve) } as Parameters<typeof buildConnector>[0]
  const connect = buildConnector(options)
  return new Agent({
    connect(target, callback) {
      const host = plainHost(target.hostname)
      if (isIP(host) !== 0 && !isInReach(host, reach)) {
        callback(refusedHost(target.hostname, whyRefused(host, false)), null)
        return
      }
      connect(target, callback)
    },
  })
}

/** The lookup of one connection: all addresses of a name, or none when one of them is out of reach. */
export function checkedLookup(reach: AddressReach, resolve: Resolve = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    const wanted: LookupAllOptions = {
      all: true,
      ...(options.hints === undefined ? {} : { hints: options.hints }),
      ...(options.family === 4 || options.family === 6 ? { family: options.family } : {}),
    }
    resolve(hostname, wanted, (error, addresses) => {
      if (error !== null) return callback(error, '', 0)
      const refused = addresses.find(({ address }) => !isInReach(address, reach))
      if (refused !== undefined)
        return callback(refusedHost(hostname, whyRefused(refused.address, true)), '', 0)
      const [first] = addresses
      if (first === undefined) {
        const missing = Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
        return callback(missing, '', 0)
      }
      if (options.all === true) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
  }
}
