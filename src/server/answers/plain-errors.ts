import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  McpServer,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { JsonValue } from '../../domain/json.ts'
import { visibleJson } from '../../domain/text/masked-json.ts'
import { watchRequests } from '../transport/watched-requests.ts'
import { oneLine, withoutPaths } from './text.ts'

/**
 * A server whose errors are fit for callers. The SDK answers whatever is thrown with its message: parameters that do
 * not fit a method's schema come out as an internal error, or behind a few words, with a page of the validator's findings.
 */
export class PlainErrorServer extends McpServer {
  /** Names of the tools that it serves. */
  readonly servedTools = new Set<string>()
  override connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport) // the SDK tells its transports apart by class: they cannot be wrapped
    transport.send = (message, options) => send(visible(isError(message) ? plain(message) : message), options)
    const connected = super.connect(transport)
    watchRequests(transport, {
      tools: this.servedTools,
      version: () => this.server.getNegotiatedProtocolVersion(),
    })
    return connected
  }
}

/** Everything that goes out passes here: nothing in it is hidden from people. Ids and tokens of requests stay their sender's. */
function visible(message: JSONRPCMessage): JSONRPCMessage {
  const said = message as unknown as { readonly [part: string]: JsonValue }
  const shown = Object.entries(said).map(([part, value]) => [
    part,
    ['result', 'error', 'params'].includes(part) ? visibleJson(value) : value,
  ])
  const made = Object.fromEntries(shown) as JSONRPCMessage
  if (!('method' in message) || message.params?.progressToken === undefined) return made
  return {
    ...made,
    params: { ...(made as typeof message).params, progressToken: message.params.progressToken },
  } as JSONRPCMessage
}

const isError = (message: JSONRPCMessage): message is JSONRPCErrorResponse => 'error' in message

const findings = z
  .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
  .min(1)

function plain(response: JSONRPCErrorResponse): JSONRPCErrorResponse {
  const { error } = response
  const found = findingsIn(error.message.replace(/^Invalid \S+ request: /, ''))?.[0]
  if (found === undefined) {
    if (error.code !== ProtocolErrorCode.InternalError) return response
    return { ...response, error: { ...error, message: withoutPaths(oneLine(error.message, 1_000)) } }
  }
  const field = ['params', ...found.path.filter((step, at) => at > 0 || step !== 'params')].join('.')
  const message = oneLine(`Invalid ${field}: ${found.message}`, 300)
  return { ...response, error: { code: ProtocolErrorCode.InvalidParams, message } }
}

function findingsIn(message: string): z.infer<typeof findings> | undefined {
  if (!message.startsWith('[')) return undefined
  try {
    return findings.safeParse(JSON.parse(message)).data
  } catch {
    return undefined
  }
}
