import type { PreTrainedTokenizer } from '@huggingface/transformers'
import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import { relevanceEncoder, shortened } from './cross-encoder-head.ts'
import type { DecoderFamily } from './decoder-families.ts'
import {
  type WorkerModel,
  findOutput,
  type LoadedModel,
  longestTokenChars,
  outputsInWords,
} from './load-model.ts'

/** What Qwen's own card asks for where the user names no task. */
const usualTask = 'Given a web search query, retrieve relevant passages that answer the query'
/** The query may take this part of what the prompt leaves. */
const queryShare = 0.5

/**
 * Makes one number per document of a language model's next word: by how much its logit for yes is above the one for no. Computes one
 * pair to see whether the model is made for that.
 *
 * @param task - of the models whose prompt has a place for it
 * @throws EmbeddingModelError when the model has not these words, or gives no logits
 */
export async function loadDecoder(
  model: LoadedModel,
  family: DecoderFamily,
  task = usualTask,
): Promise<WorkerModel> {
  const { tokenizer } = model
  const [yes, no] = [family.yes, family.no].map((word) => wordToken(word, tokenizer)) as [number, number]

  return relevanceEncoder(model, async (query, documents) => {
    const rows = documents.map((document) => tokensOf({ query, document, task }, family, model))
    const outputs = await model.run(leftPadded(rows, { family, model }))
    const logits = findOutput(outputs, ['logits'], 3)
    const [pairs = 0, tokens = 0, words = 0] = logits?.dims ?? []
    if (logits === undefined || pairs !== documents.length || words <= Math.max(yes, no)) {
      throw new EmbeddingModelError(
        `A language model that reranks gives logits of its words, but the model gives ${outputsInWords(outputs)}.`,
        'Choose a reranker whose ONNX export has the output "logits" (task text-generation or text2text-generation).',
      )
    }
    // The whole vocabulary of every place may be hundreds of megabytes: only two numbers of it are read.
    const data = logits.to('float32').data as Float32Array
    return Float32Array.from({ length: pairs }, (_, pair) => {
      const last = (pair * tokens + tokens - 1) * words
      return data[last + yes]! - data[last + no]!
    })
  })
}

function wordToken(word: string, tokenizer: PreTrainedTokenizer): number {
  const [token, ...others] = tokenizer.encode(word, { add_special_tokens: false })
  if (token !== undefined && others.length === 0 && token !== tokenizer.unk_token_id) return token
  throw new EmbeddingModelError(
    `The tokenizer has no token "${word}", with which models of this family answer.`,
    'The tokenizer is of another model: copy or download the model again.',
  )
}

type Pair = { readonly query: string; readonly document: string; readonly task: string }

/** The prompt's tokens. The document loses its end when it is too long, and the query when it takes more than its share. */
function tokensOf(
  { query, document, task }: Pair,
  { kind, prompt }: DecoderFamily,
  { tokenizer, maxTokens }: LoadedModel,
): readonly number[] {
  const encode = (text: string): readonly number[] =>
    text === '' ? [] : tokenizer.encode(text, { add_special_tokens: false })
  const fixed = prompt({ task, query: '' })
  const system = encode(fixed.system)
  // What closes an input of an encoder belongs behind it.
  const after = kind === 'seq2seq' ? tokenizer.encode(fixed.after) : encode(fixed.after)
  const room = maxTokens - system.length - after.length
  const asked = shortened(
    query,
    Math.max(1, Math.floor((room - encode(fixed.before).length) * queryShare)),
    tokenizer,
  )
  const { before } = prompt({ task, query: asked })
  const text = encode(before + document.slice(0, maxTokens * longestTokenChars))
  return [...system, ...text.slice(0, Math.max(0, room)), ...after]
}

/** A batch whose last places are the ends of all prompts: there the next word stands. */
function leftPadded(
  rows: readonly (readonly number[])[],
  { family, model }: { readonly family: DecoderFamily; readonly model: LoadedModel },
) {
  const { tokenizer, config } = model
  const padding = tokenizer.pad_token_id ?? tokenizer.eos_token_id ?? 0
  const width = Math.max(...rows.map(({ length }) => length))
  const input_ids = new BigInt64Array(rows.length * width).fill(BigInt(padding))
  const attention_mask = new BigInt64Array(rows.length * width)
  for (const [row, ids] of rows.entries()) {
    for (const [place, id] of ids.entries()) {
      const at = (row + 1) * width - ids.length + place
      input_ids[at] = BigInt(id)
      attention_mask[at] = 1n
    }
  }
  const start = 'decoder_start_token_id' in config ? Number(config.decoder_start_token_id) : padding
  return {
    lengths: rows.map(({ length }) => length),
    inputs: {
      input_ids,
      attention_mask,
      ...(family.kind === 'seq2seq'
        ? { decoder_input_ids: new BigInt64Array(rows.length).fill(BigInt(start)) }
        : {}),
    },
  }
}
