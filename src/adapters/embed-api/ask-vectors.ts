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

/** Queries whose vectors are held, the newest. */
const mostQueries = 256
/** So long the searches after a failed one do not wait for the service. */
const failureMs = 30_000

/**
 * Vectors of queries, each asked for once while it is new; after a failure nobody waits for a while.
 *
 * @param most - in one request
 */
export function queriesOf(
  ask: AskVectors,
  most: number,
): (texts: readonly string[], signal?: AbortSignal) => ReturnType<AskVectors> {
  const known = new Map<string, Float32Array>()
  let failed: { readonly error: EmbeddingServiceError; readonly until: number } | undefined
  /** Ends when they are there, or did not come. */
  const underWay = new Map<string, Promise<void>>()
  const learn = async (fresh: readonly string[], signal: AbortSignal | undefined) => {
    if (fresh.length > 0 && failed !== undefined && Date.now() < failed.until) throw failed.error
    const made: [string, Float32Array][] = []
    try {
      for (const batch of requestsOf(fresh, most)) {
        const vectors = await ask(batch, 'query', signal)
        made.push(...batch.map((text, at) => [text, vectors[at]!] as [string, Float32Array]))
      }
      failed = undefined
      return made
    } catch (error) {
      if (error instanceof EmbeddingServiceError) failed = { error, until: Date.now() + failureMs }
      throw error
    }
  }
  return async (texts, signal) => {
    // Searches of tools and of agents ask for the same at once.
    while (texts.some((text) => underWay.has(text)))
      await Promise.all(texts.map((text) => underWay.get(text)))
    signal?.throwIfAborted()
    const held = new Map(texts.flatMap((text) => (known.has(text) ? [[text, known.get(text)!]] : [])))
    const fresh = [...new Set(texts)].filter((text) => !held.has(text))
    const learning = learn(fresh, signal)
    const ended = learning.then(
      () => undefined,
      () => undefined,
    )
    for (const text of fresh) underWay.set(text, ended)
    try {
      for (const [text, vector] of await learning) held.set(text, vector)
    } finally {
      for (const text of fresh) underWay.delete(text)
    }
    for (const text of texts) {
      known.delete(text)
      known.set(text, held.get(text)!)
    }
    for (const text of known.keys()) {
      if (known.size <= mostQueries) break
      known.delete(text)
    }
    return texts.map((text) => held.get(text)!)
  }
}
