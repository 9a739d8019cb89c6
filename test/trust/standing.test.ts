import { describe, expect, test } from 'vitest'
import type { SourceState } from '../../src/store/source-state.ts'
import { readers } from '../../src/catalog/readers.ts'
import {
  catalogReaders,
  changesStanding,
  standingOf,
  standingsOf,
  storedStanding,
} from '../../src/trust/standing.ts'

const state = (parts: Partial<SourceState>): SourceState => ({
  id: 'one',
  location: '/home/ann/agents',
  reader: 'claude-subagent',
  indexedAt: null,
  tools: 1,
  agents: 0,
  problems: [],
  ...parts,
})

describe('the standing of a source', () => {
  test.each([
    {
      why: 'a server of a host',
      location: '/home/ann/.mcp.json#github',
      reader: 'mcp-server',
      is: 'installed',
    },
    {
      why: "a folder of the user's",
      location: '/home/ann/agents',
      reader: 'claude-subagent',
      is: 'installed',
    },
    { why: 'a folder of several formats', location: '/home/ann/agents', reader: 'mixed', is: 'installed' },
    {
      why: 'a file of functions',
      location: '/home/ann/tools.json',
      reader: 'openai-functions',
      is: 'installed',
    },
    { why: 'the bundled catalog', location: 'bundled:profiles', reader: 'profile-yaml', is: 'installed' },
    {
      why: 'an address',
      location: 'https://example.org/.well-known/agent.json',
      reader: 'a2a-card',
      is: 'stranger',
    },
    {
      why: 'a list of a registry',
      location: '/data/servers.json',
      reader: 'mcp-registry-list',
      is: 'stranger',
    },
    { why: 'a registry of images', location: '/data/registry', reader: 'docker-mcp', is: 'stranger' },
    { why: 'a benchmark', location: '/data/web.jsonl', reader: 'toolret-jsonl', is: 'stranger' },
  ])('$why is $is', ({ location, reader, is }) => {
    expect(standingOf({ location, reader }, undefined)).toBe(is)
  })

  test('is what the user says of it', () => {
    const [own, dump] = [state({}), state({ reader: 'toolret-jsonl' })]
    expect(standingOf(dump, 'trusted')).toBe('accepted')
    expect(standingOf(dump, 'untrusted')).toBe('distrusted')
    expect(standingOf(own, 'trusted')).toBe('installed')
    expect(standingOf(own, 'untrusted')).toBe('distrusted')
  })

  test.each([
    { why: 'a place of its own', parts: {}, is: 'installed' },
    {
      why: 'a live server, untrusted by default',
      parts: { reader: 'mcp-server', trust: 'untrusted' },
      is: 'installed',
    },
    { why: 'a folder that the user distrusted', parts: { trust: 'untrusted' }, is: 'distrusted' },
    { why: 'an address', parts: { location: 'https://example.org/a', trust: 'untrusted' }, is: 'stranger' },
    {
      why: 'an address that the user trusted',
      parts: { location: 'https://example.org/a', trust: 'trusted' },
      is: 'accepted',
    },
    { why: 'a dump', parts: { reader: 'livemcpbench', trust: 'trusted' }, is: 'stranger' },
    {
      why: 'what a newer store says',
      parts: { reader: 'livemcpbench', standing: 'accepted' },
      is: 'accepted',
    },
  ] as const)('in a store of an older Audition $why is $is', ({ parts, is }) => {
    expect(storedStanding(state(parts))).toBe(is)
    expect(standingsOf([state(parts)])('one')).toBe(is)
  })

  test('is installed for a source that is not known', () => {
    expect(standingsOf([])('nobody')).toBe('installed')
  })

  test('changes only of sources that were there, and to another standing', () => {
    const dump = state({ reader: 'toolret-jsonl' })
    expect(changesStanding([dump], [{ ...dump, standing: 'accepted' }])).toBe(true)
    expect(changesStanding([dump], [{ ...dump, standing: 'stranger' }])).toBe(false)
    expect(changesStanding([], [dump])).toBe(false)
  })
})

test('the readers of catalogs are readers', () => {
  const known = new Set(readers.map(({ name }) => name))
  expect([...catalogReaders].filter((name) => !known.has(name))).toEqual([])
})
