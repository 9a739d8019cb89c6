import { isIP } from 'node:net'
import { type AddressKind, addressKind } from './address-kind.ts'
import { RefusedRequestError } from './refused-request.ts'

/**
 * Who named an address. `user`: a person, by typing it, in their own host configuration, as a whole origin in their `allow`
 * list, or in the environment. `card`: anybody else, such as a card, a redirect, a caller.
 */
export type NamedBy = 'user' | 'card'

/** Which kinds of addresses a request may connect to; each includes those before it. */
export type Reach = 'public' | 'private' | 'listed'

const kindsWithin: { readonly [reach in Reach]: ReadonlySet<AddressKind> } = {
  public: new Set(['public']),
  private: new Set(['public', 'private']),
  listed: new Set(['public', 'private', 'metadata']),
}

/** Whether a connection of this reach may be made to a literal address. */
export const isInReach = (address: string, reach: Reach): boolean =>
  kindsWithin[reach].has(addressKind(address))

/** Names that clouds give to their metadata, whatever they resolve to. */
const metadataNames: ReadonlySet<string> = new Set([
  ...['metadata', 'metadata.google.internal', 'metadata.goog', 'metadata.azure.com'],
  ...['instance-data', 'instance-data.ec2.internal', 'metadata.tencentyun.com'],
])

/** Endings of names that no public registry gives out, RFC 6761, RFC 8375, and what routers and offices use. */
const localEnding =
  /\.(?:localhost|local|internal|intranet|private|corp|lan|home|home\.arpa|localdomain|test)$/

/** @throws RefusedRequestError for anything but http and https without credentials */
export function assertWebAddress(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new RefusedRequestError(
      `"${url.protocol}" addresses are not followed`,
      'Use an address that starts with https:// or http://.',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new RefusedRequestError(
      `the address of ${url.host} holds credentials`,
      'Take them out of the address; they belong in a header or a variable.',
    )
  }
}

/**
 * How far a request to a URL may go.
 *
 * A literal address and a name that only a local network can know (one word, `localhost`, `.local`, `.internal` and their like)
 * are private when the user named them. A public name is public for everybody: when it resolves to a private address, somebody
 * may be steering us. What is listed in `privateHosts` may be anything.
 *
 * @param privateHosts - of the user's settings: `host`, `host:port`, `[IPv6]:port`, or `*.domain`
 * @throws RefusedRequestError for names of metadata services, and for `localhost` named by a card, which needs no resolver
 */
export function reachOf(url: URL, namedBy: NamedBy, privateHosts: readonly string[]): Reach {
  const host = plainHost(url.hostname)
  if (privateHosts.some((entry) => isListed(entry, host, portOf(url)))) return 'listed'
  if (metadataNames.has(host)) throw refusedHost(url.host, 'it is where a cloud hands out credentials')
  const isLocal = isIP(host) !== 0 || !host.includes('.') || localEnding.test(`.${host}`)
  if (namedBy === 'user' && isLocal) return 'private'
  if (/(?:^|\.)localhost$/.test(host)) throw refusedHost(url.host, 'it is this machine')
  return 'public'
}

/** The refusal to connect to what a host turned out to be. */
export function refusedHost(host: string, why: string): RefusedRequestError {
  return new RefusedRequestError(
    `${host} is not contacted: ${why}`,
    `If it is yours and meant, add "${host}" to "privateHosts" in settings.yaml`,
  )
}

/** Why an address is out of reach, for {@link refusedHost}. */
export function whyRefused(address: string, isName: boolean): string {
  const is = isName ? `its name leads to ${address}, which is` : 'it is'
  switch (addressKind(address)) {
    case 'metadata':
      return `${is} where a cloud hands out credentials`
    case 'never':
      return `${is} no address of a server`
    default:
      return `${is} an address of this machine or of a private network`
  }
}

/** A host without brackets and without the dot that may end a name. */
export const plainHost = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/s, '$1')
    .replace(/(?<!\.)\.+$/, '')

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80')

function isListed(entry: string, host: string, port: string): boolean {
  const written = entry.trim()
  // Two colons make an address of IPv6, which has a port in brackets only.
  const isBare = !written.startsWith('[') && written.split(':').length > 2
  const [, name = '', only] = isBare
    ? [written, written]
    : (/^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(written) ?? [])
  if (only !== undefined && only !== port) return false
  const listed = plainHost(name)
  return listed.startsWith('*.') ? host.endsWith(listed.slice(1)) : listed !== '' && listed === host
}
