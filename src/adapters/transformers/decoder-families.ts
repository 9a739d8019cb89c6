/** A family of language models that answer, of a request and a text, with one of two words. */
export type DecoderFamily = {
  /** Of `config.json`. */
  readonly architectures: RegExp
  /** Of the model, where its configuration names no architecture: the last part, in lower case. */
  readonly names: RegExp
  /** A decoder alone, or an encoder and a decoder. */
  readonly kind: 'causal' | 'seq2seq'
  readonly yes: string
  readonly no: string
  /** What stands before the text, the request in it, and what stands behind. A text that is too long loses its end. */
  prompt(parts: { readonly task: string; readonly query: string }): {
    readonly system: string
    readonly before: string
    readonly after: string
  }
}

const monoT5 = {
  kind: 'seq2seq',
  prompt: ({ query }) => ({ system: '', before: `Query: ${query} Document: `, after: 'Relevant:' }),
} as const satisfies Partial<DecoderFamily>

/** What the cards of these families ask for; the first that matches counts. */
const families: readonly DecoderFamily[] = [
  {
    // https://huggingface.co/Qwen/Qwen3-Reranker-0.6B
    architectures: /^Qwen3ForCausalLM$/,
    names: /^qwen3-reranker/,
    kind: 'causal',
    yes: 'yes',
    no: 'no',
    prompt: ({ task, query }) => ({
      system:
        '<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. ' +
        'Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n',
      before: `<Instruct>: ${task}\n<Query>: ${query}\n<Document>: `,
      after: '<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n',
    }),
  },
  // Nogueira et al., Document Ranking with a Pretrained Sequence-to-Sequence Model, arXiv 2003.06713
  { ...monoT5, architectures: /^T5ForConditionalGeneration$/, names: /^monot5/, yes: 'true', no: 'false' },
  // Bonifacio et al., mMARCO, arXiv 2108.13897
  { ...monoT5, architectures: /^MT5ForConditionalGeneration$/, names: /^m(?:t5|mono)/, yes: 'yes', no: 'no' },
]

/**
 * Finds the family of a model that reranks by its words: by the architecture in its own configuration, else by its name.
 *
 * @param model - hub id or folder
 * @returns null for a sequence classifier, and for what says nothing of itself; `unknown` for another language model
 */
export function decoderFamily(config: object, model: string): DecoderFamily | null | 'unknown' {
  const stated = 'architectures' in config && Array.isArray(config.architectures) ? config.architectures : []
  if (stated.length > 0) {
    const found = families.find(({ architectures }) => stated.some((one) => architectures.test(String(one))))
    const isLanguageModel = stated.some((one) => /For(?:CausalLM|ConditionalGeneration)$/.test(String(one)))
    return found ?? (isLanguageModel ? 'unknown' : null)
  }
  const name = (model.split(/[/\\]/).findLast((part) => part !== '') ?? '').toLowerCase()
  return families.find(({ names }) => names.test(name)) ?? null
}
