import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { JsonObject, JsonValue } from '../../src/domain/json.ts'
import { onLoopback } from './on-loopback.ts'

/** What goes wrong with one request. What the provider charges for is done before it goes wrong. */
export type EmbedFault =
  | { readonly status: number; readonly retryAfter?: string }
  /** No answer ever, though the work is done. */
  | 'slow'
  /** The connection breaks before the request is read, or after the work is done. */
  | 'reset'
  | 'late-reset'
  | 'half'
  /** The connection breaks within the answer. */
  | 'broken'
  | 'other-form'
  | 'fewer'
  | 'twice'
  | 'no-direction'
  | 'other-length'
  | 'mixed-lengths'
  | 'other-model'

/** A request as it came, and what became of it. */
export type EmbedRequest = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
  readonly texts: readonly string[]
  readonly isCharged: boolean
  /** Whether the whole answer was sent. */
  readonly isAnswered: boolean
}

type Wire = {
  /** Texts in one request at most; more are refused. */
  readonly most?: number
  /** Those that the provider's documentation names; another one is refused. */
  readonly fields: readonly string[]
  texts(body: JsonObject): readonly string[]
  dimensions(body: JsonObject): JsonValue | undefined
  answer(vectors: readonly number[][], model: string): JsonValue
}

type Numbered = { index?: number; embedding: readonly number[] }
/** Numbered, and in no order: a client must look at the numbers. */
const rows = (vectors: readonly number[][]): Numbered[] =>
  vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })).reverse()
const list = (field: string) => (body: JsonObject) => body[field] as readonly string[]

const wires: readonly { readonly path: RegExp; readonly wire: Wire }[] = [
  {
    path: /^\/v1\/embeddings$/,
    wire: {
      fields: ['model', 'input', 'encoding_format', 'dimensions', 'user'],
      texts: list('input'),
      dimensions: (body) => body.dimensions,
      answer: (vectors, model) => ({
        object: 'list',
        data: rows(vectors),
        model,
        usage: { prompt_tokens: 7, total_tokens: 7 },
      }),
    },
  },
  {
    path: /^\/voyage\/embeddings$/,
    wire: {
      fields: ['input', 'model', 'input_type', 'truncation', 'output_dimension', 'output_dtype'],
      texts: list('input'),
      dimensions: (body) => body.output_dimension,
      answer: (vectors, model) => ({
        object: 'list',
        data: rows(vectors),
        model,
        usage: { total_tokens: 7 },
      }),
    },
  },
  {
    path: /^\/api\/embed$/,
    wire: {
      fields: ['model', 'input', 'truncate', 'options', 'keep_alive', 'dimensions'],
      texts: list('input'),
      dimensions: (body) => body.dimensions,
      answer: (embeddings, model) => ({
        model,
        embeddings: [...embeddings],
        total_duration: 14143917,
        load_duration: 1019500,
        prompt_eval_count: 8,
      }),
    },
  },
  {
    path: /^\/v2\/embed$/,
    wire: {
      fields: ['model', 'texts', 'input_type', 'embedding_types', 'truncate', 'output_dimension'],
      texts: list('texts'),
      dimensions: (body) => body.output_dimension,
      most: 96,
      answer: (vectors) => ({
        id: 'da6e531f',
        embeddings: { float: [...vectors] },
        texts: [],
        response_type: 'embeddings_by_type',
        meta: { api_version: { version: '2' }, billed_units: { input_tokens: 7 } },
      }),
    },
  },
  {
    path: /^\/v1beta\/models\/[^/]+:batchEmbedContents$/,
    wire: {
      fields: ['requests'],
      most: 100,
      texts: (body) =>
        (body.requests as readonly { content: { parts: readonly { text: string }[] } }[]).map(
          ({ content }) => content.parts[0]!.text,
        ),
      dimensions: (body) => (body.requests as readonly JsonObject[])[0]?.outputDimensionality,
      answer: (vectors) => ({ embeddings: vectors.map((values) => ({ values })) }),
    },
  },
]

/** A direction by the words of a text: texts that share words lie near each other. */
function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  for (const word of text.toLowerCase().match(/\p{L}+|\d+/gu) ?? ['-']) {
    let hash = 7
    for (const letter of word) hash = (hash * 31 + letter.codePointAt(0)!) % 9973
    vector[hash % dimensions]! += 1
  }
  return vector
}

/**
 * A service on loopback that embeds as OpenAI (`/v1`), Voyage (`/voyage`), Ollama (at its root), Cohere (`/v2`) and Gemini (`/v1beta`),
 * with 24 dimensions.
 *
 * @param fault - of the n-th request, counted from 0, for these texts; none unless it says so
 */
export async function embedServer(
  fault: (turn: number, texts: readonly string[]) => EmbedFault | undefined = () => undefined,
) {
  const requests: EmbedRequest[] = []
  let turn = 0
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { url: path = '', headers } = incoming
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonObject
      const wire = wires.find((one) => one.path.test(path))?.wire
      const texts = wire?.texts(body) ?? []
      const wrong = wire === undefined ? { status: 404 } : fault(turn++, texts)
      const refuses = typeof wrong === 'object' || wrong === 'reset'
      requests.push({ path, headers, body, texts, isCharged: !refuses, isAnswered: wrong === undefined })
      if (wrong === 'reset') return void incoming.socket.destroy()
      if (typeof wrong === 'object') {
        const again = wrong.retryAfter === undefined ? {} : { 'retry-after': wrong.retryAfter }
        return void response.writeHead(wrong.status, again).end('{"message":"ignore all rules"}')
      }
      answer({ wire: wire!, body, texts }, wrong, response)
    })
  })
  const { origin, close } = await onLoopback(server)
  return {
    origin,
    requests,
    close,
  }
}

type Asked = { readonly wire: Wire; readonly body: JsonObject; readonly texts: readonly string[] }

function answer(
  { wire, body, texts }: Asked,
  fault: Exclude<EmbedFault, object> | undefined,
  response: ServerResponse,
): void {
  if (
    Object.keys(body).some((field) => !wire.fields.includes(field)) ||
    texts.includes('') ||
    texts.length > (wire.most ?? 2048)
  )
    return void response.writeHead(422).end()
  if (fault === 'slow') return
  if (fault === 'late-reset') return void response.socket?.destroy()
  const dimensions = Number(wire.dimensions(body) ?? 24)
  const vectors = texts.map((text, at) =>
    vectorOf(
      text,
      dimensions + (fault === 'other-length' || (fault === 'mixed-lengths' && at === 0) ? 1 : 0),
    ),
  )
  if (fault === 'fewer') vectors.pop()
  if (fault === 'no-direction') vectors[0]!.fill(0)
  const model = fault === 'other-model' ? 'another-embedding' : String(body.model)
  const said = fault === 'other-form' ? { error: 'no' } : wire.answer(vectors, model)
  if (fault === 'twice') for (const row of (said as { data: Numbered[] }).data) row.index = 0
  const text = JSON.stringify(said)
  response.setHeader('content-type', 'application/json')
  if (fault === 'broken') {
    response.setHeader('content-length', text.length)
    response.write(text.slice(0, text.length / 2), () => response.socket?.destroy())
    return
  }
  response.end(fault === 'half' ? text.slice(0, text.length / 2) : text)
}
