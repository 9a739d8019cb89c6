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

/** One input: its tokens, and their types where they are not all of the first. */
export type TokenRow = { readonly ids: readonly number[]; readonly types?: readonly number[] }

/** No tokenizer makes fewer tokens of a text than one per this many characters, spaces apart. */
export const longestTokenChars = 64

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
  const rows = texts.map((text) => ({
    ids: cut(tokenizer.encode(text.slice(0, maxTokens * longestTokenChars)), maxTokens, special),
  }))
  return tokenBatch(rows, tokenizer)
}

/** Cuts a row to its limit, but for its closing special token. */
export function cut(
  row: readonly number[],
  maxTokens: number,
  special: ReadonlySet<number>,
): readonly number[] {
  if (row.length <= maxTokens) return row
  const last = row.at(-1)!
  return special.has(last) ? [...row.slice(0, maxTokens - 1), last] : row.slice(0, maxTokens)
}

/** Pads rows to one length. A row of no tokens gets a closing one: some tokenizers add nothing to an empty text. */
export function tokenBatch(rows: readonly TokenRow[], tokenizer: PreTrainedTokenizer): TokenBatch {
  const filled = rows.map((row) => (row.ids.length > 0 ? row : { ids: [closingToken(tokenizer)] }))
  const lengths = filled.map(({ ids }) => ids.length)
  const width = Math.max(...lengths)
  const input_ids = new BigInt64Array(rows.length * width).fill(BigInt(tokenizer.pad_token_id ?? 0))
  const attention_mask = new BigInt64Array(rows.length * width)
  const token_type_ids = new BigInt64Array(rows.length * width)
  filled.forEach(({ ids, types }: TokenRow, text) => {
    ids.forEach((id, token) => {
      const at = text * width + token
      input_ids[at] = BigInt(id)
      attention_mask[at] = 1n
      token_type_ids[at] = BigInt(types?.[token] ?? 0)
    })
  })
  return { lengths, inputs: { input_ids, attention_mask, token_type_ids } }
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
