import type { PreTrainedTokenizer } from '@huggingface/transformers'

/** A batch as the model takes it: texts x longest length, row-major, padded on the right. */
export type TokenBatch = {
  /** Tokens of each text, >= 1. */
  readonly lengths: readonly number[]
  readonly inputs: {
    readonly input_ids: BigInt64Array
    readonly attention_mask: BigInt64Array
    readonly token_type_ids: BigInt64Array
  }
}

/** No tokenizer makes fewer tokens of a text than one per this many characters, spaces apart. */
const longestTokenChars = 64

/**
 * Turns texts into token ids. Too long texts lose their end but keep their closing special token, as in Python's
 * transformers; the JavaScript library would cut it off, and with it what `last` pooling reads.
 */
export function tokenise(
  texts: readonly string[],
  tokenizer: PreTrainedTokenizer,
  maxTokens: number,
): TokenBatch {
  const special = new Set(tokenizer.all_special_ids)
  const ids = texts.map((text) => {
    const readable = text.slice(0, maxTokens * longestTokenChars)
    const all = tokenizer.encode(readable)
    if (all.length === 0) return [closingToken(tokenizer)]
    if (all.length <= maxTokens) return all
    const last = all.at(-1)!
    return special.has(last) ? [...all.slice(0, maxTokens - 1), last] : all.slice(0, maxTokens)
  })
  const lengths = ids.map((row) => row.length)
  const width = Math.max(...lengths)
  const input_ids = new BigInt64Array(ids.length * width).fill(BigInt(tokenizer.pad_token_id ?? 0))
  const attention_mask = new BigInt64Array(ids.length * width)
  ids.forEach((row, text) => {
    row.forEach((id, token) => {
      input_ids[text * width + token] = BigInt(id)
      attention_mask[text * width + token] = 1n
    })
  })
  return {
    lengths,
    inputs: { input_ids, attention_mask, token_type_ids: new BigInt64Array(ids.length * width) },
  }
}

/** The smallest of what was asked, what the tokenizer allows and how many positions the model has. */
export function tokenLimit(maxTokens: number, tokenizer: PreTrainedTokenizer, config: object): number {
  const positions = 'max_position_embeddings' in config ? Number(config.max_position_embeddings) : Infinity
  const limits = [maxTokens, Number(tokenizer.model_max_length), positions].filter((limit) => limit >= 1)
  return Math.min(...limits)
}

/** Stands in for a text of no tokens at all: some tokenizers add nothing to an empty text. */
const closingToken = (tokenizer: PreTrainedTokenizer): number =>
  tokenizer.eos_token_id ?? tokenizer.sep_token_id ?? tokenizer.pad_token_id ?? 0
