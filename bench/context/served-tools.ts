import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openAudition } from '../../src/compose/app.ts'
import { configFrom } from '../../src/config.ts'
import { isJsonObject, type JsonObject } from '../../src/domain/json.ts'
import { packageRoot } from '../../src/package-root.ts'
import { grantsFor } from '../../src/probing/settings/grants.ts'
import { jsonBytes } from '../../src/server/answers/fitted-answer.ts'
import { builtProgram } from '../built-program.ts'
import type { ListedTool } from './record-servers.ts'
import type { Candidate } from './requests.ts'
import { sampleArguments } from './sample-arguments.ts'
import { idOf, type NamedTool } from './schemes.ts'

/** Servers by the names that a configuration gives them. */
export type Servers = ReadonlyMap<string, readonly ListedTool[]>

/** A real `audition serve --call` over all servers, each of which is a process that lists what was recorded. */
export type ServedTools = {
  /** Bytes that a host's model is given of it: names, descriptions and inputs of its tools, and its instructions. */
  readonly listed: number
  search(
    request: string,
    k?: number,
  ): Promise<{ readonly bytes: number; readonly candidates: readonly Candidate[] }>
  /** Bytes of the answer of `describe`. */
  describe(id: string): Promise<number>
  /** Calls a tool through Audition. @returns null when the call came to it, else what was said instead */
  call(tool: NamedTool, given: JsonObject): Promise<string | null>
  close(): Promise<void>
}

/** Indexes the servers, allows all of them, and serves the index. */
export async function serveTools(servers: Servers, folder: string): Promise<ServedTools> {
  const config = join(folder, '.mcp.json')
  const program = join(packageRoot, 'bench', 'context', 'replay-server.mjs')
  mkdirSync(join(folder, 'lists'))
  const entries = [...servers].map(([name, tools]) => {
    const list = join(folder, 'lists', `${name}.json`)
    const results = tools.flatMap(({ name: tool, outputSchema }) =>
      isJsonObject(outputSchema) ? [[tool, sampleArguments(outputSchema)]] : [],
    )
    writeFileSync(list, JSON.stringify({ tools, results: Object.fromEntries(results) }))
    return [name, { command: process.execPath, args: [program, list] }] as const
  })
  writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(entries) }))
  const env = {
    AUDITION_HOME: join(folder, 'store'),
    AUDITION_SETTINGS: join(folder, 'settings.yaml'),
    PATH: process.env.PATH ?? '',
    HOME: folder,
  }
  await indexAndAllow(config, env, servers)
  const client = new Client({ name: 'bench', version: '1.0.0' })
  const args = [builtProgram, 'serve', '--call', '--no-watch']
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, cwd: folder, stderr: 'ignore' }),
  )
  const { tools } = await client.listTools()
  const own = tools.map(({ name, description, inputSchema }) => ({
    name: `mcp__audition__${name}`,
    description,
    input_schema: inputSchema,
  }))
  return {
    listed: jsonBytes(own) + Buffer.byteLength(client.getInstructions() ?? ''),
    async search(query, k) {
      const { structuredContent } = await client.callTool({
        name: 'search_tools',
        arguments: k === undefined ? { query } : { query, k },
      })
      const { candidates } = structuredContent as { readonly candidates: readonly Candidate[] }
      return { bytes: jsonBytes(structuredContent), candidates }
    },
    async describe(id) {
      const { structuredContent } = await client.callTool({ name: 'describe', arguments: { ids: [id] } })
      return jsonBytes(structuredContent)
    },
    async call(tool, given) {
      const { readOnlyHint } = (tool.tool.annotations ?? {}) as JsonObject
      const name = readOnlyHint === true ? 'call_tool' : 'call_tool_that_changes'
      const { content } = await client.callTool({ name, arguments: { id: idOf(tool), arguments: given } })
      const said = JSON.stringify(content)
      return said.includes(`called ${tool.tool.name}`) ? null : said
    },
    close: () => client.close(),
  }
}

async function indexAndAllow(
  config: string,
  env: { readonly [name: string]: string },
  servers: Servers,
): Promise<void> {
  const audition = openAudition(configFrom(env))
  try {
    await audition.index({ locations: [config] })
    const ids = [...servers].flatMap(([server, tools]) => tools.map((tool) => idOf({ server, tool })))
    const cards = await audition.cards(ids)
    const first = [...new Map(cards.toReversed().map((card) => [card.source, card])).values()]
    const probing = await audition.probing()
    const plans = await probing.plan({ cards: first, tasks: { kind: 'given', tasks: [] } })
    const add = plans.flatMap(({ launch, notRun }) =>
      notRun?.kind === 'permission' ? grantsFor(notRun.missing, launch ?? {}) : [],
    )
    await probing.changeAllow({ add })
  } finally {
    await audition.close()
  }
}
