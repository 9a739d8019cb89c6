import { EncoderThread } from './encoder-thread.ts'
import { findModel, type ModelSource } from './files/find-model.ts'
import type { KnownWeights } from './files/model-id.ts'
import type { ModelOptions } from './files/options.ts'
import type { FileProgress, Failure, ModelHead } from './protocol.ts'
import { repositorySettings } from './files/repository-settings.ts'
import { weightsFingerprint } from './files/model-files.ts'
import { asSentence } from '../../domain/remedy-error.ts'
import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'

/** What a model takes from its surroundings; all but `onDownload` is for tests. */
export type TransformersSurroundings = {
  /** The way to the hub; without one a download is of a branch as it is, and the repository's own settings are not read. */
  readonly fetch?: typeof globalThis.fetch
  /** Called while files of an allowed download arrive. */
  readonly onDownload?: (progress: FileProgress) => void
  /** URL of the transformers.js module. @defaultValue the version 4 installed for Audition */
  readonly packageUrl?: string
  /** Entry of the worker thread. @defaultValue the compiled `worker.js` beside this file */
  readonly workerEntry?: URL
}

/** A model that was found, with the thread that computes it. */
type OpenThread<Options extends ModelOptions> = {
  readonly thread: EncoderThread
  /** As given, with what the repository says of itself where the user says nothing. */
  readonly options: Options
  readonly weights: KnownWeights
}

/** What a thread computes. */
type ThreadKind<Options> = {
  /** The model in the words of errors. */
  readonly what: string
  /** What is made of its outputs, by the settings that hold. */
  readonly headOf: (options: Options) => ModelHead
}

/** Run from source, by a Node that takes TypeScript, the worker is the source beside this one. */
const besideThis = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

/**
 * Finds a model and makes the thread for it, so that the event loop stays free while it computes. The thread starts with
 * its first call.
 *
 * @throws EmbeddingModelError when the package is not installed, or the model is missing or broken
 */
export async function openThread<Options extends ModelOptions>(
  given: Options,
  { what, headOf }: ThreadKind<Options>,
  surroundings: TransformersSurroundings,
): Promise<OpenThread<Options>> {
  const packageUrl = surroundings.packageUrl ?? transformersUrl(import.meta.url)
  const source = await findModel(given, surroundings.fetch)
  const own = Object.entries(await repositorySettings(source.folder, given.stated))
  const unstated = own.filter(([name]) => name in given && !given.stated.includes(name))
  const options: Options = { ...given, ...Object.fromEntries(unstated) }
  const { dtype, maxTokens, threads } = options
  const thread = new EncoderThread({
    entry: surroundings.workerEntry ?? besideThis,
    what,
    settings: { packageUrl, source, head: headOf(options), dtype, maxTokens, threads },
    explain: (failure) => explainFailure(failure, source, options),
    onDownload: surroundings.onDownload ?? (() => {}),
  })
  return { thread, options, weights: await weightsOf(source) }
}

async function weightsOf(source: ModelSource): Promise<KnownWeights> {
  const commit = source.kind === 'hub' ? source.revision : source.commit
  return {
    fingerprint: source.kind === 'folder' ? await weightsFingerprint(source.weights) : '',
    ...(commit === undefined || commit === 'main' ? {} : { commit }),
  }
}

/** Turns what the worker reports into an error that names the model and the way out. */
function explainFailure(
  failure: Failure,
  source: ModelSource,
  { model, dtype, hubUrl }: ModelOptions,
): EmbeddingModelError {
  const { during, message, remedy, status } = failure
  const saying = (where: string): string => asSentence(`${where}: ${message.trim()}`)
  if (remedy !== undefined) return new EmbeddingModelError(`${model}: ${message}`, remedy)
  if (during === 'import') {
    return new EmbeddingModelError(
      saying('@huggingface/transformers is installed but does not load'),
      `Install it again: \`${installLine}\`.`,
    )
  }
  if (during === 'compute') {
    return new EmbeddingModelError(
      saying(`${model}: the model could not compute these texts`),
      'Lower maxTokens or batchSize; if that does not help, the model files do not belong together.',
    )
  }
  if (source.kind === 'folder') {
    return new EmbeddingModelError(
      saying(`${source.folder}: the model cannot be loaded`),
      'A file is damaged, missing or not for ONNX Runtime: copy or download the model again.',
    )
  }
  if (status === 404) {
    const lacksWeights = /\.onnx\b/.test(message)
    const others =
      dtype === 'fp32' ? 'Many repositories hold quantised weights: try dtype=q8.' : tryFp32(model)
    return new EmbeddingModelError(
      saying(model),
      lacksWeights
        ? `The repository has no weights of dtype ${dtype}. ${others}`
        : `Check the id, and that it has ONNX weights of dtype ${dtype}; on the hub these have the tag "transformers.js".`,
    )
  }
  if (status === 401 || status === 403) {
    return new EmbeddingModelError(
      saying(model),
      'Check the id: there is no such model, or it is private or gated and needs the variable HF_TOKEN.',
    )
  }
  return new EmbeddingModelError(
    saying(`${model}: could not be fetched from ${hubUrl} and loaded`),
    'Check the network and try again, or copy the model folder from a machine that has it: see docs/models.md.',
  )
}

/** Most repositories hold these weights, some no other. */
const tryFp32 = (model: string): string =>
  `Most hold model.onnx: set dtype=fp32, as in transformers:${model}?dtype=fp32&allowDownload=true.`

const installLine = 'npm install @huggingface/transformers@4'

const name = '@huggingface/transformers'
const needed = /^4\./

const manifest = z.object({
  version: z.string(),
  exports: z.object({ node: z.object({ import: z.object({ default: z.string() }) }) }).optional(),
})

/**
 * Finds transformers.js 4 in the `node_modules` folders above a module. Unlike `import`, it passes over other
 * versions: LanceDB may bring along 3.0.2, which would hide the one the user installed for Audition.
 *
 * @param from - URL of the module whose surroundings are searched
 * @returns the URL to import
 * @throws EmbeddingModelError with the line to run when there is none
 */
export function transformersUrl(from: string): string {
  const passedOver: string[] = []
  for (const folder of nodeModulesAbove(fileURLToPath(from))) {
    const file = join(folder, name, 'package.json')
    if (!existsSync(file)) continue
    const { version, exports } = manifest.parse(JSON.parse(readFileSync(file, 'utf8')))
    const entry = exports?.node.import.default
    if (needed.test(version) && entry !== undefined) return pathToFileURL(join(folder, name, entry)).href
    passedOver.push(`${version} in ${folder}`)
  }
  const others =
    passedOver.length === 0 ? '' : ` (only ${passedOver.join(', ')}, brought along by another package)`
  throw new EmbeddingModelError(
    `The package ${name} 4 is not installed${others}; models of kind "transformers" run on it.`,
    `Run \`${installLine}\` where Audition is installed (with -g if Audition is installed globally).`,
  )
}

function* nodeModulesAbove(path: string): Generator<string> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    yield join(folder, 'node_modules')
  }
}
