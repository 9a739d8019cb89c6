/** A name of an attacker's, and what its resolver answers, question by question; the last answer stays. */
export type HostileName = {
  readonly trick: string
  readonly answers: readonly (readonly string[])[]
}

/** Public names that lead where they must not. */
export const hostileNames: readonly HostileName[] = [
  { trick: 'loopback', answers: [['127.0.0.1']] },
  { trick: 'loopback of IPv6', answers: [['::1']] },
  { trick: 'mapped loopback', answers: [['::ffff:127.0.0.1']] },
  { trick: 'unspecified', answers: [['0.0.0.0']] },
  { trick: 'unspecified of IPv6', answers: [['::']] },
  { trick: 'private', answers: [['10.0.0.1']] },
  { trick: 'private, after a public one', answers: [['93.184.215.14', '192.168.1.1']] },
  { trick: 'loopback, before a public one', answers: [['127.0.0.1', '93.184.215.14']] },
  { trick: 'public IPv4, loopback IPv6', answers: [['93.184.215.14', '::1']] },
  { trick: 'NAT64 of loopback', answers: [['64:ff9b::7f00:1']] },
  { trick: '6to4 of loopback', answers: [['2002:7f00:1::']] },
  { trick: 'link-local with a zone', answers: [['fe80::1%lo']] },
  { trick: 'metadata', answers: [['169.254.169.254']] },
  { trick: 'metadata of IPv6', answers: [['fd00:ec2::254']] },
  { trick: 'carrier-grade NAT', answers: [['100.64.0.1']] },
  { trick: 'multicast', answers: [['224.0.0.1']] },
  { trick: 'no address at all', answers: [['not-an-address']] },
  { trick: 'empty answer', answers: [[]] },
  { trick: 'rebinding: public, then loopback', answers: [['93.184.215.14'], ['127.0.0.1']] },
  { trick: 'rebinding: public, then metadata', answers: [['93.184.215.14'], ['169.254.169.254']] },
]

/** What resolvers answer for honest public names. */
export const honestAnswers: readonly (readonly string[])[] = [
  ['93.184.215.14'],
  ['1.1.1.1', '1.0.0.1'],
  ['2606:4700:4700::1111'],
  ['104.16.132.229', '2606:4700::6810:84e5'],
  ['8.8.8.8', '2001:4860:4860::8888'],
  ['64:ff9b::8.8.8.8'], // the only answer where a network has no IPv4
  ['52.95.110.1'],
  ['172.15.255.255', '172.32.0.1'],
  ['100.63.255.255', '100.128.0.1'],
  ['192.167.0.1', '192.169.0.1'],
  ['11.0.0.1', '9.255.255.255'],
  ['169.253.0.1', '169.255.0.1'],
]
