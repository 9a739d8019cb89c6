import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TreeModel } from '../../../src/retrieval/rank/boosted-trees.ts'
import { featureNames } from '../../../src/retrieval/rank/candidate-features.ts'
import { packTrees } from '../../../src/retrieval/rank/packed-trees.ts'
import { packEmbedding, packInteraction } from '../../../src/vectors/embedding/packed-embedding.ts'
import { byteTokens } from '../../../src/vectors/embedding/segment-word.ts'
import { quantise, type StaticWeights } from '../../../src/vectors/embedding/static-embedding.ts'
import { quantiseVectors, type TokenVectors } from '../../../src/vectors/embedding/token-vectors.ts'
import { vocabularyOf } from '../../../src/vectors/embedding/vocabulary.ts'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'
import { split } from '../../fakes/ranking-model.ts'
import { modelOf } from '../../retrieval/arbitrary-trees.ts'

const words = ['send', 'dispatch', 'email', 'letter', 'weather', 'city', 'issue', 'flight'] as const
const dimensions = 8
const vocabulary = vocabularyOf([...byteTokens, ...words])

/** Words by twos mean the same: each pair has an axis of its own. Bytes mean nothing, but for a little of their own. */
const table = Float32Array.from({ length: vocabulary.size * dimensions }, (_, at) => {
  const [token, axis] = [Math.floor(at / dimensions), at % dimensions]
  const word = token - byteTokens.length
  if (word < 0) return axis === 4 + (token % 4) ? 0.01 : 0
  return axis === Math.floor(word / 2) ? 1 : axis === 4 ? 0.1 * word : 0
})

/** Queries and documents weigh `send` and its like unlike. */
export const weights: StaticWeights = quantise({
  vocabulary,
  dimensions,
  table,
  queryWeights: Float32Array.from({ length: vocabulary.size }, (_, token) => (token % 2) * 0.5),
  documentWeights: Float32Array.from({ length: vocabulary.size }, (_, token) => -(token % 2) * 0.5),
  queryLimit: 16,
  fields: [
    { name: 'name', limit: 8, weight: 2 },
    { name: 'description', limit: 16, weight: 1 },
  ],
})

export const trees: TreeModel = modelOf(
  [split('soft-coverage', 0.5, { atMost: -1, above: 1 }), split('cosine', 0.2, { atMost: -0.5, above: 0.5 })],
  featureNames,
)
export const calibration = { slope: 1.5, intercept: -0.25 }

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Vectors of the same tokens that differ: words by fours mean the same. */
export const interaction: TokenVectors = quantiseVectors({
  dimensions: 16,
  table: Float32Array.from({ length: vocabulary.size * 16 }, (_, at) => {
    const [word, axis] = [Math.floor(at / 16) - byteTokens.length, at % 16]
    return word < 0 ? 0 : axis === Math.floor(word / 4) ? 1 : axis === 4 ? 0.1 * word : 0
  }),
  queryWeights: new Float32Array(vocabulary.size).fill(1),
  documentWeights: new Float32Array(vocabulary.size).fill(2),
})

/** What a test may write otherwise. */
export type FolderOptions = {
  /** Whether words are matched by {@link interaction}. @defaultValue false: by the embedding's own vectors */
  readonly withInteraction?: boolean
  /** @defaultValue {@link trees}; null writes an embedding alone */
  readonly ranker?: TreeModel | null
  /** Writes a reader beside it, and a ranker over readings where one is given. @defaultValue neither */
  readonly reading?: { readonly reader: (folder: string) => void; readonly ranker?: TreeModel }
  /** Changes the card before it is written. */
  readonly card?: (card: { [field: string]: unknown }) => unknown
}

/** A folder as `audition train` writes it; gone after the test. */
export function modelFolder({
  ranker = trees,
  withInteraction = false,
  reading,
  card = (own) => own,
}: FolderOptions = {}): string {
  const folder = temporaryFolder()
  const { head, bytes } = packEmbedding(weights)
  writeFileSync(join(folder, 'weights.bin'), bytes)
  const packed = ranker && packTrees(ranker)
  if (packed) writeFileSync(join(folder, 'ranker.bin'), packed)
  const matched = withInteraction ? packInteraction(interaction) : null
  if (matched) writeFileSync(join(folder, 'interaction.bin'), matched.bytes)
  const own = {
    name: 'small-1',
    ...head,
    ...(matched ? { interaction: matched.head } : {}),
    ...(packed ? { ranker: { file: 'ranker.bin', sha256: sha256(packed), calibration } } : {}),
    ...(reading ? writeReading(folder, reading) : {}),
    card: { made: 'for a test' },
  }
  writeFileSync(join(folder, 'model.json'), JSON.stringify(card(own)))
  return folder
}

/** @returns what the card says of it */
function writeReading(folder: string, { reader, ranker }: NonNullable<FolderOptions['reading']>): object {
  reader(join(folder, 'reader'))
  const bytes = ranker && packTrees(ranker)
  if (bytes) writeFileSync(join(folder, 'reading-ranker.bin'), bytes)
  const weightsOfReader = readFileSync(join(folder, 'reader', 'weights.safetensors'))
  return {
    format: 'audition-static-embedding/2',
    reader: { folder: 'reader', sha256: sha256(weightsOfReader) },
    ...(bytes ? { reading: { file: 'reading-ranker.bin', sha256: sha256(bytes), calibration } } : {}),
  }
}
