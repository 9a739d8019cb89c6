import { expect, test } from 'vitest'
import { locationsMeant, looksBundled } from '../../../src/catalog/bundled-parts.ts'
import { defaultTrust } from '../../../src/trust/standing.ts'

const catalog = '/opt/audition/catalog'

test.each([
  { why: 'a server of the bundled catalog', location: 'bundled:servers#calendar', trust: 'trusted' },
  { why: 'a server elsewhere', location: '/home/me/.mcp.json#calendar', trust: 'untrusted' },
  { why: 'a server at a path of the catalog', location: `${catalog}/mcp.json#x`, trust: 'untrusted' },
  {
    why: 'a folder named after the catalog',
    location: '/tmp/bundled:servers/mcp.json#x',
    trust: 'untrusted',
  },
])('changes of $why are $trust', ({ location, trust }) => {
  expect(defaultTrust({ location, isLive: true })).toBe(trust)
})

test.each([
  { why: 'a folder that begins like it', location: `${catalog}-of-others/mcp.json#x` },
  { why: 'a way out of it', location: `${catalog}/../../../tmp/mcp.json#x` },
  {
    why: 'a server elsewhere whose name leads into it',
    location: `/tmp/mcp.json#/../../opt/audition/catalog/mcp.json#x`,
  },
])('$why is not taken for the bundled catalog', ({ location }) => {
  expect(looksBundled(location)).toBe(false)
  expect(locationsMeant(location, catalog)).toEqual([location])
})
