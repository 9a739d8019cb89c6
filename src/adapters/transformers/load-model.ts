import type * as TransformersPackage from '@huggingface/transformers'
import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import { type DecoderFamily, decoderFamily } from './decoder-families.ts'
import type { FileProgress, TextBatch, WorkerSettings } from './protocol.ts'
import type { PreTrainedTokenizer } from '@huggingface/transformers'

/** What a worker computes with: a loaded model and what is made of its outputs. */
export type WorkerModel = {
  /** Numbers per text. */
  readonly width: number
  /** One row per text, row-major. The texts are computed together: their number is the batch. */
  compute(batch: TextBatch): Promise<Float32Array>
  dispose(): Promise<void>
}

export type LoadedModel = {
  /** Of a reranker that answers in words. */
  readonly family: DecoderFamily | null
  readonly tokenizer: TransformersPackage.PreTrainedTokenizer
  /** The model's own configuration, of any shape. */
  readonly config: object
  readonly dtype: WorkerSettings['dtype']
  /** Most tokens of one input: the smallest of all that set a limit. */
  readonly maxTokens: number
  run(batch: TokenBatch): Promise<Outputs>
  dispose(): Promise<void>
}

/** Output tensors by the names the exporter gave them. */
export type Outputs = { readonly [name: string]: TransformersPackage.Tensor | undefined }

/**
 * Loads a model. Runs in the worker thread: loading and computing block the thread they run on.
 *
 * @throws whatever transformers.js throws
 */
export async function loadModel(
  transformers: typeof TransformersPackage,
  settings: WorkerSettings,
  onDownload: (progress: FileProgress) => void,
): Promise<LoadedModel> {
  const { AutoConfig, AutoTokenizer, env, Tensor } = transformers
  const { source, dtype, threads, head } = settings
  const fromHub = source.kind === 'hub'
  env.logLevel = 50 // none: every failure comes as an exception, and stderr belongs to the host
  env.allowRemoteModels = fromHub
  env.allowLocalModels = !fromHub
  env.useFSCache = fromHub
  if (fromHub) {
    env.remoteHost = source.url
    env.cacheDir = source.cacheDir
  }
  const progress = (event: TransformersPackage.ProgressInfo) => {
    if (event.status !== 'progress') return
    onDownload({ file: event.file, loadedBytes: event.loaded, totalBytes: event.total })
  }
  const where = fromHub ? source.model : source.folder
  const common = fromHub ? { progress_callback: progress, revision: source.revision } : {}
  // First, as its failure tells best whether there is such a model.
  const stated = await AutoConfig.from_pretrained(where, common)
  const family = head.kind === 'relevance' ? knownFamily(stated, where) : null
  const tokenizer = await AutoTokenizer.from_pretrained(where, common)
  const model = await classOf(family, transformers).from_pretrained(where, {
    ...common,
    subfolder: fromHub ? 'onnx' : source.subfolder,
    dtype,
    device: 'cpu',
    session_options: { intraOpNumThreads: threads, interOpNumThreads: 1 },
  })
  // Of a decoder alone: the logits of the last place are enough, where the export can leave the others.
  const last = family?.kind === 'causal' ? { num_logits_to_keep: new Tensor('int64', [1n], []) } : {}
  return {
    family,
    tokenizer,
    config: model.config,
    dtype,
    maxTokens: tokenLimit(settings.maxTokens, tokenizer, model.config),
    async run({ lengths, inputs }) {
      const rows = lengths.length
      const tensors = Object.entries(inputs).map(([name, ids]) => [
        name,
        new Tensor('int64', ids, [rows, ids.length / rows]),
      ])
      return await model({ ...Object.fromEntries(tensors), ...last })
    },
    dispose: async () => {
      await model.dispose()
    },
  }
}

/** @throws EmbeddingModelError for a language model whose prompt is not known */
function knownFamily(config: object, model: string): DecoderFamily | null {
  const family = decoderFamily(config, model)
  if (family !== 'unknown') return family
  throw new EmbeddingModelError(
    'It is a language model of a family whose prompt for reranking is not known here.',
    'Choose Qwen3-Reranker, MonoT5 or a sequence classifier, or serve it and set AUDITION_RERANKER=rerank:<address>#<model>.',
  )
}

const classOf = (
  family: DecoderFamily | null,
  { AutoModel, AutoModelForCausalLM, AutoModelForSeq2SeqLM }: typeof TransformersPackage,
) => (family === null ? AutoModel : family.kind === 'causal' ? AutoModelForCausalLM : AutoModelForSeq2SeqLM)

/** What to do about a model whose outputs are no numbers. */
export const otherNumbers = ({ dtype }: Pick<LoadedModel, 'dtype'>): string =>
  dtype === 'fp32'
    ? 'Choose another model.'
    : 'Set dtype to fp32; if that does not help, choose another model.'

/** Half-precision outputs become single precision. A copy, since the tensor's memory belongs to the runtime. */
export function floats(tensor: TransformersPackage.Tensor): Float32Array {
  return Float32Array.from(tensor.to('float32').data as Float32Array)
}

/** The first output of one of these names and of this rank. */
export const findOutput = (outputs: Outputs, names: readonly string[], rank: number) =>
  names.map((name) => outputs[name]).find((tensor) => tensor?.dims.length === rank)

/** What a model gives, for an error. */
export const outputsInWords = (outputs: Outputs): string =>
  Object.entries(outputs)
    .flatMap(([name, tensor]) => (tensor?.dims === undefined ? [] : [`${name} [${tensor.dims.join(', ')}]`]))
    .join(', ')

/** A batch as the model takes it: texts x longest length, row-major, padded. */
export type TokenBatch = {
  /** Tokens of each text, >= 1. */
  readonly lengths: readonly number[]
  /** By the names that the model gives them. */
  readonly inputs: { readonly [name: string]: BigInt64Array }
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
function tokenLimit(maxTokens: number, tokenizer: PreTrainedTokenizer, config: object): number {
  const positions = 'max_position_embeddings' in config ? Number(config.max_position_embeddings) : Infinity
  const limits = [maxTokens, Number(tokenizer.model_max_length), positions].filter((limit) => limit >= 1)
  return Math.min(...limits)
}

/** Stands in for a text of no tokens at all: some tokenizers add nothing to an empty text. */
const closingToken = (tokenizer: PreTrainedTokenizer): number =>
  tokenizer.eos_token_id ?? tokenizer.sep_token_id ?? tokenizer.pad_token_id ?? 0
