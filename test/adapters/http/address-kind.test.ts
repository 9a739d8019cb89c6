import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AddressKind, addressKind } from '../../../src/adapters/http/reach.ts'

test.each<{ address: string; kind: AddressKind }>([
  { address: '8.8.8.8', kind: 'public' },
  { address: '172.15.255.255', kind: 'public' },
  { address: '172.32.0.0', kind: 'public' },
  { address: '172.31.255.255', kind: 'private' },
  { address: '100.64.0.0', kind: 'private' },
  { address: '100.128.0.0', kind: 'public' },
  { address: '0.0.0.0', kind: 'private' },
  { address: '169.254.1.1', kind: 'private' },
  { address: '169.254.169.254', kind: 'metadata' },
  { address: '168.63.129.16', kind: 'metadata' },
  { address: '224.0.0.1', kind: 'never' },
  { address: '192.0.2.1', kind: 'never' },
  { address: '2606:4700::1111', kind: 'public' },
  { address: '::', kind: 'private' },
  { address: '::1', kind: 'private' },
  { address: 'fe80::1%eth0', kind: 'private' },
  { address: 'fec0::1', kind: 'private' },
  { address: 'fd00:ec2::254', kind: 'metadata' },
  { address: '::ffff:169.254.169.254', kind: 'metadata' },
  { address: '::ffff:8.8.8.8', kind: 'public' },
  { address: '64:ff9b::8.8.8.8', kind: 'public' },
  { address: '64:ff9b::10.0.0.1', kind: 'private' },
  { address: '64:ff9b:1::808:808', kind: 'never' },
  { address: '2002:7f00:1::', kind: 'private' },
  { address: '2002:808:808::', kind: 'never' },
  { address: '::808:808', kind: 'never' },
  { address: '4000::1', kind: 'never' },
  { address: 'localhost', kind: 'never' },
  { address: '', kind: 'never' },
])('$address is $kind', ({ address, kind }) => {
  expect(addressKind(address)).toBe(kind)
})

const byte = fc.nat(255)

test('whatever is written into the inner networks of IPv4 is never public, in any IPv6 wrapping', () => {
  const inner = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
    fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
    fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
    fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
  )
  const wrap = fc.constantFrom(
    (text: string) => text,
    (text: string) => `::ffff:${text}`,
    (text: string) => `64:ff9b::${text}`,
    (text: string) => `::ffff:0:${text}`,
    (text: string) => `::${text}`,
    (text: string) => {
      const [a, b, c, d] = text.split('.').map(Number) as [number, number, number, number]
      return `2002:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}::1`
    },
  )
  fc.assert(
    fc.property(inner, wrap, (parts, wrapped) => {
      expect(addressKind(wrapped(parts.join('.')))).not.toBe('public')
    }),
  )
})

test('any text has a kind', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.ipV4Extended(), fc.ipV6()), (text) => {
      expect(['public', 'private', 'metadata', 'never']).toContain(addressKind(text))
    }),
  )
})
