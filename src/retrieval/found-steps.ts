import { mixesTiers } from './defences/scores-alone.ts'
import type { CardIndex } from './index/card-index.ts'
import type { Retrieved } from './rank/ranked-card.ts'
import type { Lookup, Retrieval } from './retrieve.ts'

/** Steps that are remembered: those of one request. */
const remembered = 8

type Found = { readonly lookup: Lookup; readonly retrieval: Retrieval; readonly retrieved: Retrieved }

const lately = new WeakMap<CardIndex, Found[]>()

/** Remembers what was found for a step of a request: composing an agent searches for each step by itself next. */
export function rememberStep(index: CardIndex, found: Found): void {
  lately.set(index, [found, ...(lately.get(index) ?? [])].slice(0, remembered))
}

/**
 * What was found for the same text, by the same means and among the same cards; undefined when none of the last steps was that, or when
 * cards of several tiers are first: a request is scored again without the lower ones, its steps were not.
 */
export function foundAsStep(index: CardIndex, lookup: Lookup, retrieval: Retrieval): Retrieved | undefined {
  if (lookup.besides !== undefined) return undefined
  const found = lately
    .get(index)
    ?.find((one) => one.lookup.text === lookup.text && isSame(one, { lookup, retrieval }))?.retrieved
  const isReady = !retrieval.settings.defences.provenance || (found && !mixesTiers(index, found.fused))
  return isReady ? found : undefined
}

function isSame(one: Omit<Found, 'retrieved'>, other: Omit<Found, 'retrieved'>): boolean {
  const [{ ranker, learned, admitted, settings }, { retrieval }] = [one.retrieval, other]
  return (
    ranker === retrieval.ranker &&
    learned === retrieval.learned &&
    areEqual(admitted, retrieval.admitted) &&
    areEqual(one.lookup.vector, other.lookup.vector) &&
    JSON.stringify(settings) === JSON.stringify(retrieval.settings)
  )
}

const areEqual = (one: Uint8Array | Float32Array | null, other: Uint8Array | Float32Array | null): boolean =>
  one === null || other === null ? one === other : Buffer.compare(bytesOf(one), bytesOf(other)) === 0

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array | Float32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
