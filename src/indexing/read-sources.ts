import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import type { OpenSource } from './open-source.ts'
import type { ReadPart } from './plan-source.ts'
import type { SourceState } from '../store/source-state.ts'

/** Live servers asked at the same time: most of the time they are waited for, at their start they want a processor. */
export const serversAtOnce = Math.min(16, Math.max(8, 2 * availableParallelism()))

/** Which turn a live server has: those that failed before come last, so that nothing waits behind them. */
const failuresOf = (state: SourceState | undefined): number => state?.asked?.failed?.times ?? 0

/** Reads sources: live servers side by side, the others in their order. */
export function readSources(
  sources: readonly OpenSource[],
  stateOf: (source: OpenSource) => SourceState | undefined,
  {
    signal,
    read,
  }: { readonly signal: AbortSignal; readonly read: (source: OpenSource) => Promise<ReadPart> },
): Promise<ReadPart[]> {
  const limit = pLimit(serversAtOnce)
  const order = sources.toSorted((a, b) => failuresOf(stateOf(a)) - failuresOf(stateOf(b)))
  const turn = async (source: OpenSource): Promise<ReadPart> => {
    await breathe(signal)
    return read(source)
  }
  const parts = new Map(
    order.map((source) => [source, source.isLive ? limit(turn, source) : turn(source)] as const),
  )
  return Promise.all(sources.map((source) => parts.get(source)!))
}

/** Lets timers and signals run between two sources. */
const breathe = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    setImmediate(() => (signal.aborted ? reject(signal.reason) : resolve()))
  })
