import type * as TransformersPackage from '@huggingface/transformers'
import type { DownloadProgress, TextBatch, WorkerSettings } from './protocol.ts'
import type { PreTrainedTokenizer } from '@huggingface/transformers'

/** What a worker computes with: a loaded model and what is made of its outputs. */
export type Encoder = {
  /** Numbers per text. */
  readonly width: number
  /** One row per text, row-major. The texts are computed together: their number is the batch. */
  compute(batch: TextBatch): Promise<Float32Array>
  dispose(): Promise<void>
}

export type LoadedModel = {
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
  onDownload: (progress: DownloadProgress) => void,
): Promise<LoadedModel> {
  const { AutoConfig, AutoModel, AutoTokenizer, env, Tensor } = transformers
  const { source, dtype, threads } = settings
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
  await AutoConfig.from_pretrained(where, common) // first, as its failure tells best whether there is such a model
  const tokenizer = await AutoTokenizer.from_pretrained(where, common)
  const model = await AutoModel.from_pretrained(where, {
    ...common,
    subfolder: fromHub ? 'onnx' : source.subfolder,
    dtype,
    device: 'cpu',
    session_options: { intraOpNumThreads: threads, interOpNumThreads: 1 },
  })
  return {
    tokenizer,
    config: model.config,
    dtype,
    maxTokens: tokenLimit(settings.maxTokens, tokenizer, model.config),
    async run({ lengths, inputs }) {
      const shape = [lengths.length, Math.max(...lengths)]
      const tensors = Object.entries(inputs).map(([name, ids]) => [name, new Tensor('int64', ids, shape)])
      return await model(Object.fromEntries(tensors))
    },
    dispose: async () => {
      await model.dispose()
    },
  }
}

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
function tokenLimit(maxTokens: number, tokenizer: PreTrainedTokenizer, config: object): number {
  const positions = 'max_position_embeddings' in config ? Number(config.max_position_embeddings) : Infinity
  const limits = [maxTokens, Number(tokenizer.model_max_length), positions].filter((limit) => limit >= 1)
  return Math.min(...limits)
}

/** Stands in for a text of no tokens at all: some tokenizers add nothing to an empty text. */
const closingToken = (tokenizer: PreTrainedTokenizer): number =>
  tokenizer.eos_token_id ?? tokenizer.sep_token_id ?? tokenizer.pad_token_id ?? 0
