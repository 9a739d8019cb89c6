import { existsSync, readdirSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readers, recognise, unknownFormat } from '../../src/catalog/readers.ts'
import { openDocument } from '../../src/catalog/source-document.ts'

/** Genuine files of each format, as published. They stay outside the project; without them these tests skip. */
const folder = fileURLToPath(new URL('../../../shared/data/formats/', import.meta.url))
const isPresent = existsSync(folder)
const filesPresent = !isPresent
  ? []
  : readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, `${entry.parentPath}/${entry.name}`).split(sep).join('/'))

type Row = {
  readonly file: string
  readonly reader: string
  /** Kind and name of each card, in order. */
  readonly cards?: readonly string[]
  /** Fields of the first card that show that it was understood. */
  readonly first?: object
  /** Names of the servers to harvest, in order. */
  readonly servers?: readonly string[]
  /** Severity and field of each problem; every problem has file, message and remedy. */
  readonly problems?: readonly string[]
}

const a2a = (name: string) => [`a2a ${name}`]
const tools = (...names: readonly string[]) => names.map((name) => `tool ${name}`)

const rows: readonly Row[] = [
  {
    file: 'a2a-agent-card/anybrowse.v0_2_1.json',
    reader: 'a2a-card',
    cards: a2a('anybrowse'),
    first: {
      tools: [{ name: 'Web Scraping' }, { name: 'Search and Crawl' }, { name: 'Web Search' }],
      publisher: 'anybrowse',
      runtime: { kind: 'a2a', url: 'https://anybrowse.dev', binding: 'JSONRPC', protocolVersion: '0.2.1' },
      tags: expect.arrayContaining(['web-scraping', 'serp', 'autonomous']),
    },
  },
  {
    file: 'a2a-agent-card/currency-agent.v0_3.json',
    reader: 'a2a-card',
    cards: a2a('Currency Conversion Agent'),
    first: { examples: ['Helps with currency conversions'], runtime: { protocolVersion: '0.3.0' } },
  },
  {
    file: 'a2a-agent-card/geospatial-route-planner.v1_0.json',
    reader: 'a2a-card',
    cards: a2a('GeoSpatial Route Planner Agent'),
    first: {
      runtime: {
        url: 'https://georoute-agent.example.com/a2a/v1',
        binding: 'JSONRPC',
        protocolVersion: '1.0',
      },
      details: { version: '1.2.0', authentication: 'google' },
      tools: { length: 2 },
      examples: { length: 4 },
    },
  },
  {
    file: 'a2a-agent-card/opspawn.v0_3.json',
    reader: 'a2a-card',
    cards: a2a('OpSpawn AI Agent'),
    first: { tools: { length: 7 }, publisher: 'OpSpawn' },
  },
  {
    file: 'a2a-agent-card/planner-agent.v0_2.json',
    reader: 'a2a-card',
    cards: a2a('Langraph Planner Agent'),
    first: { runtime: { url: 'http://localhost:10102/', protocolVersion: '0.2' }, tags: ['planner'] },
  },
  {
    file: 'agents-yaml/agent-framework.MicrosoftLearnAgent.yaml',
    reader: 'agent-framework-yaml',
    cards: ['profile MicrosoftLearnAgent'],
    first: { tools: [{ name: 'microsoft_docs_search' }] },
  },
  { file: 'agents-yaml/agno.agent_dir.yaml', reader: 'known-refusals', problems: ['error base_agent'] },
  { file: 'agents-yaml/agno.agentos_config.yaml', reader: 'known-refusals', problems: ['error manifest'] },
  {
    file: 'agents-yaml/crewai-llm.agents.yaml',
    reader: 'crewai-yaml',
    cards: ['profile researcher', 'profile reporting_analyst'],
  },
  {
    file: 'agents-yaml/crewai.agents.yaml',
    reader: 'crewai-yaml',
    cards: ['profile researcher', 'profile reporting_analyst'],
    first: { description: expect.stringContaining('cutting-edge developments') },
  },
  {
    file: 'agents-yaml/crewai.tasks.yaml',
    reader: 'known-refusals',
    problems: ['error research_task.expected_output'],
  },
  {
    file: 'agents-yaml/docker-agent.k8s_debugger.yaml',
    reader: 'docker-agent-yaml',
    cards: ['profile docker-agent.k8s_debugger'],
    first: { backbone: { name: 'openai/gpt-5' }, tools: expect.arrayContaining([{ name: 'kubectl_get' }]) },
  },
  {
    file: 'agents-yaml/docker-agent.writing_team.yaml',
    reader: 'docker-agent-yaml',
    cards: ['profile docker-agent.writing_team', 'profile english_editor', 'profile french_translator'],
    first: { backbone: { name: 'claude-sonnet-4-0' } },
  },
  {
    file: 'claude-plugin/account-research.SKILL.md',
    reader: 'claude-skill',
    cards: ['skill account-research'],
    first: { instructions: expect.stringContaining('#') },
  },
  {
    file: 'claude-plugin/sales.plugin.json',
    reader: 'claude-plugin',
    cards: ['toolkit sales'],
    first: { publisher: 'Anthropic', details: { version: '1.3.0' } },
  },
  {
    file: 'claude-subagent/accessibility-tester.md',
    reader: 'claude-subagent',
    cards: ['subagent accessibility-tester'],
    first: { tools: { length: 4 }, backbone: { name: 'haiku' } },
  },
  {
    file: 'claude-subagent/invalid-yaml.assumption-mapping.md',
    reader: 'claude-subagent',
    cards: ['subagent assumption-mapping'],
    first: { tools: { length: 7 } },
    problems: ['warning description (line 3)'],
  },
  {
    file: 'claude-subagent/invalid-yaml.data-analyst.md',
    reader: 'claude-subagent',
    cards: ['subagent data-analyst'],
    first: { examples: { length: 3 }, tools: { length: 5 } },
    problems: ['warning description (line 4)'],
  },
  {
    file: 'claude-subagent/marketing-attribution-analyst.md',
    reader: 'claude-subagent',
    cards: ['subagent marketing-attribution-analyst'],
    first: { examples: { length: 3 }, description: expect.not.stringContaining('<example>') },
  },
  {
    file: 'claude-subagent/marketing-weibo-strategist.md',
    reader: 'claude-subagent',
    cards: ['subagent Weibo Strategist'],
    first: { backbone: null, tools: [] },
  },
  {
    file: 'claude-subagent/observability-engineer.md',
    reader: 'claude-subagent',
    cards: ['subagent observability-monitoring-observability-engineer'],
    first: { backbone: null, runtime: { kind: 'claude-subagent' } },
  },
  {
    file: 'copilot-agent/arm-migration.agent.md',
    reader: 'copilot-agent',
    cards: ['subagent arm-migration-agent'],
    first: { tools: expect.arrayContaining([{ name: 'skopeo' }]) },
  },
  {
    file: 'copilot-agent/devops-expert.agent.md',
    reader: 'copilot-agent',
    cards: ['subagent DevOps Expert'],
    first: { tools: { length: 7 } },
  },
  {
    file: 'docker-mcp/brave.server.yaml',
    reader: 'docker-mcp',
    cards: ['toolkit brave'],
    first: { title: 'Brave Search', publisher: 'brave', details: { settings: 'BRAVE_API_KEY' } },
  },
  {
    file: 'docker-mcp/cylera-mcp-server.tools.json',
    reader: 'docker-mcp',
    cards: tools(
      'get_device',
      'get_procedures',
      'get_device_attributes',
      'get_risk_mitigations',
      'get_subnets',
      'get_vulnerabilities',
      'search_for_devices',
    ),
    first: { server: 'cylera-mcp-server', key: 'cylera-mcp-server/get_device' },
  },
  { file: 'livemcpbench/annotation.sample.json', reader: 'livemcpbench', problems: ['error [0].Question'] },
  {
    file: 'livemcpbench/tools.sample.json',
    reader: 'livemcpbench',
    cards: [
      ...tools('bing_search', 'fetch_webpage'),
      'toolkit bing-cn-mcp',
      ...tools('get_transcript'),
      'toolkit youtube-transcript',
    ],
    first: {
      server: 'bing-cn-mcp',
      tags: ['Discovery'],
      parameters: [
        { name: 'query', type: 'string', required: true },
        { name: 'num_results', type: 'number', required: false },
      ],
    },
  },
  {
    file: 'lobe-agent/bilibili-agent.json',
    reader: 'lobe-agent',
    cards: ['listing bilibili-agent'],
    first: { tools: [{ name: 'bilibili' }], examples: { length: 7 } },
  },
  {
    file: 'mcp-client-config/many-remotes.mcp.json',
    reader: 'host-config',
    servers: [
      'slack',
      'hubspot',
      'close',
      'monday',
      'clay',
      'zoominfo',
      'notion',
      'atlassian',
      'fireflies',
      'apollo',
      'outreach',
      'similarweb',
    ],
    problems: ['error mcpServers.google calendar.url', 'error mcpServers.gmail.url'],
  },
  { file: 'mcp-client-config/plugin-bare.mcp.json', reader: 'host-config', servers: ['github'] },
  { file: 'mcp-client-config/plugin-context7.mcp.json', reader: 'host-config', servers: ['context7'] },
  { file: 'mcp-client-config/project.mcp.json', reader: 'host-config', servers: ['linear', 'neon'] },
  { file: 'mcp-client-config/vscode.mcp.json', reader: 'host-config', servers: ['github-agentic-workflows'] },
  {
    file: 'mcp-server-json/filesystem.2025-07-09.json',
    reader: 'mcp-server-json',
    cards: ['toolkit filesystem'],
    first: {
      key: 'io.github.modelcontextprotocol/filesystem',
      details: { packages: 'npm @modelcontextprotocol/server-filesystem 1.0.2, oci mcp/filesystem 1.0.2' },
    },
  },
  {
    file: 'mcp-server-json/github-mcp-server.2025-10-17.json',
    reader: 'mcp-server-json',
    cards: ['toolkit github-mcp-server'],
    first: { title: 'GitHub MCP Server', publisher: 'io.github.github' },
  },
  {
    file: 'mcp-server-json/seed-2025-05.alibabacloud-adb-mysql.json',
    reader: 'mcp-server-json',
    cards: ['toolkit alibabacloud-adb-mysql-mcp-server'],
    first: { details: { version: '0.0.1-seed', packages: 'pypi adb-mysql-mcp-server 1.0.0' } },
  },
  {
    file: 'mcp-server-json/server.schema.2025-12-11.json',
    reader: 'known-refusals',
    problems: ['error $schema'],
  },
  {
    file: 'mcp-server-json/with-package.2025-12-11.json',
    reader: 'mcp-server-json',
    cards: ['toolkit local-weather'],
    first: { details: { version: '1.0.0', settings: 'API_KEY (required)' } },
  },
  {
    file: 'mcp-server-json/with-remote.2025-12-11.json',
    reader: 'mcp-server-json',
    cards: ['toolkit remote-weather'],
    first: { title: 'Remote Weather', details: { remotes: 'streamable-http https://{host}/mcp' } },
  },
  {
    file: 'openai-functions/ticket_api.jsonl',
    reader: 'openai-functions',
    cards: tools(
      'close_ticket',
      'create_ticket',
      'edit_ticket',
      'get_ticket',
      'get_user_tickets',
      'logout',
      'resolve_ticket',
      'ticket_get_login_status',
      'ticket_login',
    ),
    first: { inputSchema: { type: 'object' }, outputSchema: { type: 'object' } },
  },
  {
    file: 'openai-functions/tools.get_current_weather.json',
    reader: 'openai-functions',
    cards: tools('get_current_weather'),
    first: {
      parameters: [
        { name: 'location', required: true },
        { name: 'unit', required: false },
      ],
    },
  },
  {
    file: 'openapi/petstore-expanded.v3_0.yaml',
    reader: 'openapi',
    cards: tools('findPets', 'addPet', 'find pet by id', 'deletePet'),
    first: {
      server: 'Swagger Petstore',
      annotations: { readOnly: true },
      runtime: { kind: 'http', method: 'GET', url: 'https://petstore.swagger.io/v2/pets' },
    },
  },
  {
    file: 'openapi/tictactoe.v3_1.json',
    reader: 'openapi',
    cards: tools('get-board', 'get-square', 'put-square'),
    first: { tags: ['Gameplay'], outputSchema: { properties: { winner: { $ref: '#/$defs/winner' } } } },
    problems: ['warning servers'],
  },
  {
    file: 'openapi/uspto.v3_0.json',
    reader: 'openapi',
    cards: tools('list-data-sets', 'list-searchable-fields', 'perform-search'),
    first: { runtime: { url: 'https://developer.uspto.gov/ds-api/' }, publisher: 'Open Data Portal' },
  },
  {
    file: 'openapi/xkcd.v3_0.yaml',
    reader: 'openapi',
    cards: tools('get_info_0_json', 'get_by_comicId_info_0_json'),
    first: { outputSchema: { properties: { safe_title: { type: 'string' } } } },
  },
]

