import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import { type Encoder, findOutput, floats, type LoadedModel, outputsInWords } from './load-model.ts'
import { relevantLabel } from './relevant-label.ts'
import { joinsPairs, readsTypes, tokenisePairs } from './tokenise-pairs.ts'

/**
 * Makes one logit per document of a sequence classifier's outputs: its only one, or the log odds of the relevant one of
 * two labels. Computes one pair to see whether the model is made for that.
 *
 * @throws EmbeddingModelError when the model is no cross-encoder, or its tokenizer does not join two texts
 */
export async function loadCrossEncoder(model: LoadedModel): Promise<Encoder> {
  const { tokenizer, config, dtype, maxTokens } = model
  const types = readsTypes(config)
  const relevant = relevantLabel(config)
  if (!joinsPairs(tokenizer)) {
    throw new EmbeddingModelError(
      'The tokenizer does not join two texts into one input.',
      'Choose a cross-encoder: a model whose card calls it a reranker for sequence classification.',
    )
  }

  async function logits(query: string, documents: readonly string[]): Promise<Float32Array> {
    const outputs = await model.run(tokenisePairs(query, documents, tokenizer, maxTokens, types))
    const found = findOutput(outputs, ['logits'], 2)
    const [pairs = 0, labels = 0] = found?.dims ?? []
    if (found === undefined || pairs !== documents.length || labels < 1 || labels > 2) {
      throw new EmbeddingModelError(
        `A cross-encoder gives 1 or 2 logits per pair, but the model gives ${outputsInWords(outputs)}.`,
        found === undefined
          ? 'It is an embedding model or another kind: set it as AUDITION_MODEL, or choose a cross-encoder (reranker).'
          : 'It classifies something else than relevance: choose a cross-encoder (reranker).',
      )
    }
    const data = floats(found)
    return labels === 1
      ? data
      : Float32Array.from(
          { length: pairs },
          (_, pair) => data[2 * pair + relevant]! - data[2 * pair + 1 - relevant]!,
        )
  }

  async function compute(query: string, documents: readonly string[]): Promise<Float32Array> {
    const scores = await logits(query, documents)
    const bad = scores.findIndex((score) => !Number.isFinite(score))
    if (bad < 0) return scores
    throw new EmbeddingModelError(
      `The model gave no number for the document "${documents[bad]!.slice(0, 60)}".`,
      dtype === 'fp32'
        ? 'Choose another model.'
        : 'Set dtype to fp32; if that does not help, choose another model.',
    )
  }

  await compute('query', ['document'])
  return {
    width: 1,
    compute: ({ query = '', texts }) => compute(query, texts),
    dispose: () => model.dispose(),
  }
}
