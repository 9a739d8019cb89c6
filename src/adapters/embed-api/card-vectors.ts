import { countOf } from '../../domain/text/count-of.ts'
import { EmbeddingServiceError } from '../../retrieval/rank/embedding-model-error.ts'
import { NotAgreedError } from '../../store/catalog-writer.ts'
import { type RoundedVector, roundedVector, unitOfRounded } from '../../vectors/rounded-vector.ts'
import { vectorCache } from '../../vectors/vector-cache.ts'
import { type AskVectors, requestsOf } from './ask-vectors.ts'
import type { EmbedOptions } from './options.ts'

/** Bytes of kept vectors from which on the file is begun anew: 600,000 cards of 3072 values. */
const mostKept = 2 ** 31

/** Texts of changed cards that are sent without a question, once somebody agreed to send the first. */
const usuallyUnasked = 500

type CardVectorOptions = Pick<EmbedOptions, 'batch' | 'unasked'> & {
  readonly host: string
  /** Values of a vector; undefined as long as none came, and none are kept. */
  readonly dimensions: () => number | undefined
  readonly fileOf: (dimensions: number) => string
  /** Whether somebody agreed before to send cards of this store. */
  readonly wasAgreed: boolean
}

/** Vectors of cards, kept in a file, and only as many asked for as may be sent. */
export function cardVectors(
  { batch, unasked, host, dimensions, fileOf, wasAgreed }: CardVectorOptions,
  ask: AskVectors,
) {
  let cache: ReturnType<typeof vectorCache> | undefined
  const kept = (): typeof cache => {
    const length = dimensions()
    if (length !== undefined)
      cache ??= vectorCache({ file: fileOf(length), dimensions: length, salt: '1', mostBytes: mostKept })
    return cache
  }
  const find = (texts: readonly string[]) => kept()?.find(texts) ?? texts.map(() => undefined)
  let agreed = 0
  let left = unasked ?? (wasAgreed ? usuallyUnasked : 0)
  /** Of the texts that are to be embedded, as far as they were told, and those that came since. */
  let due = 0
  let came = 0
  const embedFresh = async (
    texts: readonly string[],
    made: Map<string, Float32Array>,
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    if (texts.length > agreed + left)
      throw new NotAgreedError({ purpose: 'embedding', host, texts: texts.length })
    for (const request of requestsOf(texts, batch)) {
      const vectors = await ask(request, 'document', signal)
      const ofAgreed = Math.min(agreed, request.length)
      agreed -= ofAgreed
      left -= request.length - ofAgreed
      // What is kept is rounded, and so is what was not kept yet.
      const rounded = vectors.map((vector) => roundedVector(vector, [vector.length])!)
      kept()!.add(request.map((text, at) => ({ text, vector: rounded[at]! })))
      for (const [at, text] of request.entries()) made.set(text, unitOfRounded(rounded[at]!))
      came += request.length
    }
  }
  return {
    /** Those of the texts that would be sent, of which the next ones are counted. */
    begin(texts: readonly string[]) {
      const fresh = freshOf(texts, find(texts))
      due = fresh.length
      came = 0
      return fresh
    },
    allowed: () => agreed + left,
    allow(texts: number) {
      agreed = Math.max(agreed, texts)
    },
    async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
      const known = find(texts)
      const fresh = freshOf(texts, known)
      const made = new Map<string, Float32Array>()
      const all = Math.max(due, came + fresh.length)
      await embedFresh(fresh, made, signal).catch((error: unknown) => {
        if (!(error instanceof EmbeddingServiceError) || came === 0) throw error
        const kept = `Of ${countOf(all, 'text')} ${came} came back as vectors, which are kept: the next run goes on where this one ended.`
        throw new EmbeddingServiceError(error.message, `${error.remedy} ${kept}`, { cause: error })
      })
      return texts.map((text, place) => (known[place] ? unitOfRounded(known[place]) : made.get(text)!))
    },
  }
}

const freshOf = (
  texts: readonly string[],
  known: readonly (RoundedVector | undefined)[],
): readonly string[] => [...new Set(texts.filter((_, place) => known[place] === undefined))]