/** Files that stand there and hold neither agents nor tools. */
const notCatalogs = ['SOURCES.md']

const documentOf = (file: string) => openDocument(`${folder}${file}`, file)

describe.skipIf(!isPresent)(`genuine files${isPresent ? '' : ' (skipped: data not present)'}`, () => {
  test('each file has its row, and each row its file', () => {
    expect([...rows.map(({ file }) => file), ...notCatalogs].sort()).toEqual([...filesPresent].sort())
  })

  test.each(rows)('$file is read by $reader', ({ file, reader, cards, first, servers, problems }) => {
    const document = documentOf(file)
    expect(recognise(document)?.name).toBe(reader)
    const result = recognise(document)!.read(document)
    expect(
      result.cards.map((card) => `${card.kind === 'agent' ? card.agentKind : 'tool'} ${card.name}`),
    ).toEqual(cards ?? [])
    if (first !== undefined) expect(result.cards[0]).toMatchObject(first)
    expect(result.servers.map(({ name }) => name)).toEqual(servers ?? [])
    expect(result.problems.map(({ severity, field }) => `${severity} ${field}`)).toEqual(problems ?? [])
    for (const problem of result.problems) {
      expect(problem).toMatchObject({
        file,
        message: expect.stringMatching(/\S/),
        remedy: expect.stringMatching(/\S/),
      })
    }
  })

  test.each(rows)(
    '$file is claimed by no other reader, so the order of the table cannot matter',
    ({ file, reader }) => {
      const document = documentOf(file)
      expect(readers.filter((each) => each.recognises(document)).map(({ name }) => name)).toEqual([reader])
    },
  )

  test.each(notCatalogs)('%s is of no known format', (file) => {
    expect(recognise(documentOf(file))).toBeUndefined()
    expect(unknownFormat(documentOf(file))).toMatchObject({ severity: 'error', file })
  })
})
