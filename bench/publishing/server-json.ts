import { imageName, type PackageFacts, repositoryPage } from './package-facts.ts'

/** A bundle that lies at the release of this version. */
export type ReleasedBundle = { readonly file: string; readonly sha256: string }

const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** Settings that a person may want to give; docs/guide.md has them all. */
const variables: readonly { readonly name: string; readonly description: string }[] = [
  {
    name: 'AUDITION_HOME',
    description: 'Folder or address (s3://...) of the store. Default: your data folder',
  },
  {
    name: 'AUDITION_SETTINGS',
    description: 'File that says what may be started, its limits and prices. Default: settings.yaml',
  },
  {
    name: 'AUDITION_LLM',
    description: 'Language model for what you ask it for, such as anthropic:<model> or ollama:<model>',
  },
  { name: 'AUDITION_LLM_KEY', description: 'Key of that language model' },
  { name: 'AUDITION_MODEL', description: 'Embedding model in place of the built-in one' },
  { name: 'AUDITION_MODEL_KEY', description: 'Key of an embedding model that others run' },
  { name: 'AUDITION_RERANKER', description: 'What reranks the first candidates. Default: nothing' },
  { name: 'AUDITION_RERANKER_KEY', description: 'Key of a reranker that others run' },
]

/** `server.json`: what the MCP registry knows of Audition. Bundles have their hash only once they are built. */
export function serverJson(facts: PackageFacts, bundles: readonly ReleasedBundle[] = []): object {
  const { name, version, mcpName } = facts
  const environmentVariables = variables.map((one) => ({
    ...one,
    ...(one.name.endsWith('_KEY') ? { isSecret: true } : {}),
  }))
  const started = {
    transport: { type: 'stdio' },
    packageArguments: [{ type: 'positional', value: 'serve' }],
    environmentVariables,
  }
  const mount = { type: 'named', name: '--volume', value: 'audition:/data' }
  return {
    $schema: schema,
    name: mcpName,
    title: 'Audition',
    description: 'Finds the agent or tool for a job among all that you have, and proves it by running it.',
    repository: { url: repositoryPage(facts), source: 'github' },
    version,
    packages: [
      {
        registryType: 'npm',
        registryBaseUrl: 'https://registry.npmjs.org',
        identifier: name,
        version,
        runtimeHint: 'npx',
        ...started,
      },
      {
        registryType: 'oci',
        identifier: `${imageName(facts)}:${version}`,
        runtimeHint: 'docker',
        runtimeArguments: [mount],
        ...started,
      },
      ...bundles.map(({ file, sha256 }) => ({
        registryType: 'mcpb',
        identifier: `${repositoryPage(facts)}/releases/download/v${version}/${file}`,
        fileSha256: sha256,
        transport: { type: 'stdio' },
      })),
    ],
  }
}
