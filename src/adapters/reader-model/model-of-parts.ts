import { setImmediate } from 'node:timers/promises'
import { opener } from '../../domain/once.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import type { LearnedRanker } from '../../retrieval/rank/learned-ranker.ts'
import { roundedVector, unitOfRounded } from '../../vectors/rounded-vector.ts'
import type { TextReader } from './open-reader.ts'
import type { VectorCache } from '../../vectors/vector-cache.ts'
import type { Card } from '../../domain/card.ts'
import { partedCase } from '../../domain/text/word-rules.ts'

/** An embedding of texts and cards. */
export type PlainModel = EmbeddingModel & Required<Pick<EmbeddingModel, 'embedCards'>>

/** What stands beside an embedding. */
type ReadingPart = {
  /** SHA-256 of the reader's weights. */
  readonly sha256: string
  /** Values of its vectors. */
  readonly dimensions: number
  /** Called when something is first read, and not again once it gave a reader. */
  readonly open: () => Promise<TextReader>
  /** What was read of cards before. */
  readonly cache: VectorCache
  /** A ranker that looks at readings. Absent: the plain model's stands for it. */
  readonly ranker: LearnedRanker | undefined
  /** See `EmbeddingModel`. */
  readonly mostCards: number
}

/** Texts that are read before others may have the thread. */
const textsAtOnce = 64
/** Requests that are remembered: those of one task, which is searched for as a whole, by its steps, and among agents. */
const remembered = 12

/**
 * An embedding and a reader side by side: a vector is that of the one and that of the other, each divided by the square root of 2.
 *
 * @param plain - the embedding
 */
export function modelOfParts(plain: PlainModel, part: ReadingPart): PlainModel {
  const { sha256, dimensions, cache, mostCards } = part
  const reader = opener(part.open)
  const ranker = part.ranker ?? plain.ranker

  const recent = new Map<string, Float32Array>()
  const readQueries = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    const known = new Map(recent)
    const fresh = [...new Set(texts.filter((text) => !known.has(text)))]
    const vectors = fresh.length === 0 ? [] : (await reader()).encodeQueries(fresh)
    for (const [place, text] of fresh.entries()) known.set(text, vectors[place]!)
    for (const text of texts) {
      recent.delete(text)
      recent.set(text, known.get(text)!)
    }
    for (const text of [...recent.keys()].slice(0, -remembered)) recent.delete(text)
    return texts.map((text) => known.get(text)!)
  }

  /** Cards are read once: what was kept of them is rounded, and so is what was not kept yet. */
  const readDocuments = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    const known = cache.find(texts)
    const fresh = [...new Set(texts.filter((_, place) => known[place] === undefined))]
    const vectors = fresh.length === 0 ? [] : (await reader()).encodeCards(fresh)
    const read = fresh.map((text, place) => ({ text, vector: roundedVector(vectors[place]!, [dimensions])! }))
    if (read.length > 0) cache.add(read)
    const byText = new Map(read.map(({ text, vector }) => [text, vector]))
    return texts.map((text, place) => unitOfRounded(known[place] ?? byText.get(text)!))
  }

  return {
    id: `${plain.id}+${sha256.slice(0, 12)}`,
    dimensions: plain.dimensions + dimensions,
    parts: [plain.dimensions, dimensions],
    plain,
    mostCards,
    ...(ranker ? { ranker } : {}),
    async embed(texts, role, signal) {
      signal?.throwIfAborted()
      const first = await plain.embed(texts, role, signal)
      return joined(first, await inSteps(texts, role === 'query' ? readQueries : readDocuments, signal))
    },
    async embedCards(cards) {
      const first = await plain.embedCards(cards)
      return joined(first, await inSteps(cards.map(cardText), readDocuments))
    },
    async close() {
      await plain.close()
      await (await reader.opened())?.close()
    },
  }
}

/** Between two steps whoever waits for the thread has it: timers, signals, other searches. */
async function inSteps(
  texts: readonly string[],
  read: (some: readonly string[]) => Promise<readonly Float32Array[]>,
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let from = 0; from < texts.length; from += textsAtOnce) {
    if (texts.length > 1) await setImmediate()
    signal?.throwIfAborted()
    vectors.push(...(await read(texts.slice(from, from + textsAtOnce))))
  }
  return vectors
}

/** Vectors side by side, a unit vector together where each of the two is one. */
const joined = (first: readonly Float32Array[], second: readonly Float32Array[]): readonly Float32Array[] =>
  first.map((own, place) => {
    const read = second[place]!
    const whole = new Float32Array(own.length + read.length)
    whole.set(own)
    whole.set(read, own.length)
    return whole.map((value) => value / Math.SQRT2)
  })

const longestDescription = 420
const mostNames = 8

/**
 * What a reader reads of a card: "server: name: description (parameter, parameter)"; of an agent its tools stand in place of
 * parameters. Readers are trained on this text: it changes with a new format of reader only.
 */
export function cardText(card: Card): string {
  const names = card.kind === 'tool' ? card.parameters.filter(isOutermost) : card.tools
  const listed = names.slice(0, mostNames).map(({ name }) => spaced(name))
  const description = singleSpaced(descriptionOf(card).slice(0, longestDescription))
  return `${headOf(card)}: ${description}${listed.length > 0 ? ` (${listed.join(', ')})` : ''}`
}

/** The name, behind that of its server where it does not say it itself. */
function headOf(card: Card): string {
  const name = spaced(card.name)
  const server = card.kind === 'tool' && card.server ? spaced(card.server) : ''
  return server === '' || name.toLowerCase().includes(server.toLowerCase()) ? name : `${server}: ${name}`
}

const descriptionOf = (card: Card): string =>
  card.description || (card.kind === 'agent' ? (card.instructions ?? '') : '')

/** Properties of parameters have names with dots. */
const isOutermost = ({ name }: { readonly name: string }): boolean => !name.includes('.')

/** The words of a name: `getUserById`, `get_user-by.id`. */
const spaced = (name: string): string => singleSpaced(partedCase(name).replace(/[_\-./:]+/g, ' '))

const singleSpaced = (text: string): string => text.replace(/\s+/g, ' ').trim()
