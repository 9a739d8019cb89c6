import { parentPort, workerData } from 'node:worker_threads'
import { searcherOf } from '../../retrieval/search/choose-ranker.ts'
import { openShared } from '../../retrieval/index/catalog-image.ts'
import type { CatalogSnapshot } from '../../retrieval/ports.ts'
import { search } from '../../retrieval/search/search.ts'
import { modelOf } from '../open-models.ts'
import {
  type Answers,
  type Asked,
  type FromThread,
  idsAlone,
  type SharedCatalog,
  type ThreadStart,
  type ToThread,
} from './messages.ts'

/** Entry of a thread that searches. It holds no store: what is not in the search images is asked of the thread that started it. */
const port = parentPort!
const { config }: ThreadStart = workerData
const send = (message: FromThread): void => port.postMessage(message)

const aborts = new Map<number, AbortController>()
const waiting = new Map<number, { resolve(value: never): void; reject(reason: Error): void }>()
let asks = 0

const opened = modelOf({ ...config, readWeights: (file) => ask(0, { what: 'weights', file }) }, () => {
  throw new Error('Threads that search download nothing.')
})
opened.then(
  () => send({ kind: 'ready' }),
  () => process.exit(1), // the searches go on in the thread that started this one
)

/** @param id - of the search that asks; 0 for what none needs by itself */
function ask<What extends Asked['what']>(
  id: number,
  asked: Extract<Asked, { what: What }>,
): Promise<Answers[What]> {
  asks += 1
  const number = asks
  return new Promise<Answers[What]>((resolve, reject) => {
    waiting.set(number, { resolve, reject })
    send({ kind: 'ask', ask: number, id, asked })
  })
}

type Indexes = CatalogSnapshot['indexes']
let catalog: (SharedCatalog & { readonly indexes: Indexes }) | undefined

async function find({
  id,
  request,
  settings,
  byWords,
  hasRecord,
}: Extract<ToThread, { kind: 'search' }>): Promise<void> {
  const { generation, embedding, indexes } = catalog!
  const abort = new AbortController()
  aborts.set(id, abort)
  try {
    const snapshot: CatalogSnapshot = {
      generation,
      embedding,
      indexes,
      cards: idsAlone,
      hashes: () => Promise.reject(new Error('Records are weighed where the store is.')),
    }
    const model = byWords ? null : searcherOf(embedding!.model, (await opened)!)
    const context = {
      snapshot,
      model,
      ...(settings ? { settings } : {}),
      ...(hasRecord ? { weigh } : {}),
    }
    send({ kind: 'answer', id, answer: await search(context, request, abort.signal) })
  } catch {
    send({ kind: 'failed', id })
  } finally {
    aborts.delete(id)
  }

  async function weigh(found: Parameters<NonNullable<Parameters<typeof search>[0]['weigh']>>[0]) {
    const { ranked, signals } = await ask(id, { what: 'weigh', found })
    return { ranked, signalOf: (document: number) => signals.get(document) }
  }
}

port.on('message', (message: ToThread) => {
  if (message.kind === 'catalog') {
    const { tool, agent } = message.catalog.images
    const former = catalog?.indexes
    const indexes = {
      tool: openShared(tool, former?.tool.segments),
      agent: openShared(agent, former?.agent.segments),
    }
    catalog = { ...message.catalog, indexes }
  } else if (message.kind === 'search') void find(message)
  else if (message.kind === 'abort') aborts.get(message.id)?.abort()
  else {
    const { ask: number, value } = message
    const asker = waiting.get(number)
    waiting.delete(number)
    if (value === null) asker?.reject(new Error('What was asked for could not be had.'))
    else asker?.resolve(value as never)
  }
})
