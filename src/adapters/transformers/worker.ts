import { parentPort, workerData } from 'node:worker_threads'
import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import { loadCrossEncoder } from './cross-encoder-head.ts'
import { loadDecoder } from './decoder-head.ts'
import { loadEmbedder } from './embedding-head.ts'
import { type WorkerModel, loadModel } from './load-model.ts'
import {
  passGate,
  type Failure,
  type FromWorker,
  type TextBatch,
  type ToWorker,
  type WorkerStart,
} from './protocol.ts'

/** Entry of the worker thread: loads the model, then answers one batch after the other until told to close. */
const port = parentPort!
const { settings, gate }: WorkerStart = workerData
const send = (message: FromWorker, transfer: readonly ArrayBuffer[] = []) =>
  port.postMessage(message, transfer)

// Standard output is the protocol of a stdio server: what a library prints goes to standard error. (The thread's
// own option for this, `stdout: true`, keeps the process alive for ever once something was printed.)
process.stdout.write = process.stderr.write.bind(process.stderr)

const encoder = await passGate(gate, load)
if (encoder !== null) {
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'compute') void passGate(gate, () => answer(encoder, message.batch))
    else void passGate(gate, () => encoder.dispose()).finally(() => port.close())
  })
  send({ kind: 'ready', width: encoder.width })
}

async function load(): Promise<WorkerModel | null> {
  let during: Failure['during'] = 'import'
  try {
    const transformers = await import(settings.packageUrl)
    during = 'load'
    const model = await loadModel(transformers, settings, (progress) =>
      send({ kind: 'download', ...progress }),
    )
    const { head } = settings
    if (head.kind === 'embedding') return await loadEmbedder(model, head.pooling)
    return await (model.family === null
      ? loadCrossEncoder(model)
      : loadDecoder(model, model.family, head.task))
  } catch (error) {
    send({ kind: 'failed', failure: failureOf(error, during) })
    return null
  }
}

async function answer(encoder: WorkerModel, batch: TextBatch): Promise<void> {
  try {
    const rows = await encoder.compute(batch)
    send({ kind: 'rows', rows }, [rows.buffer as ArrayBuffer])
  } catch (error) {
    send({ kind: 'failed', failure: failureOf(error, 'compute') })
  }
}

function failureOf(error: unknown, during: Failure['during']): Failure {
  const message = error instanceof Error ? error.message : String(error)
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return {
    during,
    message: `${message}${cause}`,
    ...(error instanceof EmbeddingModelError ? { remedy: error.remedy } : {}),
    ...(typeof status === 'number' ? { status } : {}),
  }
}
