import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** A redirect that must not be followed, or must lose something on its way. `HERE` is the server itself. */
export type RedirectCase = {
  readonly trick: string
  /** Status and target, hop by hop. */
  readonly hops: readonly (readonly [status: number, location: string])[]
  readonly method?: 'GET' | 'POST'
}

/** Chains that lead to the listener (`PORT`) or elsewhere inside. */
export const hostileRedirects: readonly RedirectCase[] = [
  { trick: 'straight to loopback', hops: [[302, 'http://127.0.0.1:PORT/']] },
  { trick: 'with 301', hops: [[301, 'http://127.0.0.1:PORT/']] },
  { trick: 'with 303', hops: [[303, 'http://127.0.0.1:PORT/']] },
  { trick: 'with 307', hops: [[307, 'http://127.0.0.1:PORT/']] },
  { trick: 'with 308', hops: [[308, 'http://127.0.0.1:PORT/']] },
  { trick: 'a POST with its body', method: 'POST', hops: [[307, 'http://127.0.0.1:PORT/']] },
  { trick: 'to localhost', hops: [[302, 'http://localhost:PORT/']] },
  { trick: 'to IPv6', hops: [[302, 'http://[::1]:PORT/']] },
  { trick: 'to a mapped address', hops: [[302, 'http://[::ffff:127.0.0.1]:PORT/']] },
  { trick: 'to a decimal address', hops: [[302, 'http://2130706433:PORT/']] },
  { trick: 'without protocol', hops: [[302, '//127.0.0.1:PORT/']] },
  { trick: 'with backslashes', hops: [[302, '\\\\127.0.0.1:PORT\\']] },
  { trick: 'to metadata', hops: [[302, 'http://169.254.169.254/latest/meta-data/']] },
  { trick: 'to a file', hops: [[302, 'file:///etc/passwd']] },
  { trick: 'to another protocol', hops: [[302, 'gopher://127.0.0.1:PORT/']] },
  { trick: 'with credentials', hops: [[302, 'http://a:b@127.0.0.1:PORT/']] },
  {
    trick: 'after some honest hops',
    hops: [
      [302, '/1'],
      [307, '/2'],
      [302, 'http://127.0.0.1:PORT/'],
    ],
  },
  { trick: 'by a name that leads inside', hops: [[302, 'http://inside.attacker.example:PORT/']] },
  { trick: 'in circles', hops: Array.from({ length: 30 }, () => [302, '/again'] as const) },
  { trick: 'to what is no address', hops: [[302, 'http://']] },
]

/** Plays the chain: the n-th request gets the n-th redirect, and after the last an answer. */
export function redirecting(
  { hops }: RedirectCase,
  sentinelPort: number,
  seen: IncomingMessage[] = [],
): RequestListener {
  let hop = 0
  return (request: IncomingMessage, response: ServerResponse) => {
    seen.push(request)
    request.resume()
    const next = hops[hop++]
    if (next === undefined) return void response.end('arrived')
    const [status, location] = next
    response.writeHead(status, { location: location.replace('PORT', String(sentinelPort)) }).end()
  }
}
