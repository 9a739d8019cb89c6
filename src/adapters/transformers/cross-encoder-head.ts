import type { PreTrainedTokenizer } from '@huggingface/transformers'
import { beginningOf } from '../../domain/text/cut.ts'
import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import {
  type WorkerModel,
  findOutput,
  floats,
  type LoadedModel,
  outputsInWords,
  cut,
  longestTokenChars,
  otherNumbers,
  type TokenBatch,
  tokenBatch,
  type TokenRow,
} from './load-model.ts'

/** The query may take this part of the input, so that something of the document is always read. */
const queryShare = 0.5

/**
 * Turns a query and each of the documents into one input, joined as the tokenizer does it. A document that is too long
 * loses its end but keeps the closing special token; the query loses its end when it is longer than half the input. Types are
 * left out for a model that does not tell query and document apart by them.
 */
function tokenisePairs(
  query: string,
  documents: readonly string[],
  { tokenizer, maxTokens, config }: LoadedModel,
): TokenBatch {
  const types = readsTypes(config)
  const asked = shortened(query, Math.floor(maxTokens * queryShare), tokenizer)
  const special = new Set(tokenizer.all_special_ids)
  const rows = documents.map((document): TokenRow => {
    const { input_ids, token_type_ids } = pair(
      asked,
      document.slice(0, maxTokens * longestTokenChars),
      tokenizer,
    )
    const ids = cut(input_ids, maxTokens, special)
    // What is cut out belongs to the document, as does what closes it: the types of the rest stay as they are.
    return types && token_type_ids !== undefined
      ? { ids, types: token_type_ids.slice(0, ids.length) }
      : { ids }
  })
  return tokenBatch(rows, tokenizer)
}

/** Whether the tokenizer's input for a pair holds both texts. */
function joinsPairs(tokenizer: PreTrainedTokenizer): boolean {
  const [query, document] = ['find', 'a file']
  const { input_ids } = pair(query, document, tokenizer)
  return input_ids.length >= count(query, tokenizer) + count(document, tokenizer)
}

/** Whether a model has a type for the second text; of one type or none, all tokens are of the first. */
const readsTypes = (config: object): boolean =>
  !('type_vocab_size' in config) || Number(config.type_vocab_size) > 1

type Pair = { readonly input_ids: readonly number[]; readonly token_type_ids?: readonly number[] }

const pair = (query: string, document: string, tokenizer: PreTrainedTokenizer): Pair =>
  // An empty second text would count as none, and a space makes no token.
  tokenizer(query, { text_pair: document || ' ', return_tensor: false, return_token_type_ids: true })

const count = (text: string, tokenizer: PreTrainedTokenizer): number =>
  tokenizer.encode(text, { add_special_tokens: false }).length

/** The longest start of a text found that has at most so many tokens. */
export function shortened(text: string, mostTokens: number, tokenizer: PreTrainedTokenizer): string {
  let start = text.slice(0, mostTokens * longestTokenChars)
  for (;;) {
    const tokens = count(start, tokenizer)
    if (tokens <= mostTokens) return start
    start = start.slice(0, Math.min(start.length - 1, Math.floor((start.length * mostTokens) / tokens)))
  }
}

const positive = /^(relevant|yes|true|positive|match|entailment|1)$/i

/**
 * Which of two labels means "relevant": the one its name says so of, else the second, as is the custom.
 *
 * @param config - the model's; labels stand in `id2label`
 */
function relevantLabel(config: object): 0 | 1 {
  const labels = 'id2label' in config ? config.id2label : undefined
  if (typeof labels !== 'object' || labels === null) return 1
  const [first = '', second = ''] = ['0', '1'].map((id) => String(Reflect.get(labels, id) ?? ''))
  return positive.test(first) && !positive.test(second) ? 0 : 1
}

/**
 * Makes one logit per document of a sequence classifier's outputs: its only one, or the log odds of the relevant one of
 * two labels. Computes one pair to see whether the model is made for that.
 *
 * @throws EmbeddingModelError when the model is no cross-encoder, or its tokenizer does not join two texts
 */
export async function loadCrossEncoder(model: LoadedModel): Promise<WorkerModel> {
  const { tokenizer, config } = model
  const relevant = relevantLabel(config)
  if (!joinsPairs(tokenizer)) {
    throw new EmbeddingModelError(
      'The tokenizer does not join two texts into one input.',
      'Choose a cross-encoder: a model whose card calls it a reranker for sequence classification.',
    )
  }

  return relevanceEncoder(model, async (query, documents) => {
    const outputs = await model.run(tokenisePairs(query, documents, model))
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
  })
}

/**
 * What computes one logit per document. One pair is computed to see whether the model is made for that.
 *
 * @throws EmbeddingModelError as `logits` does, and for what is no number
 */
export async function relevanceEncoder(
  model: LoadedModel,
  logits: (query: string, documents: readonly string[]) => Promise<Float32Array>,
): Promise<WorkerModel> {
  const compute = async (query: string, documents: readonly string[]): Promise<Float32Array> => {
    const scores = await logits(query, documents)
    const bad = scores.findIndex((score) => !Number.isFinite(score))
    if (bad < 0) return scores
    throw new EmbeddingModelError(
      `The model gave no number for the document "${beginningOf(documents[bad]!, 60)}".`,
      otherNumbers(model),
    )
  }
  await compute('query', ['document'])
  return {
    width: 1,
    compute: ({ query = '', texts }) => compute(query, texts),
    dispose: () => model.dispose(),
  }
}
