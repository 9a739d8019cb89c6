import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { bytesOf, type SharedBytes } from '../../vectors/kernels/web-assembly.ts'
import { openEmbedding, openInteraction } from '../../vectors/embedding/packed-embedding.ts'
import {
  type StaticEmbedding,
  type StaticWeights,
  staticEmbedding,
} from '../../vectors/embedding/static-embedding.ts'
import { readWeights } from '../../vectors/weight-file.ts'
import { answerFeatureNames, readerAnswerFeatureNames } from '../../retrieval/rank/answer-features.ts'
import type { BoostedTrees } from '../../retrieval/rank/boosted-trees.ts'
import { featureNames, readerFeatureNames } from '../../retrieval/rank/candidate-features.ts'
import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import type { LearnedRanker } from '../../retrieval/rank/learned-ranker.ts'
import { openTrees } from '../../retrieval/rank/packed-trees.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import { englishAlone } from '../../retrieval/text/beside-english.ts'
import { textsOf } from '../../retrieval/text/card-texts.ts'
import { matchedTokens } from '../../retrieval/rank/soft-match.ts'
import { modelCard } from './model-card.ts'

/** Files of a model's folder. */
const modelFiles = {
  card: 'model.json',
  weights: 'weights.bin',
  interaction: 'interaction.bin',
  ranker: 'ranker.bin',
  answers: 'answers.bin',
  readingRanker: 'reading-ranker.bin',
  readingAnswers: 'reading-answers.bin',
} as const

const remedy = 'Install Audition again, or train the model anew: audition train --help'

/** What a model's folder holds. */
export type ModelParts = {
  /** The embedding, with its ranker when it has one: by itself it reads no cards. */
  readonly plain: CardEmbedding
  /** Where the reader lies that stands beside it, and the SHA-256 of its weights; null without one. */
  readonly reader: { readonly folder: string; readonly sha256: string } | null
  /** The ranker that looks at readings. */
  readonly ranker: LearnedRanker | undefined
}

type CardEmbedding = EmbeddingModel & Required<Pick<EmbeddingModel, 'embedCards'>>

/**
 * Opens a static embedding, with its ranker when it has one, from a folder that `audition train` wrote. A reader in it is left alone.
 *
 * @throws EmbeddingModelError when a file is missing, damaged, or not of this version; the message names it
 */
export const staticModel = async (folder: string): Promise<EmbeddingModel> => (await modelParts(folder)).plain

/**
 * Opens a folder that `audition train` wrote, all but its reader.
 *
 * @param read - gives the large files
 * @throws EmbeddingModelError when a file is missing, damaged, or not of this version; the message names it
 */
export async function modelParts(folder: string, read = readWeights): Promise<ModelParts> {
  const path = (file: string): string => join(folder, file)
  const beginReading = async (file: string): Promise<SharedBytes> => {
    try {
      return await read(file)
    } catch (error) {
      throw cannotBeRead(file, error)
    }
  }
  // The large files are read while the others are opened.
  const reading = [beginReading(path(modelFiles.weights))]
  try {
    const card = readCard(contentOf(path(modelFiles.card)), path(modelFiles.card))
    if (card.interaction) reading.push(beginReading(path(modelFiles.interaction)))
    const rankers = rankersOf(card, path)
    const [weights, interaction] = await Promise.all(reading)
    return opened(() => {
      const embedding = staticEmbedding(weightsOf(card, { weights: weights!, interaction }, path))
      return {
        plain: plainModel(card, embedding, rankers.plain?.(embedding)),
        reader: card.reader ? { ...card.reader, folder: path(card.reader.folder) } : null,
        ranker: rankers.reading?.(embedding),
      }
    })
  } catch (error) {
    await Promise.allSettled(reading)
    throw error
  }
}

function weightsOf(
  card: Card,
  { weights, interaction }: { readonly weights: SharedBytes; readonly interaction: SharedBytes | undefined },
  path: (file: string) => string,
): StaticWeights {
  const packed = { head: card, bytes: bytesOf(weights) }
  const own = { ...openEmbedding(packed, path(modelFiles.weights)), memory: weights.memory }
  if (!card.interaction || !interaction) return own
  const matched = { head: card.interaction, bytes: bytesOf(interaction) }
  const vectors = openInteraction(matched, card.tokens, path(modelFiles.interaction))
  return { ...own, interaction: { ...vectors, memory: interaction.memory } }
}

