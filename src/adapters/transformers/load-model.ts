import type * as TransformersPackage from '@huggingface/transformers'
import type { DownloadProgress, TextBatch, WorkerSettings } from './protocol.ts'
import { type TokenBatch, tokenLimit } from './tokenise.ts'

/** What a worker computes with: a loaded model and what is made of its outputs. */
export type Encoder = {
  /** Numbers per text. */
  readonly width: number
  /** One row per text, row-major. The texts are computed together: their number is the batch. */
  compute(batch: TextBatch): Promise<Float32Array>
  dispose(): Promise<void>
}

/** A loaded tokenizer and model. */
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
