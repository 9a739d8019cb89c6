import { beginningOf } from '../../domain/text/cut.ts'
import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import type { Pooling } from './files/options.ts'
import {
  type WorkerModel,
  findOutput,
  floats,
  type LoadedModel,
  otherNumbers,
  type Outputs,
  outputsInWords,
  tokenise,
} from './load-model.ts'

/** Outputs that hold one vector per token, and one per text, by the names exporters give them. */
const tokenOutputs = ['last_hidden_state', 'token_embeddings']
const textOutputs = ['sentence_embedding', 'text_embeds', 'embeddings']

/**
 * Makes unit vectors of a model's outputs. Computes one text to learn their length.
 *
 * @throws EmbeddingModelError when the model is not made for embedding
 */
export async function loadEmbedder(model: LoadedModel, pooling: Pooling): Promise<WorkerModel> {
  const { tokenizer, maxTokens } = model

  async function vectors(texts: readonly string[]): Promise<{ rows: Float32Array; dimensions: number }> {
    const batch = tokenise(texts, tokenizer, maxTokens)
    const outputs = await model.run(batch)
    if (pooling === 'model') {
      const pooled = pick(outputs, { names: textOutputs, rank: 2 }, pooling)
      return { rows: floats(pooled), dimensions: pooled.dims[1]! }
    }
    const width = Math.max(...batch.lengths)
    const hidden = pick(outputs, { names: tokenOutputs, rank: 3 }, pooling)
    const [count = 0, tokens = 0, dimensions = 0] = hidden.dims
    if (count !== texts.length || tokens !== width) {
      throw new EmbeddingModelError(
        `The model answered ${count} x ${tokens} token vectors to ${texts.length} x ${width} tokens.`,
        'It is not a plain text encoder: choose an embedding model.',
      )
    }
    const data = floats(hidden)
    const rows = poolTokens({ data, texts: count, tokens, dimensions }, batch.lengths, pooling)
    return { rows, dimensions }
  }

  async function encode(texts: readonly string[]) {
    const { rows, dimensions } = await vectors(texts)
    const bad = normaliseRows(rows, dimensions)
    if (bad === null) return { rows, dimensions }
    throw new EmbeddingModelError(
      `The model gave no direction for the text "${beginningOf(texts[bad]!, 60)}": a vector of zeros, infinities or NaN.`,
      otherNumbers(model),
    )
  }

  const { dimensions } = await encode(['dimensions'])
  return {
    width: dimensions,
    compute: async ({ texts }) => (await encode(texts)).rows,
    dispose: () => model.dispose(),
  }
}

function pick(
  outputs: Outputs,
  { names, rank }: { readonly names: readonly string[]; readonly rank: number },
  pooling: string,
) {
  const found = findOutput(outputs, names, rank)
  if (found !== undefined) return found
  const poolsItself = pooling !== 'model' && textOutputs.some((name) => outputs[name] !== undefined)
  throw new EmbeddingModelError(
    `Pooling "${pooling}" needs the output ${names.join(' or ')}, but the model gives ${outputsInWords(outputs)}.`,
    poolsItself
      ? 'Set pooling to model.'
      : outputs.logits === undefined
        ? 'Choose an embedding model, or another pooling.'
        : 'Choose an embedding model, or another pooling; a cross-encoder goes into AUDITION_RERANKER.',
  )
}

/** Token vectors of a batch, row-major: texts x tokens x dimensions. */
type TokenVectors = {
  readonly data: Float32Array
  readonly texts: number
  readonly tokens: number
  readonly dimensions: number
}

/**
 * Makes one vector per text out of its token vectors.
 *
 * @param lengths - tokens of each text, >= 1; what comes after them is padding and does not count
 * @returns texts x dimensions, row-major, not normalised
 */
export function poolTokens(
  vectors: TokenVectors,
  lengths: readonly number[],
  pooling: Exclude<Pooling, 'model'>,
): Float32Array {
  const { data, texts, tokens, dimensions } = vectors
  const pooled = new Float32Array(texts * dimensions)
  for (let text = 0; text < texts; text++) {
    const length = lengths[text]!
    const first = pooling === 'last' ? length - 1 : 0
    const end = pooling === 'cls' ? 1 : length
    for (let axis = 0; axis < dimensions; axis++) {
      let sum = 0
      for (let token = first; token < end; token++) sum += data[(text * tokens + token) * dimensions + axis]!
      pooled[text * dimensions + axis] = sum / (end - first)
    }
  }
  return pooled
}

/**
 * Scales every row to length 1, in place.
 *
 * @returns the number of the first row that has no direction (zero, infinite or not a number), or null
 */
export function normaliseRows(rows: Float32Array, dimensions: number): number | null {
  for (let start = 0; start < rows.length; start += dimensions) {
    const row = rows.subarray(start, start + dimensions)
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0))
    if (!Number.isFinite(length) || length === 0) return start / dimensions
    for (let axis = 0; axis < dimensions; axis++) row[axis] = row[axis]! / length
  }
  return null
}
