import { boundsOf } from '../../domain/bounds.ts'
import { countOf } from '../../domain/text/count-of.ts'
import {
  EmbeddingServiceError,
  embeddingFailures,
  singleTextFailures,
} from '../../retrieval/rank/embedding-model-error.ts'
import { isOtherModel } from '../../retrieval/rank/service-failures.ts'
import { askJson, bearer } from '../http/ask-json.ts'
import { codeOf } from '../http/retrying-fetch.ts'
import type { EmbedOptions } from './options.ts'
import { type EmbedAnswer, type EmbedWire, type Role, wires } from './wires.ts'

/** How a service is reached. */
export type EmbedReach = {
  /** Sends requests of each kind, and sends again what surely was not done. */
  readonly send: { readonly [role in Role]: typeof globalThis.fetch }
  readonly key?: string | undefined
}

/** One unit vector per text, in order. */
export type AskVectors = (
  texts: readonly string[],
  role: Role,
  signal?: AbortSignal,
) => Promise<readonly Float32Array[]>

/** Of one answer: 2048 vectors of 3072 values, written out. */
const mostBytes = 256 * 1024 * 1024
/** A request with cards may take so many times as long as that of a search. */
const patience = 30

/** Of one request with cards, where the answer comes in part. */
const mostSends = 3

async function wholeAnswer(ask: () => Promise<unknown>, sends: number): Promise<unknown> {
  for (let sent = 1; ; sent++)
    try {
      return await ask()
    } catch (error) {
      const brokeOff = error instanceof EmbeddingServiceError && error.cause !== undefined
      if (sent === sends || !brokeOff) throw error
    }
}

/** Asks a service in the wire format of one of {@link wires}. */
export function askVectors(options: EmbedOptions, { send, key }: EmbedReach): AskVectors {
  const { base, format, model, dimensions } = options
  const wire: EmbedWire = wires[format]
  const { host } = new URL(base)
  const url = `${base}/${wire.path(model)}`
  const headers = wire.keyHeader === undefined || key === undefined ? bearer(key) : { [wire.keyHeader]: key }
  return async (texts, role, signal) => {
    const failures = texts.length === 1 ? singleTextFailures : embeddingFailures
    const seconds = options.seconds * (role === 'query' ? 1 : patience)
    const bounds = boundsOf({ callers: [signal], seconds, bytes: mostBytes })
    try {
      const body = wire.body({ model, texts, role, dimensions })
      const asked = () => askJson(send[role], { url, headers, body }, { bounds, failures })
      const whole = wholeAnswer(asked, role === 'document' ? mostSends : 1)
      const read = wire.answer.safeParse(await bounds.orStopped(whole))
      if (!read.success) throw failures.ofAnswer(host, `it has not the form of ${format}`)
      if (isOtherModel(read.data.model, model))
        throw failures.ofAnswer(host, 'it is by another model than the one that was asked')
      return vectorsIn(read.data, texts.length, host)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof EmbeddingServiceError) throw error
      if (bounds.stoppedBy() === 'time') throw failures.ofTime(host, seconds)
      if (bounds.stoppedBy() === 'output') throw failures.ofAnswer(host, 'it is too large')
      throw failures.ofNetwork(host, codeOf(error), error)
    } finally {
      bounds.release()
    }
  }
}

/** @throws EmbeddingServiceError unless each text has one vector, all of one length */
function vectorsIn({ vectors }: EmbedAnswer, texts: number, host: string): readonly Float32Array[] {
  const unusable = (what: string) => embeddingFailures.ofAnswer(host, what)
  if (vectors.length !== texts)
    throw unusable(`it has ${countOf(vectors.length, 'vector')} for ${countOf(texts, 'text')}`)
  const placed: Float32Array[] = Array(texts)
  for (const [place, { index = place, values }] of vectors.entries()) {
    if (index < 0 || index >= texts || placed[index] !== undefined)
      throw unusable('it numbers texts twice, or others than it was given')
    placed[index] = Float32Array.from(values)
  }
  const [first] = placed
  if (placed.some((one) => one.length !== first!.length))
    throw unusable('its vectors are of different lengths')
  return placed.map((vector) => {
    const length = Math.hypot(...vector)
    if (!Number.isFinite(length) || length === 0) throw unusable('a vector has no direction')
    return vector.map((value) => value / length)
  })
}

/** Characters in one request: providers bound its tokens too. */
const mostAtOnce = 200_000

/** Texts in requests of at most so many, and of so many characters. */
export function* requestsOf(texts: readonly string[], most: number): Generator<readonly string[]> {
  let request: string[] = []
  let characters = 0
  for (const text of texts) {
    if (request.length > 0 && (request.length === most || characters + text.length > mostAtOnce)) {
      yield request
      request = []
      characters = 0
    }
    request.push(text)
    characters += text.length
  }
  if (request.length > 0) yield request
}
