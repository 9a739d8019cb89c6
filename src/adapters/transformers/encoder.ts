import type * as TransformersPackage from '@huggingface/transformers'
import { EmbeddingModelError } from '../../retrieval/embedding-model-error.ts'
import { normaliseRows, poolTokens } from './pooling.ts'
import type { DownloadProgress, WorkerSettings } from './protocol.ts'
import { tokenise, tokenLimit } from './tokenise.ts'

/** A loaded tokenizer and model. */
export type Encoder = {
  readonly dimensions: number
  /** One row of length 1 per text, row-major. The texts are computed together: their number is the batch. */
  encode(texts: readonly string[]): Promise<Float32Array>
  dispose(): Promise<void>
}

type Outputs = { readonly [name: string]: TransformersPackage.Tensor | undefined }

/** Outputs that hold one vector per token, and one per text, by the names exporters give them. */
const tokenOutputs = ['last_hidden_state', 'token_embeddings']
const textOutputs = ['sentence_embedding', 'text_embeds', 'embeddings']

/**
 * Loads a model and computes one text to learn the length of its vectors. Runs in the worker thread: loading and
 * computing block the thread they run on.
 *
 * @throws whatever transformers.js throws; EmbeddingModelError when the model is not made for embedding
 */
export async function loadEncoder(
  transformers: typeof TransformersPackage,
  settings: WorkerSettings,
  onDownload: (progress: DownloadProgress) => void,
): Promise<Encoder> {
  const { AutoConfig, AutoModel, AutoTokenizer, env, Tensor } = transformers
  const { source, dtype, pooling, threads } = settings
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
  const common = fromHub ? { progress_callback: progress } : {}
  await AutoConfig.from_pretrained(where, common) // first, as its failure tells best whether there is such a model
  const tokenizer = await AutoTokenizer.from_pretrained(where, common)
  const model = await AutoModel.from_pretrained(where, {
    ...common,
    subfolder: fromHub ? 'onnx' : source.subfolder,
    dtype,
    device: 'cpu',
    session_options: { intraOpNumThreads: threads, interOpNumThreads: 1 },
  })
  const limit = tokenLimit(settings.maxTokens, tokenizer, model.config)

  async function vectors(texts: readonly string[]): Promise<{ rows: Float32Array; dimensions: number }> {
    const { lengths, inputs } = tokenise(texts, tokenizer, limit)
    const width = Math.max(...lengths)
    const tensors = Object.entries(inputs).map(([name, ids]) => [
      name,
      new Tensor('int64', ids, [texts.length, width]),
    ])
    const outputs: Outputs = await model(Object.fromEntries(tensors))
    if (pooling === 'model') {
      const pooled = pick(outputs, textOutputs, 2, pooling)
      return { rows: floats(pooled), dimensions: pooled.dims[1]! }
    }
    const hidden = pick(outputs, tokenOutputs, 3, pooling)
    const [count = 0, tokens = 0, dimensions = 0] = hidden.dims
    if (count !== texts.length || tokens !== width) {
      throw new EmbeddingModelError(
        `The model answered ${count} x ${tokens} token vectors to ${texts.length} x ${width} tokens.`,
        'It is not a plain text encoder: choose an embedding model.',
      )
    }
    const data = floats(hidden)
    return { rows: poolTokens({ data, texts: count, tokens, dimensions }, lengths, pooling), dimensions }
  }

  async function encode(texts: readonly string[]) {
    const { rows, dimensions } = await vectors(texts)
    const bad = normaliseRows(rows, dimensions)
    if (bad === null) return { rows, dimensions }
    throw new EmbeddingModelError(
      `The model gave no direction for the text "${texts[bad]!.slice(0, 60)}": a vector of zeros, infinities or NaN.`,
      dtype === 'fp32'
        ? 'Choose another model.'
        : 'Set dtype to fp32; if that does not help, choose another model.',
    )
  }

  const { dimensions } = await encode(['dimensions'])
  return {
    dimensions,
    encode: async (texts) => (await encode(texts)).rows,
    dispose: async () => {
      await model.dispose()
    },
  }
}

/** Half-precision outputs become single precision. A copy, since the tensor's memory belongs to the runtime. */
function floats(tensor: TransformersPackage.Tensor): Float32Array {
  return Float32Array.from(tensor.to('float32').data as Float32Array)
}

function pick(
  outputs: Outputs,
  names: readonly string[],
  rank: number,
  pooling: string,
): TransformersPackage.Tensor {
  const found = names.map((name) => outputs[name]).find((tensor) => tensor?.dims.length === rank)
  if (found !== undefined) return found
  const present = Object.entries(outputs).flatMap(([name, tensor]) =>
    tensor?.dims === undefined ? [] : [`${name} [${tensor.dims.join(', ')}]`],
  )
  const poolsItself = pooling !== 'model' && textOutputs.some((name) => outputs[name] !== undefined)
  throw new EmbeddingModelError(
    `Pooling "${pooling}" needs the output ${names.join(' or ')}, but the model gives ${present.join(', ')}.`,
    poolsItself ? 'Set pooling to model.' : 'Choose an embedding model, or another pooling.',
  )
}
