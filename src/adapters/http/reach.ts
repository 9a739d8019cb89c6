import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isLocalName } from '../../domain/text/local-hosts.ts'
import { RemedyError } from '../../domain/remedy-error.ts'

/**
 * A request that is not made, since it could reach what its author must not: a private network, a cloud's metadata, another
 * protocol. The message names the host and never a credential.
 */
export class RefusedRequestError extends RemedyError {
  override readonly name = 'RefusedRequestError'
  /** As errors of the system have one; see harvest reports. */
  readonly code = 'ERR_REQUEST_REFUSED'
}

/** The refusal in an error or in what caused it: `fetch failed` hides it in its cause. */
export function refusalIn(error: unknown, depth = 0): RefusedRequestError | undefined {
  if (error instanceof RefusedRequestError) return error
  return error instanceof Error && depth < 4 ? refusalIn(error.cause, depth + 1) : undefined
}

/**
 * Who named an address. `user`: a person, by typing it, in their own host configuration, as a whole origin in their `allow`
 * list, or in the environment. `card`: anybody else, such as a card, a redirect, a caller.
 */
export type NamedBy = 'user' | 'card'

/** Which kinds of addresses a request may connect to; each includes those before it. */
export type AddressReach = 'public' | 'private' | 'listed'

const kindsWithin: { readonly [reach in AddressReach]: ReadonlySet<AddressKind> } = {
  public: new Set(['public']),
  private: new Set(['public', 'private']),
  listed: new Set(['public', 'private', 'metadata']),
}

/** Whether a connection of this reach may be made to a literal address. */
export const isInReach = (address: string, reach: AddressReach): boolean =>
  kindsWithin[reach].has(addressKind(address))

/** Names that clouds give to their metadata, whatever they resolve to. */
const metadataNames: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.com',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.tencentyun.com',
])

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
export function reachOf(url: URL, namedBy: NamedBy, privateHosts: readonly string[]): AddressReach {
  const host = plainHost(url.hostname)
  if (privateHosts.some((entry) => isListed(entry, host, portOf(url)))) return 'listed'
  if (metadataNames.has(host)) throw refusedHost(url.host, 'it is where a cloud hands out credentials')
  const isLocal = isIP(host) !== 0 || isLocalName(host)
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

type IPv4 = ipaddr.IPv4
type IPv6 = ipaddr.IPv6

/**
 * What an IP address stands for, as far as requests go:
 * - `public`: a host of the internet;
 * - `private`: this machine, or a network that only it or its neighbours see (loopback, unspecified, RFC 1918, link-local,
 *   carrier-grade NAT, unique local);
 * - `metadata`: where clouds hand out credentials to whoever asks from inside;
 * - `never`: multicast, broadcast, reserved, documentation, tunnels: no server answers there.
 */
export type AddressKind = 'public' | 'private' | 'metadata' | 'never'

/** Addresses at which clouds answer their own machines, with keys among other things. */
const metadataAddresses = new Set([
  '168.63.129.16', // Azure
  '100.100.100.200', // Alibaba
  '192.0.0.192', // Oracle
  'fd00:ec2::254', // Amazon: instance metadata
  'fd00:ec2::23', // Amazon: pod identity
  'fd20:ce::254', // Google
  'fe80::a9fe:a9fe', // OpenStack
])

/** Amazon, Google, Azure, OpenStack and others; containers of Amazon. */
const metadataNetworks = ['169.254.169.', '169.254.170.']

const privateRanges: ReadonlySet<string> = new Set([
  'private',
  'loopback',
  'linkLocal',
  'carrierGradeNat',
  'unspecified',
  'uniqueLocal',
  'deprecatedSiteLocal',
])

/**
 * The kind of a literal address, without brackets; what cannot be parsed is `never`. IPv6 addresses that carry an IPv4 address
 * (mapped, NAT64, 6to4, compatible) are what that is: it is where they lead.
 *
 * @param address - as resolvers and `URL.hostname` write it; a zone (`%eth0`) is passed over
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function addressKind(address: string): AddressKind {
  const bare = address.replace(/%.*/s, '')
  if (!ipaddr.isValid(bare)) return 'never'
  const parsed = ipaddr.parse(bare)
  return parsed instanceof ipaddr.IPv4 ? kindOfIPv4(parsed) : kindOfIPv6(parsed as IPv6)
}

function kindOfIPv4(address: IPv4): AddressKind {
  const text = address.toString()
  if (metadataAddresses.has(text) || metadataNetworks.some((network) => text.startsWith(network)))
    return 'metadata'
  const range = address.range()
  if (range === 'unicast') return 'public'
  return privateRanges.has(range) ? 'private' : 'never'
}

function kindOfIPv6(address: IPv6): AddressKind {
  if (metadataAddresses.has(address.toString())) return 'metadata'
  const embedded = embeddedIPv4(address)
  if (embedded !== null) {
    const kind = kindOfIPv4(embedded.address)
    return kind === 'public' && !embedded.isRouted ? 'never' : kind
  }
  const range = address.range()
  if (privateRanges.has(range)) return 'private'
  return range === 'unicast' && isGlobalUnicast(address) ? 'public' : 'never'
}

/** 2000::/3, the only part of IPv6 that is given out for hosts of the internet. */
const isGlobalUnicast = ({ parts }: IPv6): boolean => (parts[0]! & 0xe000) === 0x2000

/** The IPv4 address that an IPv6 address leads to, and whether hosts of today are reached that way. */
function embeddedIPv4({ parts }: IPv6): { readonly address: IPv4; readonly isRouted: boolean } | null {
  const last = ipv4Of(parts[6]!, parts[7]!)
  const begins = (...prefix: readonly number[]): boolean => prefix.every((part, at) => parts[at] === part)
  if (begins(0, 0, 0, 0, 0, 0xffff)) return { address: last, isRouted: true } // mapped
  if (begins(0x64, 0xff9b, 0, 0, 0, 0)) return { address: last, isRouted: true } // NAT64, RFC 6052
  if (begins(0, 0, 0, 0, 0xffff, 0)) return { address: last, isRouted: false } // translated, RFC 6145
  if (begins(0x2002)) return { address: ipv4Of(parts[1]!, parts[2]!), isRouted: false } // 6to4
  const isCompatible = begins(0, 0, 0, 0, 0, 0) && (parts[6] !== 0 || parts[7]! > 1) // not :: and not ::1
  return isCompatible ? { address: last, isRouted: false } : null
}

const ipv4Of = (high: number, low: number): IPv4 =>
  new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff])
