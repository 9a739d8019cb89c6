import type { IncomingMessage } from 'node:http'

/** Request headers of the protocol that a page may send. */
const requestHeaders = [
  'accept',
  'authorization',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
].join(', ')

/**
 * Headers that let a page of an origin that was allowed by name call and read our answers. No other page gets past the guard.
 */
export function corsHeaders(
  request: IncomingMessage,
  origins: ReadonlySet<string>,
): { readonly [name: string]: string } {
  const { origin } = request.headers
  if (origin === undefined || !origins.has(origin)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-protocol-version, mcp-session-id, www-authenticate',
    vary: 'origin',
    ...(request.method === 'OPTIONS'
      ? {
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': requestHeaders,
          'access-control-max-age': '600',
        }
      : {}),
  }
}
