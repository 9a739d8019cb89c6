/** An MCP server that npm publishes, and how a person's configuration starts it. */
export type NpmServer = {
  /** As the configuration names it. */
  readonly name: string
  readonly package: string
  /** Pinned: the requests were written for the tools of this one. */
  readonly version: string
  /** Which of the package's programs. @defaultValue its only one, or the one named as the package */
  readonly program?: string
  /** `{folder}` is an empty folder. */
  readonly args?: readonly string[]
  /** Keys are made up: a server lists its tools before it needs them. */
  readonly env?: { readonly [name: string]: string }
}

const official = (name: string, version: string, rest: Partial<NpmServer> = {}): NpmServer => ({
  name,
  package: `@modelcontextprotocol/server-${name}`,
  version,
  ...rest,
})

/** Servers that answer `tools/list` with neither account nor network. */
export const npmServers: readonly NpmServer[] = [
  official('everything', '2026.8.31', { args: ['stdio'] }),
  official('filesystem', '2026.8.31', { args: ['{folder}'] }),
  official('memory', '2026.8.31'),
  official('sequential-thinking', '2026.8.31'),
  official('github', '2025.4.8', { env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'none' } }),
  official('gitlab', '2025.4.25', { env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'none' } }),
  official('slack', '2025.4.25', { env: { SLACK_BOT_TOKEN: 'none', SLACK_TEAM_ID: 'none' } }),
  official('puppeteer', '2025.5.12'),
  official('postgres', '0.6.2', { args: ['postgresql://127.0.0.1:9/none'] }),
  official('brave-search', '0.6.2', { env: { BRAVE_API_KEY: 'none' } }),
  official('google-maps', '0.6.2', { env: { GOOGLE_MAPS_API_KEY: 'none' } }),
  official('everart', '0.6.2', { env: { EVERART_API_KEY: 'none' } }),
  { name: 'playwright', package: '@playwright/mcp', version: '0.0.83', args: ['--headless'] },
  { name: 'context7', package: '@upstash/context7-mcp', version: '4.1.1' },
  {
    name: 'notion',
    package: '@notionhq/notion-mcp-server',
    version: '2.5.2',
    env: { NOTION_TOKEN: 'ntn_none' },
  },
  { name: 'firecrawl', package: 'firecrawl-mcp', version: '3.26.0', env: { FIRECRAWL_API_KEY: 'fc-none' } },
  { name: 'tavily', package: 'tavily-mcp', version: '0.2.22', env: { TAVILY_API_KEY: 'tvly-none' } },
  { name: 'exa', package: 'exa-mcp-server', version: '3.4.1', env: { EXA_API_KEY: 'none' } },
  {
    name: 'figma',
    package: 'figma-developer-mcp',
    version: '0.13.2',
    args: ['--figma-api-key=none', '--stdio'],
  },
  { name: 'sentry', package: '@sentry/mcp-server', version: '0.39.0', args: ['--access-token=none'] },
  {
    name: 'mongodb',
    package: 'mongodb-mcp-server',
    version: '3.0.4',
    env: { MDB_MCP_TELEMETRY: 'disabled' },
  },
  { name: 'kubernetes', package: 'mcp-server-kubernetes', version: '4.1.7' },
  { name: 'chrome-devtools', package: 'chrome-devtools-mcp', version: '1.11.0' },
  {
    name: 'cloudflare',
    package: '@cloudflare/mcp-server-cloudflare',
    version: '0.2.0',
    args: ['run', 'none'],
    env: { CLOUDFLARE_API_TOKEN: 'none', CLOUDFLARE_ACCOUNT_ID: 'none' },
  },
  {
    name: 'hubspot',
    package: '@hubspot/mcp-server',
    version: '0.4.0',
    env: { PRIVATE_APP_ACCESS_TOKEN: 'pat-none' },
  },
  {
    name: 'elasticsearch',
    package: '@elastic/mcp-server-elasticsearch',
    version: '0.3.1',
    env: { ES_URL: 'http://127.0.0.1:9', ES_API_KEY: 'none' },
  },
  { name: 'desktop-commander', package: '@wonderwhy-er/desktop-commander', version: '0.2.52' },
  { name: 'shopify-dev', package: '@shopify/dev-mcp', version: '1.16.0' },
  {
    name: 'airtable',
    package: 'airtable-mcp-server',
    version: '1.14.0',
    env: { AIRTABLE_API_KEY: 'pat.none' },
  },
  {
    name: 'circleci',
    package: '@circleci/mcp-server-circleci',
    version: '0.20.0',
    env: { CIRCLECI_TOKEN: 'none' },
  },
  {
    name: 'launchdarkly',
    package: '@launchdarkly/mcp-server',
    version: '0.6.2',
    args: ['start', '--api-key', 'none'],
  },
  {
    name: 'linear',
    package: '@tacticlaunch/mcp-linear',
    version: '1.4.3',
    env: { LINEAR_API_TOKEN: 'none' },
  },
  {
    name: 'mapbox',
    package: '@mapbox/mcp-server',
    version: '0.14.0',
    env: { MAPBOX_ACCESS_TOKEN: 'pk.eyJ1Ijoibm9uZSJ9.none' },
  },
  { name: 'charts', package: '@antv/mcp-server-chart', version: '0.9.10' },
  { name: 'mobile', package: '@mobilenext/mobile-mcp', version: '1.0.4' },
  { name: 'jira', package: '@aashari/mcp-server-atlassian-jira', version: '3.3.0' },
  { name: 'bitbucket', package: '@aashari/mcp-server-atlassian-bitbucket', version: '3.1.0' },
  {
    name: 'trello',
    package: '@delorenj/mcp-server-trello',
    version: '1.8.1',
    env: { TRELLO_API_KEY: 'none', TRELLO_TOKEN: 'none' },
  },
  {
    name: 'asana',
    package: '@roychri/mcp-server-asana',
    version: '1.8.0',
    env: { ASANA_ACCESS_TOKEN: 'none' },
  },
  { name: 'git', package: '@cyanheads/git-mcp-server', version: '2.15.3' },
  { name: 'pubmed', package: '@cyanheads/pubmed-mcp-server', version: '2.7.4' },
  {
    name: 'pinecone',
    package: '@pinecone-database/mcp',
    version: '0.3.0',
    env: { PINECONE_API_KEY: 'none' },
  },
  { name: 'excel', package: '@negokaz/excel-mcp-server', version: '0.12.0' },
  {
    name: 'line',
    package: '@line/line-bot-mcp-server',
    version: '0.5.0',
    env: { CHANNEL_ACCESS_TOKEN: 'none', DESTINATION_USER_ID: 'none' },
  },
]
