import { beginningOf } from '../../domain/text/cut.ts'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { maskSecrets } from '../../domain/text/secrets.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import { embeddingFailures } from '../../retrieval/rank/embedding-model-error.ts'
import { aboutTokens } from '../../retrieval/rank/spending.ts'
import { NotAgreedError, type Sending } from '../../store/catalog-writer.ts'
import { instructedQuery } from '../transformers/files/options.ts'
import { type AskVectors, askVectors, type EmbedReach, queriesOf } from './ask-vectors.ts'
import { cardVectors } from './card-vectors.ts'
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

/** As an embedding that a service makes. */
type ServedModel = EmbeddingModel & Required<Pick<EmbeddingModel, 'service'>>

/**
 * An embedding that a service makes. Vectors of cards are kept as they come, so that a run which ends early goes on where it was, and no
 * card is paid for twice. Nothing is sent before something is asked of it.
 */
export function embedApi(options: EmbedOptions, surroundings: EmbedSurroundings): ServedModel {
  const { base, model } = options
  const { host } = new URL(base)
  const ask = askVectors(options, surroundings)
  const id = idOf(options)
  const key = shortHash(id)
  const agreement = agreementIn(surroundings.folder, shortHash(`${id}\n${surroundings.store}`))
  let isOfStore = false
  const isAgreed = () => isOfStore || (options.unasked ?? 0) > 0 || agreement.isThere()
  const length = vectorLength(host, options.dimensions ?? keptLength(surroundings.folder, key))
  const checked: AskVectors = async (...asked) => {
    if (!isAgreed()) throw new NotAgreedError({ purpose: 'embedding', host })
    const vectors = await ask(...asked)
    length.check(vectors[0]!.length)
    return vectors
  }
  const sent = sentTexts(options)
  const queries = queriesOf(checked, options.batch)
  const fileOf = (values: number): string => join(surroundings.folder, `${key}.${values}.bin`)
  const documents = cardVectors(
    { ...options, host, fileOf, dimensions: length.now, wasAgreed: agreement.isThere() },
    checked,
  )
  const embedInstructed = async (query: string, instruction: string, signal?: AbortSignal) => {
    const [vector] = await queries([sent.instructed(query, instruction)], signal)
    return vector!
  }
  return {
    id,
    get dimensions() {
      return length.required()
    },
    async embed(texts, role, signal) {
      signal?.throwIfAborted()
      return role === 'query'
        ? queries(texts.map(sent.query), signal)
        : documents.embed(texts.map(sent.document), signal)
    },
    ...(sent.hasTaskPlace ? { embedInstructed } : {}),
    service: {
      sendingOf(texts) {
        const fresh = documents.begin(texts.map(sent.document))
        const isAllowed = isAgreed() && fresh.length <= documents.allowed()
        return { purpose: 'embedding', host, model, ...amountOf(fresh, surroundings), isAgreed: isAllowed }
      },
      agree({ texts }) {
        agreement.keep()
        documents.allow(texts)
      },
      isAgreed,
      async ready({ stored, signal, forIndex = false } = {}) {
        length.begin(stored)
        isOfStore ||= stored !== undefined
        if (length.now() === undefined) await checked(['audition'], forIndex ? 'document' : 'query', signal)
        if (stored !== undefined) length.checkStored(stored)
      },
    },
    close: async () => {},
  }
}

/** Values of a vector, which are the same of all. */
function vectorLength(host: string, known: number | undefined) {
  let length = known
  const fault = (found: number, wanted: number): Error =>
    embeddingFailures.ofAnswer(host, `its vectors have ${found} dimensions, not ${wanted}`)
  return {
    now: () => length,
    required(): number {
      if (length === undefined) throw new Error(`Nobody asked ${host} yet how long its vectors are.`)
      return length
    },
    begin(stored: number | undefined): void {
      length ??= stored
    },
    check(found: number): void {
      length ??= found
      if (found !== length) throw fault(found, length)
    },
    checkStored(stored: number): void {
      if (stored !== length) throw fault(length!, stored)
    },
  }
}

/** Texts as they are sent: without secrets, and no longer than they may be. */
function sentTexts({ queryPrefix, documentPrefix, maxCharacters }: EmbedOptions) {
  const cut = (text: string): string => beginningOf(maskSecrets(text), maxCharacters) || '-'
  return {
    hasTaskPlace: instructedQuery(queryPrefix, '', '') !== undefined,
    query: (text: string): string => cut(queryPrefix + text),
    document: (text: string): string => cut(documentPrefix + text),
    instructed: (query: string, instruction: string): string =>
      cut(instructedQuery(queryPrefix, query, instruction)!),
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
