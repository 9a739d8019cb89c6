import type { PreTrainedTokenizer } from '@huggingface/transformers'
import { cut, longestTokenChars, type TokenBatch, type TokenRow, tokenBatch } from './tokenise.ts'

/** The query may take this part of the input, so that something of the document is always read. */
const queryShare = 0.5

/**
 * Turns a query and each of the documents into one input, joined as the tokenizer does it. A document that is too long
 * loses its end but keeps the closing special token; the query loses its end when it is longer than half the input.
 *
 * @param types - whether the model tells query and document apart by token types
 */
export function tokenisePairs(
  query: string,
  documents: readonly string[],
  tokenizer: PreTrainedTokenizer,
  maxTokens: number,
  types: boolean,
): TokenBatch {
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
export function joinsPairs(tokenizer: PreTrainedTokenizer): boolean {
  const [query, document] = ['find', 'a file']
  const { input_ids } = pair(query, document, tokenizer)
  return input_ids.length >= count(query, tokenizer) + count(document, tokenizer)
}

/** Whether a model has a type for the second text; of one type or none, all tokens are of the first. */
export const readsTypes = (config: object): boolean =>
  !('type_vocab_size' in config) || Number(config.type_vocab_size) > 1

type Pair = { readonly input_ids: readonly number[]; readonly token_type_ids?: readonly number[] }

const pair = (query: string, document: string, tokenizer: PreTrainedTokenizer): Pair =>
  // An empty second text would count as none, and a space makes no token.
  tokenizer(query, { text_pair: document || ' ', return_tensor: false, return_token_type_ids: true })

const count = (text: string, tokenizer: PreTrainedTokenizer): number =>
  tokenizer.encode(text, { add_special_tokens: false }).length

/** The longest start of a text found that has at most so many tokens. */
function shortened(text: string, mostTokens: number, tokenizer: PreTrainedTokenizer): string {
  let start = text.slice(0, mostTokens * longestTokenChars)
  for (;;) {
    const tokens = count(start, tokenizer)
    if (tokens <= mostTokens) return start
    start = start.slice(0, Math.min(start.length - 1, Math.floor((start.length * mostTokens) / tokens)))
  }
}
