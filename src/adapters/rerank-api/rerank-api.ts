import { beginningOf } from '../../domain/text/cut.ts'
import { z } from 'zod'
import type { Tokens } from '../../domain/tokens.ts'
import { type Bounds, boundsOf } from '../../domain/bounds.ts'
import { batches } from '../../domain/grouped.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { CrossEncoder } from '../../retrieval/rank/cross-encoder.ts'
import { isOtherModel, RerankerError, rerankerFailures } from '../../retrieval/rank/service-failures.ts'
import { aboutTokens, paidRequest, type Spending, reportedCount } from '../../retrieval/rank/spending.ts'
import { askJson, bearer } from '../http/ask-json.ts'
import { charges, codeOf } from '../http/retrying-fetch.ts'
import type { RerankOptions } from './options.ts'
import { type RerankAnswer, type RerankWire, wires } from './wires.ts'

/** How a service is reached and paid. */
export type RerankSurroundings = {
  /** Sends requests, and sends again those that surely were not done. */
  readonly send: typeof globalThis.fetch
  readonly key?: string | undefined
  readonly spending: Spending
}

/** Of one answer. */
const mostBytes = 8 * 1024 * 1024
/** Of one card that is sent: services cut off the rest, and bill what they read. */
const mostCharacters = 8000

/** A service that scores documents, in the wire format of one of {@link wires}. */
export function rerankApi(options: RerankOptions, surroundings: RerankSurroundings): CrossEncoder {
  const { base, format, model, batch, seconds } = options
  const { spending } = surroundings
  const { host } = new URL(base)
  const ask = askerOf(options, surroundings)
  let isClosed = false
  return {
    id: `rerank:${host}${model === '' ? '' : `#${model}`}?format=${format}`,
    async score(query, documents, { signal, onUsage } = {}) {
      signal?.throwIfAborted()
      if (isClosed) throw new RerankerError('The reranker was closed.', 'Open Audition again.')
      const scores = new Float32Array(documents.length)
      const bounds = boundsOf({ callers: [signal], seconds, bytes: mostBytes })
      let scored = 0
      try {
        for (const places of batches([...documents.keys()], batch)) {
          // Services refuse an empty text.
          const texts = places.map((place) => beginningOf(documents[place]!, mostCharacters) || '-')
          const input = aboutTokens(texts.join('')) + texts.length * aboutTokens(query)
          const { send, mayBeCharged } = charges(surroundings.send)
          const paying = { spending, estimate: { input, output: 0 }, onUsage, mayBeCharged }
          const { said } = await paidRequest(paying, () =>
            bounds.orStopped(ask({ model, query, documents: texts }, { bounds, send })),
          )
          const answer = answerIn(said, format, host)
          checked(answer, { host, model, documents: texts.length })
          for (const { index, score } of answer.scores) scores[places[index]!] = score
          scored += places.length
        }
      } catch (error) {
        signal?.throwIfAborted()
        const failure = failureOf(error, { bounds, host, seconds })
        throw scored === 0 ? failure : rerankerFailures.ofPart(host, [scored, documents.length], failure)
      } finally {
        bounds.release()
      }
      return scores
    },
    async close() {
      isClosed = true
    },
  }
}

type Way = { readonly bounds: Bounds; readonly send: typeof globalThis.fetch }
/** An answer as it came, usable or not, and what it says that it took. */
type Said = { readonly said: unknown; readonly tokens: Tokens | undefined }
type Ask = (question: Parameters<RerankWire['body']>[0], way: Way) => Promise<Said>

function failureOf(
  error: unknown,
  { bounds, host, seconds }: Pick<Way, 'bounds'> & { readonly host: string; readonly seconds: number },
): RerankerError {
  if (error instanceof RerankerError) return error
  if (bounds.stoppedBy() === 'time') return rerankerFailures.ofTime(host, seconds)
  if (bounds.stoppedBy() === 'output') return rerankerFailures.ofAnswer(host, 'it is larger than 8 MB')
  return rerankerFailures.ofNetwork(host, codeOf(error), error)
}

/** Makes requests, and once the one that tells which model the server has. */
function askerOf({ base, format, model }: RerankOptions, surroundings: RerankSurroundings): Ask {
  const wire: RerankWire = wires[format]
  const { host } = new URL(base)
  const request = (path: string, body: JsonObject | undefined, { bounds, send }: Way): Promise<unknown> =>
    askJson(
      send,
      { url: `${base}/${path}`, headers: bearer(surroundings.key), body },
      { bounds, failures: rerankerFailures },
    )
  let isKnown = model === '' || wire.modelAt === undefined
  return async (question, way) => {
    if (!isKnown && wire.modelAt !== undefined) {
      const { path, answer } = wire.modelAt
      const reported = answer.safeParse(
        await request(path, undefined, { ...way, send: surroundings.send }),
      ).data
      requireModel(reported?.model_id, model, host)
      isKnown = true
    }
    const said = await request('rerank', wire.body(question), way)
    const input = reportedCount(usageShape.safeParse(said).data?.usage.total_tokens)
    return { said, tokens: input === undefined ? undefined : { input, output: 0 } }
  }
}

const usageShape = z.object({ usage: z.object({ total_tokens: z.unknown() }) })

/** @throws RerankerError */
function answerIn(said: unknown, format: RerankOptions['format'], host: string): RerankAnswer {
  const read = wires[format].answer.safeParse(said)
  if (read.success) return read.data
  throw rerankerFailures.ofAnswer(host, `it has not the form of ${format}`)
}

/** @throws RerankerError unless each document has one score, by the model that was asked */
function checked(
  { scores, model: reported }: RerankAnswer,
  { host, model, documents }: { readonly host: string; readonly model: string; readonly documents: number },
): void {
  requireModel(reported, model, host)
  const places = new Set(scores.map(({ index }) => index))
  const areFinite = scores.every(({ score }) => Number.isFinite(score) && Math.abs(score) < 1e30)
  if (!areFinite) throw rerankerFailures.ofAnswer(host, 'a score is no number')
  const areOurs = [...places].every((place) => place >= 0 && place < documents)
  if (scores.length !== places.size || !areOurs)
    throw rerankerFailures.ofAnswer(host, 'it scores documents twice, or others than it was given')
  if (places.size < documents) throw rerankerFailures.ofPart(host, [places.size, documents])
}

/** @throws RerankerError */
function requireModel(reported: string | undefined, asked: string, host: string): void {
  if (isOtherModel(reported, asked))
    throw rerankerFailures.ofAnswer(host, 'it is by another model than the one that was asked')
}