/** Opened before the embedding that they match words by. */
type OpenRanker = (embedding: StaticEmbedding) => LearnedRanker

function rankersOf(
  { ranker, answers, reading }: Card,
  path: (file: string) => string,
): { readonly plain: OpenRanker | undefined; readonly reading: OpenRanker | undefined } {
  const open = (name: string, { sha256 }: { readonly sha256: string }, features: readonly string[]) =>
    opened(() => {
      const file = path(name)
      const bytes = contentOf(file)
      const found = createHash('sha256').update(bytes).digest('hex')
      if (found !== sha256) throw new Error(`${file}: the checksum is not the one of the model card.`)
      return openTrees(bytes, { features, file })
    })
  const plain = ranker && {
    trees: open(modelFiles.ranker, ranker, featureNames),
    answers: answers && open(modelFiles.answers, answers, answerFeatureNames),
  }
  const read = reading && {
    trees: open(modelFiles.readingRanker, reading, readerFeatureNames),
    answers: reading.answers && open(modelFiles.readingAnswers, reading.answers, readerAnswerFeatureNames),
  }
  return {
    plain: plain && ranker && rankerOf({ ...ranker, answers }, plain),
    reading: read && reading && rankerOf(reading, read),
  }
}

const plainModel = (
  card: Card,
  embedding: StaticEmbedding,
  ranker: LearnedRanker | undefined,
): CardEmbedding => ({
  id: `static:${card.name}@${card.sha256.slice(0, 12)}`,
  dimensions: card.dimensions,
  ...(ranker ? { ranker } : {}),
  // A text that is not a card's reads like a description, the field that says what something does.
  embed: async (texts, role) =>
    texts.map((text) =>
      role === 'query' ? embedding.query(englishAlone(text)) : embedding.document({ description: text }),
    ),
  embedCards: async (cards) =>
    cards.map((card) => {
      const { body, enrichment, ...texts } = textsOf(card)
      // What a model wrote comes last: it was in no training.
      return embedding.document({ ...texts, body: [body, enrichment].filter(Boolean).join('\n') })
    }),
  close: async () => {},
})

type Card = z.infer<typeof modelCard>

const rankerOf =
  (
    { sha256, calibration, answers: answersCard }: NonNullable<Card['reading']>,
    { trees, answers }: { readonly trees: BoostedTrees; readonly answers: BoostedTrees | undefined },
  ): OpenRanker =>
  ({ tokens }) => ({
    id: sha256.slice(0, 12),
    trees,
    ...(answers ? { answers } : {}),
    ...(answersCard?.thresholds ? { thresholds: answersCard.thresholds } : {}),
    matcher: tokens,
    tokensOf: matchedTokens(tokens),
    calibration,
  })

function readCard(content: Uint8Array, file: string): Card {
  const parsed = opened(() => {
    try {
      return modelCard.safeParse(JSON.parse(new TextDecoder().decode(content)), { jitless: true }) // parsed once
    } catch (error) {
      throw new Error(`${file}: not JSON (${(error as Error).message}).`)
    }
  })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue?.path.length ? `${file}, ${issue.path.join('.')}` : file
  throw new EmbeddingModelError(`${place}: ${issue?.message}.`, remedy)
}

/** Synchronous: less than a millisecond, and less than through a pool of threads. */
function contentOf(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    throw cannotBeRead(file, error)
  }
}

const cannotBeRead = (file: string, error: unknown): EmbeddingModelError =>
  new EmbeddingModelError(
    `${file} cannot be read: ${(error as Error).message}.`,
    'Name the folder of a model that `audition train` made, or unset AUDITION_MODEL; if it is, install Audition again.',
    { cause: error },
  )

/** Damage of any part becomes one kind of error. */
function opened<T>(open: () => T): T {
  try {
    return open()
  } catch (error) {
    throw new EmbeddingModelError((error as Error).message, remedy, { cause: error })
  }
}
