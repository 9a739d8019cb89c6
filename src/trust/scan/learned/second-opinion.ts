import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from '../../../domain/once.ts'
import { packageRoot } from '../../../package-root.ts'
import { readData } from '../../../read-data.ts'
import { bytesOf } from '../../../vectors/kernels/web-assembly.ts'
import { openEncoder } from '../../../vectors/reader/encoder.ts'
import type { EncoderShape } from '../../../vectors/reader/encoder-tables.ts'
import { readWeightsNow } from '../../../vectors/weight-file.ts'
import { wordPiece } from '../../../vectors/reader/word-piece.ts'
import type data from './second-opinion.json'

/** What the tokens of a text are after the first layers of the reader that comes with this package: rows of `hidden` values. */
export type TokenReader = (text: string) => Float32Array

/** A reader's first layers, by its files. */
export type ReaderPart = {
  readonly shape: EncoderShape
  readonly files: { readonly [name in 'weights' | 'vocabulary']: { file: string; sha256: string } }
}

/** What a reader's tokens say for or against an attack: each unit hears the token that it answers to most. */
export type OpinionHead = {
  /** `hidden` values of each unit, one unit after the other; `scales` times these count. */
  readonly units: Int8Array
  readonly scales: readonly number[]
  readonly biases: readonly number[]
  /** What each unit counts for, where it answers at all. */
  readonly votes: readonly number[]
  readonly bias: number
}

/** As it stands in its file, which `npm run scan-model` writes. */
export type PackedOpinion = ReaderPart & Omit<OpinionHead, 'units'> & { readonly units: string }

/** Tokens of a text that are read. */
const mostTokens = 96
/** Catalogs say the same of many parameters, and what is cut out of a text is looked through again. */
const mostRemembered = 2_000

/** The logarithm of the odds that a head adds to those of the model of sentences. */
export function opinionOn({ units, scales, biases, votes, bias }: OpinionHead, rows: Float32Array): number {
  const hidden = units.length / votes.length
  let sum = bias
  for (let unit = 0; unit < votes.length; unit++) {
    let most = 0
    for (let row = 0; row < rows.length; row += hidden) {
      let activation = 0
      for (let at = 0; at < hidden; at++) activation += rows[row + at]! * units[unit * hidden + at]!
      most = Math.max(most, activation * scales[unit]! + biases[unit]!)
    }
    sum += most * votes[unit]!
  }
  return sum
}

/**
 * What stands between noticed and held for a sentence that the model of sentences notices: the reader's word on it. Opened when the first
 * such sentence comes; null where the reader is not there, or another one than it was learned with.
 */
export const secondOpinion = once((): ((text: string) => number) | null => {
  const packed = readData<typeof data>(new URL('./second-opinion.json', import.meta.url))
  const read = tokenReader(packed)
  if (read === null) return null
  const head = { ...packed, units: new Int8Array(Buffer.from(packed.units, 'base64')) }
  const remembered = new Map<string, number>()
  return (text) => {
    const opinion = remembered.get(text) ?? opinionOn(head, read(text))
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(text, opinion)
    return opinion
  }
})

/** @returns null where a file is missing, or not the one of the part */
export function tokenReader({ shape, files }: ReaderPart): TokenReader | null {
  const folder = join(packageRoot, 'embeddings/audition-1/reader')
  const path = (name: keyof ReaderPart['files']): string => join(folder, files[name].file)
  try {
    const vocabulary = readFileSync(path('vocabulary'))
    const weights = readWeightsNow(path('weights'))
    if (sha256(vocabulary) !== files.vocabulary.sha256) return null
    if (sha256(bytesOf(weights)) !== files.weights.sha256) return null
    const pieces = wordPiece(vocabulary.toString('utf8'), files.vocabulary.file)
    const encoder = openEncoder({ weights, shape, file: files.weights.file, threads: 1 })
    return (text) => encoder.rowsOf(pieces.tokens(text, mostTokens))
  } catch {
    return null
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
