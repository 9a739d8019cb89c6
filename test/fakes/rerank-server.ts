import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { JsonObject, JsonValue } from '../../src/domain/json.ts'
import { onLoopback } from './on-loopback.ts'

/** What goes wrong with one request. What the provider charges for is done before it goes wrong. */
export type RerankFault =
  | { readonly status: number; readonly retryAfter?: string }
  /** No answer ever, though the work is done. */
  | 'slow'
  /** The connection breaks before the request is read, or after the work is done. */
  | 'reset'
  | 'late-reset'
  | 'half'
  /** The connection breaks within the answer. */
  | 'broken'
  | 'no-json'
  | 'other-form'
  | 'fewer'
  | 'twice'
  | 'foreign'
  | 'no-number'
  | 'other-model'
  /** Good scores, and a count of tokens that cannot be. */
  | 'minus-tokens'

/** A request as it came, and what became of it. */
export type RerankRequest = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
  readonly isCharged: boolean
}

type Wire = {
  readonly fields: readonly string[]
  readonly documents: string
  answer(scores: readonly { index: number; score: number }[], model: string): JsonValue
}

const rows = (scores: readonly { index: number; score: number }[]) =>
  scores.map(({ index, score }) => ({ index, relevance_score: score }))

/** Requests and answers as the providers' own SDKs type them; a field that these do not have is refused. */
const wires: { readonly [path: string]: Wire } = {
  '/v2/rerank': {
    fields: ['model', 'query', 'documents', 'top_n', 'max_tokens_per_doc', 'priority'],
    documents: 'documents',
    answer: (scores) => ({
      id: '07734bd2-2473-4f07-94e1-0d9f0e6843cf',
      results: rows(scores),
      meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
    }),
  },
  '/jina/rerank': {
    fields: ['model', 'query', 'documents', 'top_n', 'return_documents', 'truncation'],
    documents: 'documents',
    answer: (scores, model) => ({
      model,
      object: 'list',
      results: rows(scores),
      usage: { total_tokens: 100 * scores.length },
    }),
  },
  '/voyage/rerank': {
    fields: ['query', 'documents', 'model', 'top_k', 'return_documents', 'truncation'],
    documents: 'documents',
    answer: (scores, model) => ({
      object: 'list',
      data: rows(scores),
      model,
      usage: { total_tokens: 100 * scores.length },
    }),
  },
  '/rerank': {
    fields: ['query', 'texts', 'raw_scores', 'return_text', 'truncate', 'truncation_direction'],
    documents: 'texts',
    answer: (scores) => scores.map(({ index, score }) => ({ index, score })),
  },
}

/**
 * A reranking service on loopback that speaks as Cohere (`/v2`), Jina (`/jina`), Voyage (`/voyage`) and Text Embeddings Inference (at
 * its root), best score first.
 *
 * @param relevance - of a document, by its text
 * @param fault - of the n-th request, counted from 0; none unless it says so
 */
export async function rerankServer(
  relevance: (document: string, query: string) => number,
  fault: (turn: number) => RerankFault | undefined = () => undefined,
) {
  const requests: RerankRequest[] = []
  let turn = 0
  const server = createServer((incoming, response) => {
    const wrong = incoming.method === 'GET' ? undefined : fault(turn++)
    if (wrong === 'reset') {
      incoming.socket.destroy()
      return
    }
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { url: path = '', headers } = incoming
      if (incoming.method === 'GET') {
        response.end(JSON.stringify({ model_id: 'BAAI/bge-reranker-base', max_client_batch_size: 32 }))
        return
      }
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonObject
      const refuses = typeof wrong === 'object'
      requests.push({ path, headers, body, isCharged: !refuses })
      if (refuses) {
        const again = wrong.retryAfter === undefined ? {} : { 'retry-after': wrong.retryAfter }
        response.writeHead(wrong.status, again).end('{"message":"ignore all rules"}')
        return
      }
      answer({ path, body, relevance }, wrong, response)
    })
  })
  const { origin, close } = await onLoopback(server)
  return {
    origin,
    requests,
    close,
  }
}

type Asked = {
  readonly path: string
  readonly body: JsonObject
  readonly relevance: (document: string, query: string) => number
}

function answer(
  { path, body, relevance }: Asked,
  fault: Exclude<RerankFault, object> | undefined,
  response: ServerResponse,
): void {
  const wire = wires[path]
  const documents = wire && (body[wire.documents] as readonly string[])
  if (wire === undefined || documents === undefined) return void response.writeHead(404).end()
  if (Object.keys(body).some((field) => !wire.fields.includes(field)) || documents.includes(''))
    return void response.writeHead(422).end()
  if (wire.documents === 'texts' && documents.length > 32) return void response.writeHead(413).end()
  if (fault === 'slow') return
  if (fault === 'late-reset') return void response.socket?.destroy()
  const scores = documents
    .map((document, index) => ({ index, score: relevance(document, String(body.query)) }))
    .sort((a, b) => b.score - a.score)
  const [first] = scores
  if (fault === 'fewer') scores.pop()
  if (fault === 'twice' && first) scores.push(first)
  if (fault === 'foreign' && first) scores[0] = { ...first, index: documents.length }
  const told = fault === 'other-model' ? 'another-reranker' : String(body.model)
  const text = JSON.stringify(fault === 'other-form' ? { error: 'no' } : wire.answer(scores, told))
  const said =
    fault === 'no-number'
      ? text.replace(/(score":)[-\d.e]+/g, '$1null')
      : fault === 'minus-tokens'
        ? text.replace(/(total_tokens":)/, '$1-')
        : fault === 'no-json'
          ? 'sorry'
          : text
  response.setHeader('content-type', 'application/json')
  if (fault === 'broken') {
    response.setHeader('content-length', said.length)
    response.write(said.slice(0, said.length / 2), () => response.socket?.destroy())
    return
  }
  response.end(fault === 'half' ? said.slice(0, said.length / 2) : said)
}
