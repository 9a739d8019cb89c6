import { parentPort } from 'node:worker_threads'
import { answerTo, type ScanWork } from './scan-work.ts'

/** Entry of the thread in which long texts are scanned. */
const port = parentPort!
port.on('message', (work: ScanWork) => port.postMessage(answerTo(work)))
