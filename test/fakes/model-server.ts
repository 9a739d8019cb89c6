import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { JsonObject, JsonValue } from '../../src/domain/json.ts'
import { onLoopback } from './on-loopback.ts'

/** What the model says in one turn, whatever protocol it is asked in. */
export type ScriptedTurn = {
  readonly text?: string
  readonly calls?: readonly { readonly tool: string; readonly arguments: JsonObject }[]
  readonly tokens?: { readonly input: number; readonly output: number }
  /** Why the model stopped, as OpenAI's protocol says it. */
  readonly finish?: 'length' | 'content_filter'
}

/** What the server does with one request. */
export type ModelReply =
  | ScriptedTurn
  /** Bytes as they are, of any status. */
  | { readonly status: number; readonly body: string; readonly headers?: { readonly [name: string]: string } }
  /** Never answers. */
  | { readonly hangs: true }
  /** Breaks the connection. */
  | { readonly resets: true }
  /** Sends white space of a JSON document until the other side leaves. */
  | { readonly floods: true }

/** A request as it came. */
export type ModelRequest = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
  /** Counted from 0. */
  readonly turn: number
}

/** A language model that says what a script tells it to, over real HTTP on loopback. */
export type ModelServer = {
  readonly origin: string
  /** As AUDITION_LLM names it. The address ends as the provider's own does. */
  spec(provider: 'openai-compatible' | 'openai' | 'anthropic' | 'google' | 'ollama', model?: string): string
  readonly requests: readonly ModelRequest[]
  /** Requests that have come and whose connection is still open. */
  open(): number
  close(): Promise<void>
}

/** @param script - one reply per request, the last one for all that follow; or a function of the request */
export async function modelServer(
  script: readonly ModelReply[] | ((request: ModelRequest) => ModelReply),
): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  const open = new Set<ServerResponse>()
  const server = createServer(async (incoming, response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
    const text = await textOf(incoming)
    const request: ModelRequest = {
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: text === '' ? {} : (JSON.parse(text) as JsonObject),
      turn: requests.length,
    }
    requests.push(request)
    const reply = typeof script === 'function' ? script(request) : (script[request.turn] ?? script.at(-1))
    answer(request, reply ?? {}, response)
  })
  const { origin, close } = await onLoopback(server)
  return {
    origin,
    spec: (provider, model = 'tiny') =>
      `${provider}:${origin}/${provider === 'google' ? 'v1beta' : 'v1'}#${model}`,
    requests,
    open: () => open.size,
    close,
  }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function answer(request: ModelRequest, reply: ModelReply, response: ServerResponse): void {
  if ('hangs' in reply) return
  if ('resets' in reply) return void response.socket?.destroy()
  if ('floods' in reply) {
    response.writeHead(200, { 'content-type': 'application/json' })
    const blank = Buffer.alloc(64 * 1024, ' ')
    const pour = () => {
      while (!response.destroyed && response.write(blank));
    }
    response.on('drain', pour)
    pour()
    return
  }
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(reply.body)
    return
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(wireOf(request.path)(reply, request)))
}

type Wire = (turn: ScriptedTurn, request: ModelRequest) => JsonValue

const wireOf = (path: string): Wire =>
  path.endsWith('/messages') ? anthropic : path.endsWith(':generateContent') ? google : openAi

const usual = { input: 10, output: 5 }

const openAi: Wire = ({ text, calls = [], tokens = usual, finish }, { turn }) => ({
  id: `chat-${turn}`,
  object: 'chat.completion',
  created: 0,
  model: 'tiny',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: text ?? null,
        ...(calls.length === 0
          ? {}
          : {
              tool_calls: calls.map(({ tool, arguments: values }, index) => ({
                id: `call-${turn}-${index}`,
                type: 'function',
                function: { name: tool, arguments: JSON.stringify(values) },
              })),
            }),
      },
      finish_reason: finish ?? (calls.length === 0 ? 'stop' : 'tool_calls'),
    },
  ],
  usage: {
    prompt_tokens: tokens.input,
    completion_tokens: tokens.output,
    total_tokens: tokens.input + tokens.output,
  },
})

const anthropic: Wire = ({ text, calls = [], tokens = usual, finish }, { turn }) => ({
  id: `message-${turn}`,
  type: 'message',
  role: 'assistant',
  model: 'tiny',
  content: [
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map(({ tool, arguments: input }, index) => ({
      type: 'tool_use',
      id: `call-${turn}-${index}`,
      name: tool,
      input,
    })),
  ],
  stop_reason:
    finish === undefined
      ? calls.length === 0
        ? 'end_turn'
        : 'tool_use'
      : { length: 'max_tokens', content_filter: 'refusal' }[finish],
  stop_sequence: null,
  usage: { input_tokens: tokens.input, output_tokens: tokens.output },
})

const google: Wire = ({ text, calls = [], tokens = usual, finish }) => ({
  candidates: [
    {
      index: 0,
      content: {
        role: 'model',
        parts: [
          ...(text === undefined ? [] : [{ text }]),
          ...calls.map(({ tool, arguments: args }) => ({ functionCall: { name: tool, args } })),
        ],
      },
      finishReason:
        finish === undefined ? 'STOP' : { length: 'MAX_TOKENS', content_filter: 'SAFETY' }[finish],
    },
  ],
  usageMetadata: {
    promptTokenCount: tokens.input,
    candidatesTokenCount: tokens.output,
    totalTokenCount: tokens.input + tokens.output,
  },
})
