import { parentPort } from 'node:worker_threads'
import type { Card } from '../../domain/card.ts'
import { saidByTexts } from './said-by-texts.ts'

/** Entry of the thread in which large cards are scanned: one card in, what its texts say out. */
const port = parentPort!
port.on('message', (card: Card) => port.postMessage(saidByTexts(card)))
