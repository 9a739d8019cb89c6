import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server'
import { isIPv4 } from 'node:net'

/** Whether only this machine can reach what listens there. Other names may resolve to anything: they count as not. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return bare === 'localhost' || bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'))
}

/** The host part of a `Host` header or an authority, or null when it is none. */
export function hostnameOf(authority: string): string | null {
  if (/[/\\?#@%\s]/.test(authority)) return null // a percent sign could spell any name
  try {
    return new URL(`http://${authority}`).hostname
  } catch {
    return null
  }
}

/** The server as an OAuth 2.1 protected resource, as the Model Context Protocol asks of one with a public address. */
export type ProtectedResource = {
  /** The address by which clients and access tokens name this server: `https://audition.example/mcp`. */
  readonly resource: string
  /** Path of the MCP endpoint in that address. */
  readonly path: string
  /** Host name in that address, lower case. */
  readonly hostname: string
  /** Who gives out access tokens; null when the server has a token of its own instead. */
  readonly issuer: string | null
}

/**
 * @param publicUrl - address at which clients reach this server; without a path, `/mcp` is meant
 * @param issuer - identifier of the authorization server, as its tokens state it in `iss`
 * @throws Error naming what is wrong with either
 */
export function protectedResource(publicUrl: string, issuer: string | null): ProtectedResource {
  const url = webAddress(publicUrl, 'public URL')
  if (url.pathname === '/') url.pathname = '/mcp'
  if (issuer !== null) webAddress(issuer, 'authorization server')
  return { resource: url.href, path: url.pathname, hostname: url.hostname, issuer }
}

/** @throws Error when it is no `https` address; `http` will do for this machine */
export function webAddress(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (url === null || !isSafe) {
    throw new Error(`The ${what} must be an address that begins with https://, not ${JSON.stringify(text)}.`)
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new Error(`The ${what} must not have a query, a fragment or a user: ${url.origin}${url.pathname}`)
  }
  return url
}

/** The metadata's paths: for the resource, and the bare one that some clients try. */
export const metadataPaths = ({ resource }: ProtectedResource): readonly string[] =>
  [resource, new URL('/', resource)].map(
    (place) => new URL(getOAuthProtectedResourceMetadataUrl(new URL(place))).pathname,
  )

/** The metadata document (RFC 9728, section 2), or null when no authorization server is named. */
export const resourceMetadata = ({ resource, issuer }: ProtectedResource): object | null =>
  issuer === null
    ? null
    : {
        resource,
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
        resource_name: 'Audition',
      }

/** The part of `WWW-Authenticate` that tells a client where to learn who gives out tokens (RFC 9728, section 5.1). */
export const metadataChallenge = (resource: ProtectedResource | null): string =>
  resource === null || resource.issuer === null
    ? ''
    : `, resource_metadata="${getOAuthProtectedResourceMetadataUrl(new URL(resource.resource))}"`
