import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { boundsOf } from '../domain/bounds.ts'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import type { CallProgress } from '../probing/calls/ports.ts'
import { packageVersion } from '../package-version.ts'
import {
  type SimulatedAnswer,
  type SimulatedServer,
  type SimulatedSession,
  listedTool,
  simulatedMark,
} from '../simulating/ports.ts'
import { progressOf } from './progress.ts'

/** Tools on one page of `tools/list`. */
const pageSize = 100

/**
 * An MCP server over a simulated one, for one connection.
 *
 * @param session - what the connection's calls are part of
 */
export function createSimulatedServer(
  { source, tools, records }: SimulatedServer,
  session: SimulatedSession,
  cancelled: (id: RequestId) => AbortSignal | undefined = () => undefined,
): Server {
  const server = new Server(
    {
      name: source,
      title: `${source} (${records ? 'real, recorded' : 'simulated'})`,
      version: packageVersion(),
    },
    {
      capabilities: { tools: { listChanged: false }, experimental: { [simulatedMark]: {} } },
      instructions: records
        ? `Passes calls to ${source}: they are real and have their effects. Audition records what they give.`
        : `Stands for ${source}: its tools are simulated by Audition. Nothing that is called has effects.`,
    },
  )
  const listed = tools.map(listedTool) as unknown as readonly Tool[]
  server.setRequestHandler('tools/list', ({ params }) => {
    const from = params?.cursor === undefined ? 0 : Number(params.cursor)
    if (!Number.isInteger(from) || from < 0 || from > listed.length)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is none of this server.')
    const next = from + pageSize
    return {
      tools: listed.slice(from, next),
      ...(next < listed.length ? { nextCursor: String(next) } : {}),
    }
  })
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }: ServerContext) => {
    if (!tools.some(({ name }) => name === params.name))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`)
    const { signal, release } = boundsOf({ callers: [mcpReq.signal, cancelled(mcpReq.id)] })
    const { progress } = progressOf(mcpReq)
    const onProgress =
      progress && ((step: CallProgress) => progress(step.progress, step.total, step.message ?? ''))
    return session
      .call(params.name, (params.arguments ?? {}) as JsonObject, { signal, onProgress })
      .then(resultOf)
      .finally(release)
  })
  return server
}

const resultOf = ({ content, structured, failed, from, model }: SimulatedAnswer): CallToolResult =>
  ({
    content,
    ...(isJsonObject(structured) ? { structuredContent: structured } : {}),
    ...(failed ? { isError: true } : {}),
    _meta: { [simulatedMark]: { from, ...(model === undefined ? {} : { model }) } },
  }) as unknown as CallToolResult
