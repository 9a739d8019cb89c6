import type { IncomingMessage } from 'node:http'
import { httpGuard } from '../../../src/adapters/http/guarded-fetch.ts'
import { asLookup } from './honest.ts'
import { redirecting } from './redirects.ts'
import { openServer } from './sentinel.ts'

/** Headers that must stay at their origin. */
export const secretHeaders = {
  authorization: 'Bearer s3cret',
  cookie: 'session=s3cret',
  'proxy-authorization': 'Basic s3cret',
  'x-api-key': 's3cret',
  'mcp-session-id': 's3cret',
  'x-anything': 's3cret',
} as const

/** Secret headers that came along when a listed server redirected to another listed one; empty when all stayed behind. */
export async function leakedHeaders(status: number): Promise<readonly string[]> {
  const seen: IncomingMessage[] = []
  const target = await openServer(redirecting({ trick: 'end', hops: [] }, 0, seen))
  const hops = [[status, `http://other.example:${target.port}/`]] as const
  const start = await openServer(redirecting({ trick: 'start', hops }, 0))
  const guard = httpGuard({
    privateHosts: ['tools.example', 'other.example'],
    resolve: (_name, _options, callback) => callback(null, [asLookup('127.0.0.1')]),
  })
  try {
    const init = { headers: { ...secretHeaders, accept: 'text/plain' } }
    const response = await guard.fetch('card')(`http://tools.example:${start.port}/`, init)
    const [arrived] = seen
    if ((await response.text()) !== 'arrived' || arrived?.headers.accept !== 'text/plain')
      return ['the redirect was not followed with its harmless headers']
    return Object.keys(secretHeaders).filter((name) => arrived.headers[name] !== undefined)
  } finally {
    await start.close()
    await target.close()
  }
}
