import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aiSdk } from '../../../src/evaluation/host-rankers/word-rankers.ts'
import { claudeCode } from '../../../src/evaluation/host-rankers/claude-code.ts'
import type { SearchedTool } from '../../../src/evaluation/host-rankers/host-ranker.ts'
import { generatedRequests } from '../../../src/evaluation/findability/generate-requests.ts'
import { typicalCatalog } from '../../../src/evaluation/findability/own-tools.ts'
import { packageRoot } from '../../../src/package-root.ts'

/** The rankers of hosts, beside the hosts: packages that `npm run host-examples` installs. */
const sdks = join(packageRoot, 'examples', 'hosts')
const lacks = (name: string) => !existsSync(join(sdks, 'node_modules', name))
const load = (path: string): Promise<Loaded> => import(join(sdks, path)) as Promise<Loaded>
// biome-ignore lint/suspicious/noExplicitAny: no SDK is a dependency, so none of their types are known here.
type Loaded = any

const catalog = typicalCatalog(join(packageRoot, 'evals', 'typical', 'tools.jsonl'))
const callable = ({ name }: SearchedTool): string => name.replace(/[^\w-]/g, '_')
/** In an object each name is there once. */
const named = catalog.filter(
  (tool, at) => catalog.findIndex((one) => callable(one) === callable(tool)) === at,
)
const requests = catalog.flatMap((tool) => generatedRequests(tool).slice(0, 1))
const shown = 20

describe.skipIf(lacks('ai'))('AI SDK 7', () => {
  test('finds the same tools in the same order', async () => {
    const { generateText, jsonSchema, stepCountIs, tool, toolSearch } = await load(
      'node_modules/ai/dist/index.js',
    )
    const { MockLanguageModelV4 } = await load('node_modules/ai/dist/test/index.js')
    const search = aiSdk.over(named)
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
    for (const query of requests) {
      const call = { type: 'tool-call', toolCallId: '1', toolName: 'find', input: JSON.stringify({ query }) }
      const model = new MockLanguageModelV4({
        doGenerate: { content: [call], finishReason: { unified: 'tool-calls' }, usage, warnings: [] },
      })
      const deferred = named.map((one) => {
        const { description } = one
        return [callable(one), tool({ description, inputSchema: jsonSchema({}), deferLoading: true })]
      })
      const tools = { ...Object.fromEntries(deferred), find: toolSearch({ maxResults: shown }) }
      const { steps } = await generateText({ model, tools, prompt: query, stopWhen: stepCountIs(1) })
      const found = steps[0].toolResults[0].output.tools.map(({ name }: SearchedTool) => name)
      const ours = (await search(query)).slice(0, shown).map(({ index }) => callable(named[index]!))
      expect(found, query).toEqual(ours)
    }
  })
})

describe.skipIf(lacks('@anthropic-ai/claude-agent-sdk'))('Claude Code', () => {
  test('finds the same tools in the same order', async () => {
    const sdk = await load('node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs')
    const { claudeReply, claudeStream, scriptedModel } = await load('scripted-model.mjs')
    // Equal scores: how names are ordered shows.
    const equal = ['B_one', 'a_one', 'a-one', 'a_two', 'aOne', 'A_one', 'a10', 'a9'].map((name) => ({
      server: 'zoo',
      name,
      description: 'quagga',
    }))
    const hinted: readonly SearchedTool[] = [...catalog, ...equal].map((tool, at) =>
      at % 9 === 0 ? { ...tool, searchHint: 'folder list report' } : tool,
    )
    const asked = [
      ...requests.filter((_, at) => at % 5 === 0),
      'list folder',
      '+create a page',
      'mail',
      'report?',
    ]
    const left = [...asked]
    const model = await scriptedModel([
      ({ tools = [] }: { readonly tools?: readonly SearchedTool[] }) => {
        const query = tools.some(({ name }) => name === 'ToolSearch') ? left.shift() : undefined
        const input = { query, max_results: 60 }
        return claudeStream(
          claudeReply(query === undefined ? 'Done.' : { name: 'ToolSearch', id: `t${left.length}`, input }),
        )
      },
    ])
    const home = await mkdtemp(join(tmpdir(), 'audition-claude-'))
    const servers = [...new Set(hinted.map(({ server }) => server!))].map((name) => {
      const tools = hinted
        .filter(({ server }) => server === name)
        .map(({ name: own, description, searchHint }) =>
          sdk.tool(own, description, {}, async () => ({ content: [] }), { searchHint }),
        )
      return [name, sdk.createSdkMcpServer({ name, tools })]
    })
    const session = sdk.query({
      prompt: 'Search.',
      options: {
        cwd: home,
        settingSources: [],
        maxTurns: asked.length + 2,
        allowedTools: ['ToolSearch'],
        mcpServers: Object.fromEntries(servers),
        env: {
          PATH: process.env.PATH,
          HOME: home,
          CLAUDE_CONFIG_DIR: home,
          ANTHROPIC_API_KEY: 'none',
          ANTHROPIC_BASE_URL: model.url,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          ENABLE_TOOL_SEARCH: 'true',
        },
      },
    })
    for await (const message of session)
      if (message.type === 'result') expect(message.subtype).toBe('success')
    model.close()
    await rm(home, { recursive: true, force: true })
    const results = resultsOf(model.bodies.at(-1))
    expect(results).toHaveLength(asked.length)
    const search = claudeCode.over(hinted)
    for (const [at, query] of asked.entries()) {
      const ours = (await search(query)).map(
        ({ index }) => `mcp__${hinted[index]!.server}__${callable(hinted[index]!)}`,
      )
      const length = Math.min(shown, results[at]!.length)
      expect(results[at]!.slice(0, length), query).toEqual(ours.slice(0, length))
    }
  })
})

type Body = { readonly messages: readonly { readonly content: unknown }[] }
type Result = { readonly type: string; readonly content: unknown }

/** The MCP tools that each search named, without the host's own. */
const resultsOf = ({ messages }: Body): readonly (readonly string[])[] =>
  messages
    .flatMap(({ content }) => (Array.isArray(content) ? (content as readonly Result[]) : []))
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) =>
      [...JSON.stringify(content).matchAll(/"tool_name":"(mcp__[^"]+)"/g)].map(([, name]) => name!),
    )
