import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'
import { EmbeddingServiceError, embeddingFailures } from '../../retrieval/rank/embedding-model-error.ts'
import { aboutTokens } from '../../retrieval/rank/spending.ts'
import { NotAgreedError, type Sending } from '../../store/catalog-writer.ts'
import { roundedVector, unitOfRounded } from '../../vectors/rounded-vector.ts'
import { vectorCache } from '../../vectors/vector-cache.ts'
import { instructedQuery } from '../transformers/files/options.ts'
import { askVectors, type AskVectors, type EmbedReach, requestsOf, queriesOf } from './ask-vectors.ts'
import type { EmbedOptions } from './options.ts'

/** How a service is reached, and where its answers are kept. */
export type EmbedSurroundings = EmbedReach & {
  /** Folder for the vectors of cards, and for what was agreed to. */
  readonly folder: string
  /** Where the store lies whose cards are sent: each is agreed to by itself. */
  readonly store: string
  /** US dollars of so many tokens; undefined where nobody stated the price. */
  readonly costOf: (tokens: number) => number | undefined
}

/** Bytes of kept vectors from which on the file is begun anew: 600,000 cards of 3072 values. */
const mostKept = 2 ** 31

/** As an embedding that a service makes. */
type ServedModel = EmbeddingModel & Required<Pick<EmbeddingModel, 'service'>>

/**
 * An embedding that a service makes. Vectors of cards are kept as they come, so that a run which ends early goes on where it was, and no
 * card is paid for twice. Nothing is sent before something is asked of it.
 */
export function embedApi(options: EmbedOptions, surroundings: EmbedSurroundings): ServedModel {
  const { base, model, queryPrefix, documentPrefix } = options
  const { host } = new URL(base)
  const ask = askVectors(options, surroundings)
  const id = idOf(options)
  const key = shortHash(id)
  const agreement = agreementIn(surroundings.folder, shortHash(`${id}\n${surroundings.store}`))
  let isOfStore = false
  const isAgreed = () => isOfStore || (options.unasked ?? 0) > 0 || agreement.isThere()
  let dimensions = options.dimensions ?? keptLength(surroundings.folder, key)
  const ofOtherLength = (length: number, wanted: number) =>
    embeddingFailures.ofAnswer(host, `its vectors have ${length} dimensions, not ${wanted}`)
  const checked: AskVectors = async (...asked) => {
    if (!isAgreed()) throw new NotAgreedError({ purpose: 'embedding', host })
    const vectors = await ask(...asked)
    const { length } = vectors[0]!
    dimensions ??= length
    if (length === dimensions) return vectors
    throw ofOtherLength(length, dimensions)
  }
  const cut = (text: string): string => maskSecrets(text).slice(0, options.maxCharacters) || '-'
  const queries = queriesOf(checked, options.batch)
  const documents = documentsOf(
    {
      ...options,
      host,
      dimensions: () => dimensions,
      wasAgreed: agreement.isThere(),
      fileOf: (length) => join(surroundings.folder, `${key}.${length}.bin`),
    },
    checked,
  )
  const asQuery = (text: string): string => cut(queryPrefix + text)
  const asDocument = (text: string): string => cut(documentPrefix + text)
  return {
    id,
    get dimensions() {
      if (dimensions === undefined) throw new Error(`Nobody asked ${host} yet how long its vectors are.`)
      return dimensions
    },
    async embed(texts, role, signal) {
      signal?.throwIfAborted()
      if (role === 'document') return documents.embed(texts.map(asDocument), signal)
      return queries(texts.map(asQuery), signal)
    },
    ...(instructedQuery(queryPrefix, '', '') !== undefined
      ? {
          async embedInstructed(query: string, instruction: string, signal?: AbortSignal) {
            const [vector] = await queries([cut(instructedQuery(queryPrefix, query, instruction)!)], signal)
            return vector!
          },
        }
      : {}),
    service: {
      sendingOf(texts) {
        const fresh = documents.begin(texts.map(asDocument))
        const isAllowed = isAgreed() && fresh.length <= documents.allowed()
        return { purpose: 'embedding', host, model, ...amountOf(fresh, surroundings), isAgreed: isAllowed }
      },
      agree({ texts }) {
        agreement.keep()
        documents.allow(texts)
      },
      isAgreed,
      async ready({ stored, signal, forIndex = false } = {}) {
        dimensions ??= stored
        isOfStore ||= stored !== undefined
        if (dimensions === undefined) await checked(['audition'], forIndex ? 'document' : 'query', signal)
        if (stored !== undefined && stored !== dimensions) throw ofOtherLength(dimensions!, stored)
      },
    },
    close: async () => {},
  }
}

function amountOf(
  texts: readonly string[],
  { costOf }: Pick<EmbedSurroundings, 'costOf'>,
): Pick<Sending, 'texts' | 'tokens' | 'cost'> {
  const tokens = texts.reduce((sum, text) => sum + aboutTokens(text), 0)
  const cost = costOf(tokens)
  return { texts: texts.length, tokens, ...(cost === undefined ? {} : { cost }) }
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** That somebody agreed to send the cards of a store, for this process and later ones: an empty file. */
function agreementIn(folder: string, name: string) {
  const file = join(folder, `agreed-${name}`)
  let isKept = false
  return {
    isThere: () => isKept || existsSync(file),
    keep() {
      isKept = true
      try {
        mkdirSync(folder, { recursive: true })
        writeFileSync(file, '')
      } catch {
        // A cache that cannot be written: the next process asks again.
      }
    },
  }
}

/** Everything that changes the vectors of cards; of the address no query, where keys may stand. */
function idOf({ base, format, model, dimensions, documentPrefix }: EmbedOptions): string {
  const { origin, pathname } = new URL(base)
  const settings = new URLSearchParams({
    format,
    ...(dimensions === undefined ? {} : { dimensions: String(dimensions) }),
    ...(documentPrefix === '' ? {} : { documentPrefix }),
  })
  return `embed:${origin}${pathname.replace(/\/$/, '')}#${model}?${settings}`
}

/** The length of the vectors that are kept of a model; undefined where there are none, or of several lengths. */
function keptLength(folder: string, key: string): number | undefined {
  try {
    const lengths = readdirSync(folder).flatMap((name) =>
      name.startsWith(`${key}.`) ? [name.split('.')[1]] : [],
    )
    return lengths.length === 1 ? Number(lengths[0]) : undefined
  } catch {
    return undefined
  }
}

/** Texts of changed cards that are sent without a question, once somebody agreed to send the first. */
const usuallyUnasked = 500

type Documents = Pick<EmbedOptions, 'batch' | 'unasked'> & {
  readonly host: string
  /** Values of a vector; undefined as long as none came, and none are kept. */
  readonly dimensions: () => number | undefined
  readonly fileOf: (dimensions: number) => string
  /** Whether somebody agreed before to send cards of this store. */
  readonly wasAgreed: boolean
}

/** Vectors of cards, kept in a file, and only as many asked for as may be sent. */
function documentsOf({ batch, unasked, host, dimensions, fileOf, wasAgreed }: Documents, ask: AskVectors) {
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
  const freshOf = (texts: readonly string[], known: ReturnType<typeof find>): readonly string[] => [
    ...new Set(texts.filter((_, place) => known[place] === undefined)),
  ]
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
