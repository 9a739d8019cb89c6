import { createHash } from 'node:crypto'
import type { EmbeddingModel } from '../../src/retrieval/ports.ts'

/** How a scattered model differs from the next one. */
export type ScatteredModelOptions = {
  /** @defaultValue 'scattered' */
  readonly id?: string
  /** @defaultValue 8 */
  readonly dimensions?: number
  /** Called before each batch of documents is embedded. */
  readonly onEmbed?: (texts: readonly string[], role: 'query' | 'document') => void
}

/**
 * An embedding without meaning: every text has a direction of its own, the same in every process, so that no two
 * different texts are equally near to anything.
 */
export function scatteredModel({
  id = 'scattered',
  dimensions = 8,
  onEmbed = () => undefined,
}: ScatteredModelOptions = {}): EmbeddingModel {
  return {
    id,
    dimensions,
    async embed(texts, role, signal) {
      signal?.throwIfAborted()
      onEmbed(texts, role)
      return texts.map((text) => directionOf(`${id}\n${text}`, dimensions))
    },
    close: async () => {},
  }
}

function directionOf(text: string, dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, (_, axis) => {
    const digest = createHash('sha256').update(`${axis}\n${text}`).digest()
    return digest.readUInt32LE(0) / 2 ** 31 - 1
  })
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
