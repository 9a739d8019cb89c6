import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import type { Pooling } from './files/families.ts'
import {
  type Encoder,
  findOutput,
  floats,
  type LoadedModel,
  type Outputs,
  outputsInWords,
} from './load-model.ts'
import { normaliseRows, poolTokens } from './pooling.ts'
import { tokenise } from './tokenise.ts'

/** Outputs that hold one vector per token, and one per text, by the names exporters give them. */
const tokenOutputs = ['last_hidden_state', 'token_embeddings']
const textOutputs = ['sentence_embedding', 'text_embeds', 'embeddings']

/**
 * Makes unit vectors of a model's outputs. Computes one text to learn their length.
 *
 * @throws EmbeddingModelError when the model is not made for embedding
 */
export async function loadEmbedder(model: LoadedModel, pooling: Pooling): Promise<Encoder> {
  const { tokenizer, dtype, maxTokens } = model

  async function vectors(texts: readonly string[]): Promise<{ rows: Float32Array; dimensions: number }> {
    const batch = tokenise(texts, tokenizer, maxTokens)
    const outputs = await model.run(batch)
    if (pooling === 'model') {
      const pooled = pick(outputs, textOutputs, 2, pooling)
      return { rows: floats(pooled), dimensions: pooled.dims[1]! }
    }
    const width = Math.max(...batch.lengths)
    const hidden = pick(outputs, tokenOutputs, 3, pooling)
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
      `The model gave no direction for the text "${texts[bad]!.slice(0, 60)}": a vector of zeros, infinities or NaN.`,
      dtype === 'fp32'
        ? 'Choose another model.'
        : 'Set dtype to fp32; if that does not help, choose another model.',
    )
  }

  const { dimensions } = await encode(['dimensions'])
  return {
    width: dimensions,
    compute: async ({ texts }) => (await encode(texts)).rows,
    dispose: () => model.dispose(),
  }
}

function pick(outputs: Outputs, names: readonly string[], rank: number, pooling: string) {
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
