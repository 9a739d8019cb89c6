import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { once } from '../../../domain/once.ts'
import { readData } from '../../../read-data.ts'
import type { Register } from '../card-texts.ts'
import { featureCount, featuresOf } from './features.ts'
import type data from './sentence-weights.json'
import type { Window } from './windows.ts'

/** A logistic regression over {@link featuresOf}: `scale * weight` is added up. */
export type SentenceModel = {
  /** One per feature. */
  readonly weights: Int8Array
  readonly scale: number
  readonly bias: number
}

/** The model as it stands in its file, which `npm run scan-model` writes: weights packed by Brotli, in base64. */
export type PackedSentenceModel = Omit<SentenceModel, 'weights'> & {
  readonly weights: string
  /** SHA-256 of the unpacked weights, hexadecimal. */
  readonly sha256: string
}

/** Long windows have more features, and each counts less. */
export const shareOf = (features: number): number => 1 / features ** 0.4

/** How much a window reads like an attack: the logarithm of the odds among what the model was taught with. */
export function scoreOf({ weights, scale, bias }: SentenceModel, window: Window, register: Register): number {
  const features = featuresOf(window, register)
  let sum = 0
  for (let at = 0; at < features.length; at++) sum += weights[features[at]!]!
  return bias + scale * sum * shareOf(features.length)
}

/** The model that comes with the scan; opened when it is first asked. */
export const sentenceModel = once(() =>
  openSentenceModel(readData<typeof data>(new URL('./sentence-weights.json', import.meta.url))),
)

/** @throws Error when the weights are not those that were packed */
export function openSentenceModel({ weights, scale, bias, sha256 }: PackedSentenceModel): SentenceModel {
  const bytes = unpacked(weights)
  if (bytes?.length !== featureCount || checksum(bytes) !== sha256)
    throw new Error(
      'The weights of the scan of descriptions are damaged. Install the package again, or make them anew: npm run scan-model',
    )
  return { weights: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), scale, bias }
}

function unpacked(weights: string): Buffer | undefined {
  try {
    return brotliDecompressSync(Buffer.from(weights, 'base64'))
  } catch {
    return undefined
  }
}

export function packSentenceModel({ weights, scale, bias }: SentenceModel): PackedSentenceModel {
  const bytes = Buffer.from(weights.buffer, weights.byteOffset, weights.length)
  return { scale, bias, sha256: checksum(bytes), weights: brotliCompressSync(bytes).toString('base64') }
}

const checksum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
