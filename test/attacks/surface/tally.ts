/** What was sent and what came of it, over one transport. */
export type Tally = {
  readonly transport: string
  sent: number
  readonly sorts: Map<string, number>
  /** Well-formed requests, and those of them that were answered exactly once. */
  requests: number
  answeredOnce: number
  /** Requests that were answered by what they asked for, not by an error. */
  met: number
  /** What went wrong, with an example each: at most {@link mostFaults}. */
  readonly faults: Map<FaultKind, { count: number; readonly examples: string[] }>
  /** Bytes after the warm-up and at the end. */
  memory: { readonly first: number; readonly last: number } | null
  heap: { readonly first: number; readonly last: number } | null
  /** Whether a search was answered rightly at the end. */
  searchesAfterwards: boolean
}

export const faultKinds = [
  'crash',
  'unhandled rejection',
  'leak',
  'not answered',
  'answered twice',
  'answer to nobody',
  'server error',
  'bait taken',
] as const
export type FaultKind = (typeof faultKinds)[number]

const mostFaults = 5

export const newTally = (transport: string): Tally => ({
  transport,
  sent: 0,
  sorts: new Map(),
  requests: 0,
  answeredOnce: 0,
  met: 0,
  faults: new Map(),
  memory: null,
  heap: null,
  searchesAfterwards: false,
})

export function countSent(tally: Tally, sort: string): void {
  tally.sent += 1
  tally.sorts.set(sort, (tally.sorts.get(sort) ?? 0) + 1)
}

export function fault(tally: Tally, kind: FaultKind, example: string): void {
  const known = tally.faults.get(kind) ?? { count: 0, examples: [] }
  known.count += 1
  if (known.examples.length < mostFaults) known.examples.push(example.slice(0, 600))
  tally.faults.set(kind, known)
}

export const faultsOf = (tallies: readonly Tally[], kind: FaultKind): number =>
  tallies.reduce((sum, { faults }) => sum + (faults.get(kind)?.count ?? 0), 0)
