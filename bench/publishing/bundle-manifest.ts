import { repositoryPage, type PackageFacts } from './package-facts.ts'

/** What a person may give when the bundle is installed; an empty one counts as not given. */
const asked = {
  home: {
    type: 'string',
    title: 'Store',
    description: 'Folder or address (s3://...) of the store. Empty: the one that the command line uses',
  },
  llm: {
    type: 'string',
    title: 'Language model',
    description: 'For what you ask it for: anthropic:<model>, openai:<model>, google:<model>, ollama:<model>',
  },
  llm_key: { type: 'string', title: 'Its key', description: 'Key of the language model', sensitive: true },
} as const

/** A place that the host fills in. */
const filledIn = (name: string): string => `\${${name}}`

/**
 * The manifest of the bundle for Claude Desktop (MCPB, version 0.3). The store's library is native: a bundle is of one platform.
 *
 * @see https://github.com/modelcontextprotocol/mcpb, MANIFEST.md
 */
export const bundleManifest = (facts: PackageFacts, platform: NodeJS.Platform) => ({
  manifest_version: '0.3',
  name: 'audition',
  display_name: 'Audition',
  version: facts.version,
  description: facts.description,
  author: { name: 'Audition contributors' },
  repository: { type: 'git', url: `${repositoryPage(facts)}.git` },
  license: facts.license,
  keywords: facts.keywords,
  server: {
    type: 'node',
    entry_point: 'dist/cli/main.js',
    mcp_config: {
      command: 'node',
      args: [`${filledIn('__dirname')}/dist/cli/main.js`, 'serve', '--for', 'claude-desktop'],
      env: {
        AUDITION_HOME: filledIn('user_config.home'),
        AUDITION_LLM: filledIn('user_config.llm'),
        AUDITION_LLM_KEY: filledIn('user_config.llm_key'),
      },
    },
  },
  tools_generated: true,
  compatibility: { platforms: [platform], runtimes: { node: '>=20' } },
  user_config: Object.fromEntries(
    Object.entries(asked).map(([name, field]) => [name, { ...field, required: false, default: '' }]),
  ),
})
