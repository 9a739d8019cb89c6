import type { RuntimeKind } from '../../probing/runtime-kind.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { A2aSurroundings } from './a2a-executor.ts'

/** Agents behind the A2A protocol. */
export const a2aRuntime: RuntimeKind<A2aSurroundings, 'a2a'> = {
  kind: 'a2a',
  name: 'a2a',
  permit: 'a2a',
  permitNames: '<origin>',
  accepts: ({ runtime }) => runtime?.kind === 'a2a',
  text: ({ url, binding, protocolVersion }) =>
    `A2A agent at ${url} (${binding}, protocol ${protocolVersion})`,
  use: ({ url }, { quoted }) => `A2A ${quoted(url, 200)}`,
  call: ({ url, binding, protocolVersion }) => ({ via: 'a2a', url, binding, version: protocolVersion }),
  share: (runtime) => runtime,
  exported: ({ url }) => `It runs behind the A2A protocol at ${printableLine(url)}`,
  open: async (surroundings) => (await import('./a2a-executor.ts')).a2aExecutor(surroundings),
}
