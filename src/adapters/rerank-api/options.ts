import { modelLine } from '../../retrieval/rank/model-line.ts'
import { RerankerError, rerankers } from '../../retrieval/rank/service-failures.ts'
import { isWebAddress, unusablePlace } from '../http/ask-json.ts'
import { type RerankFormat, wireNames, wires } from './wires.ts'

/** A reranking service with everything decided. */
export type RerankOptions = {
  readonly format: RerankFormat
  /** Where it listens, without `/rerank` and a slash at the end. */
  readonly base: string
  /** Empty where the server has one model. */
  readonly model: string
  readonly depth: number
  /** Documents in one request. */
  readonly batch: number
  /** For one search, all requests and waits together. */
  readonly seconds: number
}

const known = {
  format: { words: wireNames },
  depth: { least: 1, most: 200, usual: 30 },
  batch: { least: 1, most: 1000, usual: 1000 },
  seconds: { least: 1, most: 600, usual: 10 },
} as const

/**
 * Reads `<base>#<model>?depth=50&format=tei`. The base is an address, or a provider's name for its own. Without `format` the host tells
 * it; of other hosts one that serves a named model speaks as Jina does, and one without a name is of Text Embeddings Inference.
 *
 * @param line - what stands after `rerank:`
 * @throws RerankerError when it names no address or model; it never repeats credentials
 */
export function rerankOptions(line: string, key: string | undefined): RerankOptions {
  const { what, settings } = modelLine(line, known, rerankers)
  const [place = '', ...models] = what.split('#')
  const model = models.join('#')
  const named = wireNames.find((name) => name === place)
  const address = (named === undefined ? place : (wires[named] as { base?: string }).base) ?? ''
  if (!isWebAddress(address) || /[\s#]/.test(model)) {
    throw new RerankerError(
      unusablePlace(place, {
        variable: rerankers.variable,
        kind: 'rerank:',
        names: ['cohere', 'jina', 'voyage'],
      }),
      'Write rerank:<address>#<model>, for example rerank:cohere#rerank-v3.5 or rerank:http://127.0.0.1:8080?format=tei; a key stands in AUDITION_RERANKER_KEY.',
    )
  }
  const { hostname, host } = new URL(address)
  const ofHost = wireNames.find((name) => (wires[name] as { hosts?: RegExp }).hosts?.test(hostname))
  const format = settings.format ?? named ?? ofHost ?? (model === '' ? 'tei' : 'jina')
  if (model === '' && format !== 'tei')
    throw new RerankerError(
      `AUDITION_RERANKER names no model of ${host}.`,
      'Write rerank:<address>#<model>, for example rerank:cohere#rerank-v3.5.',
    )
  if (ofHost !== undefined && key === undefined)
    throw new RerankerError(
      `${host} needs a key.`,
      `Set AUDITION_RERANKER_KEY to your key of it; of several rerankers AUDITION_RERANKER_KEY_${ofHost.toUpperCase()}.`,
    )
  return {
    format,
    model,
    depth: settings.depth,
    seconds: settings.seconds,
    base: address.replace(/(?<!\/)\/+$/, '').replace(/\/rerank$/, ''),
    batch: Math.min(settings.batch, wires[format].mostDocuments),
  }
}
