import { parametersOf } from '../../src/catalog/formats/parameters.ts'
import type { Card } from '../../src/domain/card.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { agentCard, toolCard } from './fake-audition.ts'

const issueSchema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    owner: {
      type: 'string',
      description: 'The account that owns the repository; its name is not case sensitive.',
    },
    repo: { type: 'string', description: 'The name of the repository without the .git extension.' },
    state: { type: 'string', enum: ['open', 'closed', 'all'], description: 'Which issues to return.' },
    labels: {
      type: 'array',
      items: { type: 'string' },
      description: 'Only issues with all of these labels.',
    },
    since: { type: 'string', format: 'date-time', description: 'Only issues updated at or after this time.' },
    page: { type: 'integer', minimum: 1, description: 'Page of the results, from 1.' },
  },
  required: ['owner', 'repo'],
}

const forge = {
  server: 'forge',
  inputSchema: issueSchema,
  parameters: parametersOf(issueSchema),
  runtime: {
    kind: 'mcp',
    transport: 'stdio',
    config: '/home/someone/.mcp.json',
    server: 'forge',
    display: 'node /home/someone/servers/forge.js --token=***',
  },
} as const

/** A small catalog for tests of the server: five tools of a forge, two others, and four agents. */
export const someCards: readonly Card[] = [
  toolCard('forge/list_issues', {
    ...forge,
    description: 'List the issues of a repository. Open ones come first unless a state is given.',
    annotations: { readOnly: true },
    tags: ['issues'],
  }),
  toolCard('forge/get_issue', {
    ...forge,
    description: 'Get one issue of a repository with all its comments.',
  }),
  toolCard('forge/create_issue', {
    ...forge,
    description: 'Create an issue in a repository.',
    annotations: { readOnly: false, destructive: false },
  }),
  toolCard('forge/search_issues', {
    ...forge,
    description: 'Search the issues of every repository by words.',
  }),
  toolCard('forge/close_issue', { ...forge, description: 'Close an issue of a repository.' }),
  toolCard('weather/forecast', {
    description: 'Weather forecast for a city.',
    parameters: [{ name: 'city', description: 'Name of the city', type: 'string', required: true }],
    annotations: { readOnly: true },
  }),
  toolCard('registry/io.example/convert,pdf', {
    description: 'Convert a PDF to text.',
    outputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  }),
  agentCard('team/lease-reviewer', {
    title: 'Lease reviewer',
    description: 'Reviews a lease and lists the risky clauses.',
    tags: ['legal'],
    backbone: { name: 'Claude Sonnet 4.5', id: 'anthropic/claude-sonnet-4-5' },
    tools: [
      { name: 'read_text', description: 'Read a text file', id: 'text/read_text' },
      { name: 'word_count' },
    ],
    policy: { temperature: 0.2 },
    instructions: 'You review leases.',
    runtime: { kind: 'profile', file: '/home/someone/profiles/lease-reviewer.yaml' },
  }),
  agentCard('team/bug-hunter', {
    agentKind: 'subagent',
    description: 'Finds the cause of a bug in a repository.',
    instructions: 'You hunt bugs.',
    runtime: { kind: 'claude-subagent', file: '/home/someone/.claude/agents/bug-hunter.md' },
  }),
  agentCard('forge/forge', {
    agentKind: 'toolkit',
    description: 'Issues of a repository: list, get, create, search, close.',
    tools: ['list_issues', 'get_issue', 'create_issue', 'search_issues', 'close_issue'].map((name) => ({
      name,
      id: `forge/${name}`,
    })),
    runtime: forge.runtime,
  }),
  agentCard('remote/planner', {
    agentKind: 'a2a',
    description: 'Plans a journey.',
    runtime: {
      kind: 'a2a',
      url: 'https://agents.example/planner',
      binding: 'JSONRPC',
      protocolVersion: '1.0',
    },
  }),
]
