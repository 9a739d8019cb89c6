import { type EncoderThread, encoderThread } from './encoder-thread.ts'
import { explainFailure } from './explain-failure.ts'
import { findModel } from './find-model.ts'
import { transformersUrl } from './find-package.ts'
import type { ModelOptions } from './options.ts'
import type { DownloadProgress, Head } from './protocol.ts'
import { weightsFingerprint } from './weights-fingerprint.ts'

/** What a model takes from its surroundings; all but `onDownload` is for tests. */
export type TransformersSurroundings = {
  /** Called while files of an allowed download arrive. */
  readonly onDownload?: (progress: DownloadProgress) => void
  /** URL of the transformers.js module. @defaultValue the version 4 installed for Audition */
  readonly packageUrl?: string
  /** Entry of the worker thread. @defaultValue the compiled `worker.js` beside this file */
  readonly workerEntry?: URL
}

/** A model that was found, with the thread that computes it. */
export type OpenThread = {
  readonly thread: EncoderThread
  /** Of the weights, for the model's id; empty for a hub id, which names its weights. */
  readonly fingerprint: string
}

/** Run from source, by a Node that takes TypeScript, the worker is the source beside this one. */
const besideThis = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

/**
 * Finds a model and makes the thread for it, so that the event loop stays free while it computes. The thread starts with
 * its first call.
 *
 * @param what - the model in the words of errors
 * @throws EmbeddingModelError when the package is not installed, or the model is missing or broken
 */
export async function openThread(
  options: ModelOptions,
  head: Head,
  what: string,
  surroundings: TransformersSurroundings,
): Promise<OpenThread> {
  const { dtype, maxTokens, threads } = options
  const packageUrl = surroundings.packageUrl ?? transformersUrl(import.meta.url)
  const source = await findModel(options)
  const thread = encoderThread({
    entry: surroundings.workerEntry ?? besideThis,
    what,
    settings: { packageUrl, source, head, dtype, maxTokens, threads },
    explain: (failure) => explainFailure(failure, source, options),
    onDownload: surroundings.onDownload ?? (() => {}),
  })
  return { thread, fingerprint: source.kind === 'folder' ? await weightsFingerprint(source.weights) : '' }
}
