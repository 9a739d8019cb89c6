import type { JsonObject } from '../../src/domain/json.ts'
import { jsonBytes, tokensOf } from '../../src/server/answers/fitted-answer.ts'
import type { ListedTool } from './record-servers.ts'

export { tokensOf }

/** A tool and the server that lists it. */
export type NamedTool = { readonly server: string; readonly tool: ListedTool }

/** As Audition calls it. */
export const idOf = ({ server, tool }: NamedTool): string => `${server}/${tool.name}`

/** A published way to keep tools out of a host's context until they are searched for. */
export type Scheme = {
  readonly name: string
  /** Bytes in the context before anything was asked. */
  listed(tools: readonly NamedTool[]): number
  /** Tools that one answer gives. */
  readonly k: number
  /** What ranks the tools here, by its name among the hosts' rankers; `substrings` is LiteLLM's own. */
  readonly ranker: 'claude-code' | 'bm25' | 'substrings'
  /** Bytes of the answer to one search. */
  answer(found: readonly NamedTool[], request: string): number
  /** What was taken as given, and where it is published. */
  readonly assumes: string
}

/** What a host's model is given of a tool that is loaded: its name, as Claude Code has it, its description and its inputs. */
export const loadedTool = ({ server, tool }: NamedTool): JsonObject => ({
  name: loadedName({ server, tool }),
  description: tool.description ?? '',
  input_schema: tool.inputSchema,
})

const loadedName = ({ server, tool }: NamedTool): string => `mcp__${server}__${tool.name}`

/** Bytes of all tools when a host loads each of them. */
export const allLoaded = (tools: readonly NamedTool[]): number => jsonBytes(tools.map(loadedTool))

/** Schemes of others. Sizes of what is the same for every catalog are those of the published texts, which are not repeated here. */
export const peers: readonly Scheme[] = [
  {
    name: 'mcpproxy-go',
    listed: () => 21_993 + 1_020,
    k: 15,
    ranker: 'bm25',
    answer: (found, request) =>
      jsonBytes({ tools: found.map(mcpproxyEntry), query: request, total: found.length }) + 1_130,
    assumes:
      'mcpproxy-go at 20a3e509: 11 tools of its own as its test data has them, and its instructions (23,013 bytes). An answer of `retrieve_tools` has ' +
      '15 tools (`tools_limit`) with whole schemas (`tool_response_mode` full, the default), its guide and risk (1,130 bytes). BM25 stands for its Bleve.',
  },
  {
    name: 'ToolHive',
    listed: () => 2_010,
    k: 8,
    ranker: 'bm25',
    answer: (found) => jsonBytes({ tools: found.map(toolhiveEntry), token_metrics: toolhiveMetrics }),
    assumes:
      'ToolHive at e25de16c, optimizer of vMCP without an embedding service: `find_tool` and `call_tool` (2,010 bytes). An answer has 8 tools ' +
      '(`DefaultMaxToolsToReturn`) whole, with output schemas and annotations; it comes as text and as structured content, and counts once. BM25 stands for its FTS5.',
  },
  {
    name: 'LiteLLM',
    listed: () => 1_777,
    k: 5,
    ranker: 'substrings',
    answer: (found) => jsonBytes(found.map(litellmEntry)),
    assumes:
      'LiteLLM at 02467691: four virtual tools (1,777 bytes). An answer of `mcp_tool_search` has 5 tools with whole schemas, ranked by its own rule ' +
      'without an embedding model: a point for each word of the request that is in name or description.',
  },
  {
    name: "Claude Code's ToolSearch",
    listed: (tools) => 1_366 + 250 + tools.reduce((sum, tool) => sum + loadedName(tool).length + 1, 0),
    k: 5,
    ranker: 'claude-code',
    answer: (found) => found.reduce((sum, tool) => sum + jsonBytes(loadedTool(tool)) + 21, 24),
    assumes:
      'Claude Code: `ToolSearch` itself and the reminder, as republished from its prompts of 2026 (1,616 bytes), and the name of every deferred tool. An ' +
      'answer has 5 tools whole; the request is the query as it is, though its model would choose words.',
  },
]

const mcpproxyEntry = ({ server, tool }: NamedTool): JsonObject => ({
  name: `${server}:${tool.name}`,
  description: tool.description ?? '',
  inputSchema: tool.inputSchema,
  score: 1.2345678901234567,
  server,
  annotations: tool.annotations ?? {},
  call_with: 'call_tool_write',
})

const toolhiveEntry = ({ server, tool }: NamedTool): JsonObject => ({
  ...tool,
  name: `${server}_${tool.name}`,
})

const toolhiveMetrics = {
  baseline_tokens: 100_000,
  returned_tokens: 1_000,
  savings_percent: 99.01234567890123,
}

const litellmEntry = ({ server, tool }: NamedTool): JsonObject => ({
  name: `${server}-${tool.name}`,
  description: tool.description ?? '',
  inputSchema: tool.inputSchema,
})

/** LiteLLM's keyword score: how many words of the request, parted at white space, are somewhere in name or description. */
export const substringScore = (request: string, tool: NamedTool): number => {
  const { name, description } = litellmEntry(tool)
  const text = `${String(name)}\n${String(description)}`.toLowerCase()
  return request
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && text.includes(word)).length
}

/** What one request costs with a scheme: what is in the context anyway, and its answer. */
export type Cost = { readonly listed: number; readonly answer: number; readonly share: number }

/** @param answers - bytes of the answer to each request */
export function costOf(listed: number, answers: readonly number[], all: number): Cost {
  const answer = answers.reduce((sum, bytes) => sum + bytes, 0) / Math.max(1, answers.length)
  return { listed: tokensOf(listed), answer: tokensOf(answer), share: (100 * (listed + answer)) / all }
}
