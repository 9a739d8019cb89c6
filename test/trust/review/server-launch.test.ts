import { describe, expect, test } from 'vitest'
import { launchFacts } from '../../../src/trust/review/known-servers.ts'
import type { McpServerEntry } from '../../../src/catalog/ports.ts'

const entry = (launch: Partial<McpServerEntry['launch']> = {}, name = 'notes'): McpServerEntry => ({
  name,
  config: '/home/ann/mcp.json',
  disabled: false,
  launch: {
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'notes-mcp', '--api-key', 'abcdef123456'],
    env: { GITHUB_TOKEN: 'ghp_0123456789abcdefghij', LANG: 'de', BASE_URL: 'https://ann:pw@notes.example' },
    ...launch,
  } as McpServerEntry['launch'],
})

describe('how a server is started, in facts', () => {
  test('shows the command and what chooses code, and no secret', () => {
    expect(launchFacts(entry(), false).split('\n')).toEqual([
      'stdio npx -y notes-mcp --api-key ***',
      'env BASE_URL=https://***@notes.example',
      'env GITHUB_TOKEN',
      'env LANG',
    ])
    const http = entry({
      transport: 'http',
      url: 'https://x.example/mcp?token=abc',
      headers: { 'X-Api-Key': 'abcd' },
    })
    expect(launchFacts(http, false)).toBe('http https://x.example/mcp?token=***\nheader x-api-key')
  })

  test.each<{ why: string; launch: object; same: boolean; name?: string }>([
    { why: 'another name of the entry', launch: {}, name: 'mine', same: true },
    {
      why: 'another package',
      launch: { args: ['-y', 'n0tes-mcp', '--api-key', 'abcdef123456'] },
      same: false,
    },
    { why: 'another key', launch: { args: ['-y', 'notes-mcp', '--api-key', 'zzzzzz'] }, same: true },
    { why: 'code loaded before', launch: { env: { NODE_OPTIONS: '--require /tmp/x.js' } }, same: false },
  ])('$why: the same server is $same', ({ launch, same, name }) => {
    expect(launchFacts(entry(launch, name), false) === launchFacts(entry(), false)).toBe(same)
  })

  test('a rotated token in the environment is the same server', () => {
    const env = (token: string) => ({ env: { GITHUB_TOKEN: token, LANG: 'de' } })
    expect(launchFacts(entry(env('ghp_1')), false)).toBe(launchFacts(entry(env('ghp_2')), false))
  })

  test('the folder counts for a command that depends on it', () => {
    const moved = { ...entry(), config: '/tmp/mcp.json' }
    expect(launchFacts(moved, true)).not.toBe(launchFacts(entry(), true))
    expect(launchFacts(moved, false)).toBe(launchFacts(entry(), false))
  })
})
