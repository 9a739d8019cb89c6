import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server'
import type { JsonObject } from '../domain/json.ts'
import {
  type Attributes,
  currentWatcher,
  type Operation,
  type TraceHeaders,
  watched,
} from '../watching/watch.ts'

/** What is known of who serves. */
type Serving = {
  /** Names of the tools that are served: others that a caller names are in no metric. */
  readonly tools: ReadonlySet<string>
  /** The protocol's version, where the connection settled one. */
  readonly version: () => string | undefined
}

/**
 * Tells whoever watches of each request of a connection: a span from its arrival to its answer, part of the trace that the client names in
 * `_meta`. Notifications are not told of. Called when the server has connected to the transport.
 *
 * @see https://github.com/open-telemetry/semantic-conventions-genai docs/gen-ai/mcp.md, and SEP-414 of MCP for `_meta`
 */
export function watchRequests(transport: Transport, serving: Serving): void {
  if (currentWatcher() === null) return
  const open = new Map<RequestId, (answer: JSONRPCMessage | null) => void>()
  const settle = (id: RequestId | undefined, answer: JSONRPCMessage | null): void => {
    if (id === undefined) return
    open.get(id)?.(answer)
    open.delete(id)
  }
  const { onmessage, onclose } = transport
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if (isJSONRPCResponse(message)) settle(message.id, message)
    return send(message, options)
  }
  transport.onclose = () => {
    for (const id of [...open.keys()]) settle(id, null)
    onclose?.()
  }
  transport.onmessage = (message, extra) => {
    if (!isJSONRPCRequest(message)) {
      onmessage?.(message, extra)
      if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
        settle(message.params?.requestId as RequestId | undefined, null)
      return
    }
    void watched(operationOf(message, extra, serving), async (tell) => {
      const answered = new Promise<JSONRPCMessage | null>((resolve) => open.set(message.id, resolve))
      onmessage?.(message, extra)
      tell(outcomeOf(await answered))
    })
  }
}

/** Methods that are told by their name; a caller may name any. */
const methods: ReadonlySet<string> = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'server/discover',
  'tools/call',
  'tools/list',
])

const versions: ReadonlySet<string> = new Set([...SUPPORTED_PROTOCOL_VERSIONS, '2026-07-28'])

function operationOf(
  { id, method, params = {} }: JSONRPCRequest,
  extra: MessageExtraInfo | undefined,
  serving: Serving,
): Operation {
  const headers = extra?.request?.headers
  const named = methods.has(method) ? method : '_OTHER'
  const { name, uri } = params
  const tool =
    named === 'tools/call' && typeof name === 'string' && serving.tools.has(name) ? name : undefined
  const version = headers?.get('mcp-protocol-version') ?? serving.version()
  const parent = parentOf(params._meta as JsonObject | undefined, headers)
  return {
    name: tool === undefined ? named : `${named} ${tool}`,
    kind: 'server',
    metric: 'mcp.server.operation.duration',
    attributes: {
      'mcp.method.name': named,
      'jsonrpc.request.id': String(id).slice(0, 64),
      ...(named === 'tools/call' ? { 'gen_ai.operation.name': 'execute_tool' } : {}),
      ...(tool === undefined ? {} : { 'gen_ai.tool.name': tool }),
      ...(typeof uri === 'string' && uri.startsWith('audition:')
        ? { 'mcp.resource.uri': uri.slice(0, 512) }
        : {}),
      ...(version !== undefined && versions.has(version) ? { 'mcp.protocol.version': version } : {}),
      ...(headers === undefined
        ? { 'network.transport': 'pipe' }
        : { 'network.transport': 'tcp', 'network.protocol.name': 'http' }),
    },
    ...(parent === undefined ? {} : { parent }),
  }
}

/** The span of the client: as MCP carries it, else as HTTP does. */
function parentOf(meta: JsonObject | undefined, headers: Headers | undefined): TraceHeaders | undefined {
  const ofMessage = traceHeaders((name) => meta?.[name])
  return 'traceparent' in ofMessage ? ofMessage : headers && traceHeaders((name) => headers.get(name))
}

const traceHeaders = (header: (name: string) => unknown): TraceHeaders =>
  Object.fromEntries(
    ['traceparent', 'tracestate', 'baggage'].flatMap((name) => {
      const value = header(name)
      return typeof value === 'string' && value.length <= 8_192 ? [[name, value]] : []
    }),
  )

function outcomeOf(answer: JSONRPCMessage | null): Attributes {
  if (answer === null) return { 'error.type': 'cancelled' }
  if ('error' in answer) {
    const code = String(answer.error.code)
    return { 'error.type': code, 'rpc.response.status_code': code }
  }
  return 'result' in answer && answer.result.isError === true ? { 'error.type': 'tool_error' } : {}
}
