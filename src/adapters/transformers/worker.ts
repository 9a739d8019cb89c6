import { parentPort, workerData } from 'node:worker_threads'
import { EmbeddingModelError } from '../../retrieval/embedding-model-error.ts'
import { type Encoder, loadEncoder } from './encoder.ts'
import { passGate } from './native-gate.ts'
import type { Failure, FromWorker, ToWorker, WorkerStart } from './protocol.ts'

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
    if (message.kind === 'embed') void passGate(gate, () => answer(encoder, message.texts))
    else void passGate(gate, () => encoder.dispose()).finally(() => port.close())
  })
  send({ kind: 'ready', dimensions: encoder.dimensions })
}

async function load(): Promise<Encoder | null> {
  let during: Failure['during'] = 'import'
  try {
    const transformers = await import(settings.packageUrl)
    during = 'load'
    return await loadEncoder(transformers, settings, (progress) => send({ kind: 'download', ...progress }))
  } catch (error) {
    send({ kind: 'failed', failure: failureOf(error, during) })
    return null
  }
}

async function answer(encoder: Encoder, texts: readonly string[]): Promise<void> {
  try {
    const rows = await encoder.encode(texts)
    send({ kind: 'vectors', rows }, [rows.buffer as ArrayBuffer])
  } catch (error) {
    send({ kind: 'failed', failure: failureOf(error, 'embed') })
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
