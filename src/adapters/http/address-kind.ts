import ipaddr from 'ipaddr.js'

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
  ...['private', 'loopback', 'linkLocal', 'carrierGradeNat', 'unspecified'],
  ...['uniqueLocal', 'deprecatedSiteLocal'],
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
