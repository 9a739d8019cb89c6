/** A small document of each format, in our own words. */
export type Sample = {
  readonly reader: string
  readonly path: string
  readonly text: string
  /** What it gives when read, for example `2 cards`. */
  readonly gives: string
}

/** `${name}`, as configurations write what is to be filled in. */
const filledIn = (name: string) => `\${${name}}`
const json = (value: unknown): string => JSON.stringify(value, null, 2)
const lines = (...values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n')

const weigh = {
  name: 'weigh_parcel',
  description: 'Weighs a parcel',
  parameters: {
    type: 'dict',
    properties: { parcel: { type: 'string', description: 'Its number' } },
    required: ['parcel'],
  },
}

export const samples: readonly Sample[] = [
  {
    reader: 'profile-yaml',
    path: '/post/profiles/sorter.yaml',
    gives: '1 cards',
    text: `profile: audition/v1
name: letter-sorter
description: Sorts letters by district.
tags: [post]
examples: ["Sort these letters"]
backbone: { name: Small model, id: local/small }
tools:
  - { name: find_district, description: Finds the district of an address, server: post }
servers:
  post: { command: node, args: ["post.js"] }
policy: { temperature: 0 }
instructions: |
  You sort letters.
`,
  },
  {
    reader: 'claude-subagent',
    path: '/post/.claude/agents/clerk.md',
    gives: '1 cards',
    text: '---\nname: counter-clerk\ndescription: Answers questions at the counter\ntools: Read, Grep\nmodel: haiku\n---\nYou work at the counter.\n',
  },
  {
    reader: 'claude-skill',
    path: '/post/skills/stamps/SKILL.md',
    gives: '1 cards',
    text: '---\nname: stamps\ndescription: Chooses the right stamps\n---\n# Stamps\nAdd up the postage.\n',
  },
  {
    reader: 'claude-command',
    path: '/post/.claude/commands/sort.md',
    gives: '1 cards',
    text: '---\ndescription: Sorts the letters of a day\nargument-hint: [district]\nallowed-tools: Read\n---\nSort them.\n',
  },
  {
    reader: 'claude-plugin-list',
    path: '/post/installed_plugins.json',
    gives: '1 problems',
    text: json({ version: 2, plugins: { 'post@office': [{ scope: 'user', installPath: '/post' }] } }),
  },
  {
    reader: 'claude-plugin',
    path: '/post/.claude-plugin/plugin.json',
    gives: '1 cards',
    text: json({
      name: 'post',
      version: '1.0.0',
      description: 'Everything for the post',
      author: { name: 'The post' },
    }),
  },
  {
    reader: 'copilot-agent',
    path: '/post/.github/agents/courier.agent.md',
    gives: '1 cards',
    text: '---\nname: Courier\ndescription: Plans the round of a courier\ntools: ["search", "edit"]\n---\nPlan the round.\n',
  },
  {
    reader: 'agentbase-jsonl',
    path: '/post/agentbase.jsonl',
    gives: '1 cards',
    text: lines({
      agent_id: 'agt:post:1@v1',
      agent_name: 'Parcel finder',
      agent_description: 'Finds parcels that were lost',
      agent_category: 'Post',
      agent_usage: { quick_start: ['Where is my parcel?'] },
    }),
  },
  {
    reader: 'agentselect-json',
    path: '/post/agents/merge.json',
    gives: '1 cards',
    text: json({ PartII_agent_1: { M: {}, T: { tools: ['WeighParcel'] }, C: {} } }),
  },
  {
    reader: 'agent-jsonl',
    path: '/post/agents.jsonl',
    gives: '2 cards',
    text: lines(
      {
        id: 'post:clerk',
        source: 'post',
        name: 'Clerk',
        description: 'Answers questions',
        capabilities: ['counter'],
        tools: [{ name: 'look_up', description: 'Looks up a rate' }],
        model: null,
        instructions: '',
        examples: [],
        interface: { kind: 'mcp' },
      },
      {
        id: 'post:porter',
        source: 'post',
        name: 'Porter',
        description: 'Carries',
        tools: [],
        interface: { kind: 'prompt' },
      },
    ),
  },
  {
    reader: 'model-list',
    path: '/post/api.json',
    gives: '0 cards',
    text: json({
      post: {
        id: 'post',
        name: 'Post',
        models: { sorter: { id: 'sorter', name: 'Sorter', tool_call: true, cost: { input: 1, output: 2 } } },
      },
    }),
  },
  {
    reader: 'model-list',
    path: '/post/models.jsonl',
    gives: '0 cards',
    text: lines({ id: 'post/sorter', name: 'Sorter', price_in_per_m: 1, price_out_per_m: 2 }),
  },
  {
    reader: 'model-outcomes',
    path: '/post/outcomes.jsonl',
    gives: '0 cards',
    text: lines({ query: 'Sort these letters', model: 'post/sorter', score: 1 }),
  },
  {
    reader: 'toolret-jsonl',
    path: '/post/tools.jsonl',
    gives: '1 cards',
    text: lines({ id: 'post_tool_0', documentation: weigh, category: 'customized' }),
  },
  {
    reader: 'crewai-yaml',
    path: '/post/agents.yaml',
    gives: '1 cards',
    text: 'sorter:\n  role: Sorter of {kind}\n  goal: Sort every letter\n  backstory: Thirty years in the sorting room\n',
  },
  {
    reader: 'docker-agent-yaml',
    path: '/post/office.yaml',
    gives: '2 cards',
    text: `agents:
  root:
    model: openai/small
    description: Runs the office
    instruction: Run the office.
    sub_agents: [porter]
    toolsets:
      - type: mcp
        command: post-mcp
        tools: [weigh]
  porter: { model: openai/small, description: Carries parcels, instruction: Carry. }
`,
  },
  {
    reader: 'agent-framework-yaml',
    path: '/post/rates.yaml',
    gives: '1 cards',
    text: 'kind: Prompt\nname: RatesAgent\ndescription: Knows the rates\ninstructions: Say the rate.\nmodel:\n  id: small\ntools:\n  - kind: mcp\n    name: rates\n    allowedTools: [look_up]\n',
  },
  {
    reader: 'agno-agent',
    path: '/post/clerk.yaml',
    gives: '1 cards',
    text: 'name: Clerk\ndescription: Sells stamps\nmodel:\n  id: small\n  provider: OpenAI\ntools: [sell]\n',
  },
  {
    reader: 'langgraph-json',
    path: '/post/langgraph.json',
    gives: '1 cards',
    text: json({
      dependencies: ['.'],
      graphs: { counter: { path: './counter.py:graph', description: 'Counts letters' } },
    }),
  },
  {
    reader: 'lobe-agent',
    path: '/post/lobe/philatelist.json',
    gives: '1 cards',
    text: json({
      author: 'post',
      identifier: 'philatelist',
      config: {
        systemRole: 'You know stamps.',
        plugins: ['album'],
        openingQuestions: ['What is this stamp worth?'],
      },
      meta: { title: 'Philatelist', description: 'Values stamps', tags: ['stamps'] },
    }),
  },
  {
    reader: 'known-refusals',
    path: '/post/tasks.yaml',
    gives: '1 problems',
    text: 'sorting:\n  description: Sort\n  expected_output: Sorted letters\n  agent: sorter\n',
  },
  {
    reader: 'ai-catalog',
    path: '/post/ai-catalog.json',
    gives: '3 cards',
    text: json({
      specVersion: '1.0',
      host: { displayName: 'Post' },
      entries: [
        {
          identifier: 'urn:air:post.test:mcp:scales',
          displayName: 'Scales',
          type: 'application/mcp-server-card+json',
          description: 'Weighs and frees parcels',
          data: { name: 'scales', tools: [{ name: 'weigh', inputSchema: { type: 'object' } }] },
        },
        {
          identifier: 'urn:air:post.test:agent:tracker',
          displayName: 'Tracker',
          type: 'application/a2a-agent-card+json',
          description: 'Follows parcels',
          url: 'https://post.test/agent.json',
        },
      ],
    }),
  },
  {
    reader: 'a2a-card',
    path: '/post/.well-known/agent-card.json',
    gives: '1 cards',
    text: json({
      name: 'Tracker',
      description: 'Follows parcels',
      version: '1.0.0',
      supportedInterfaces: [
        { url: 'https://post.test/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ],
      capabilities: { streaming: true },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [
        {
          id: 'track',
          name: 'Track',
          description: 'Says where it is',
          tags: ['parcel'],
          examples: ['Where is it?'],
        },
      ],
    }),
  },
  {
    reader: 'mcp-server-json',
    path: '/post/server.json',
    gives: '1 cards',
    text: json({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'test.post/parcels',
      description: 'Parcels over MCP',
      version: '1.0.0',
      packages: [
        {
          registryType: 'npm',
          identifier: 'parcels',
          environmentVariables: [{ name: 'POST_KEY', isSecret: true }],
        },
      ],
      remotes: [{ type: 'streamable-http', url: 'https://post.test/mcp' }],
    }),
  },
  {
    reader: 'mcp-registry-list',
    path: '/post/registry.json',
    gives: '2 cards',
    text: json({
      servers: [
        {
          server: { name: 'test.post/parcels', description: 'Parcels', version: '1.0.0', packages: [] },
          _meta: {},
        },
        {
          server: { name: 'test.post/stamps', description: 'Stamps', version: '1.0.0', remotes: [] },
          _meta: {},
        },
      ],
    }),
  },
  {
    reader: 'docker-mcp',
    path: '/post/servers/scales/server.yaml',
    gives: '1 cards',
    text: 'name: scales\nimage: mcp/scales\ntype: server\nmeta:\n  category: post\n  tags: [weight]\nabout:\n  title: Scales\n  description: Weighs parcels\nsource:\n  project: https://github.com/post/scales\n',
  },
  {
    reader: 'docker-mcp',
    path: '/post/servers/scales/tools.json',
    gives: '1 cards',
    text: json([
      {
        name: 'weigh',
        description: 'Weighs',
        arguments: [{ name: 'parcel', type: 'string', desc: 'Its number' }],
      },
    ]),
  },
  {
    reader: 'openapi',
    path: '/post/openapi.yaml',
    gives: '2 cards',
    text: `openapi: 3.0.3
info: { title: Post, version: 1.0.0 }
servers: [{ url: 'https://api.post.test/{version}', variables: { version: { default: v1 } } }]
paths:
  /parcels/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }
    get:
      summary: Find a parcel
      responses: { '200': { content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } } } }
    put:
      operationId: change
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } } }
components:
  schemas:
    Id: { type: string }
    Parcel: { type: object, properties: { id: { $ref: '#/components/schemas/Id' }, inner: { $ref: '#/components/schemas/Parcel' } } }
`,
  },
  {
    reader: 'openai-functions',
    path: '/post/functions.json',
    gives: '1 cards',
    text: json([{ type: 'function', function: weigh }]),
  },
  {
    reader: 'mcp-tools-list',
    path: '/post/scales.json',
    gives: '2 cards',
    text: json({ tools: [{ name: 'weigh', description: 'Weighs', inputSchema: { type: 'object' } }] }),
  },
  {
    reader: 'livemcpbench',
    path: '/post/bench/tools.json',
    gives: '2 cards',
    text: json([
      {
        name: 'Scales',
        description: 'Weighs parcels',
        config: { mcpServers: { scales: { command: 'scales' } } },
        category: 'Post',
        tools: {
          scales: { tools: [{ name: 'weigh', description: 'Weighs', inputSchema: { type: 'object' } }] },
        },
      },
    ]),
  },
  {
    reader: 'host-config',
    path: '/post/.mcp.json',
    gives: '2 servers',
    text: json({
      mcpServers: {
        scales: { command: 'node', args: ['scales.js'], env: { POST_KEY: filledIn('POST_KEY') } },
        tracker: {
          type: 'http',
          url: 'https://post.test/mcp',
          headers: { Authorization: `Bearer ${filledIn('POST_TOKEN')}` },
        },
      },
    }),
  },
]
