import type { JsonObject } from '../../domain/json.ts'
import type { Runtime } from '../../domain/runtime.ts'
import { isPublicAddress } from '../../domain/text/local-hosts.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { RuntimeKind } from '../../probing/runtime-kind.ts'
import type { A2aSurroundings } from './a2a-executor.ts'

/** Agents behind the A2A protocol. */
export const a2aRuntime: RuntimeKind<A2aSurroundings, 'a2a'> = {
  kind: 'a2a',
  name: 'a2a',
  permit: 'a2a',
  permitNames: '<origin>',
  permitWords: { one: 'Agents at', all: 'Every agent at an address that begins with' },
  agentKinds: ['a2a'],
  accepts: ({ runtime }) => runtime?.kind === 'a2a',
  text: ({ url, binding, protocolVersion }) =>
    `A2A agent at ${url} (${binding}, protocol ${protocolVersion})`,
  use: ({ url }, { quoted }) => `A2A ${quoted(url, 200)}`,
  call: ({ url, binding, protocolVersion }) => ({ via: 'a2a', url, binding, version: protocolVersion }),
  share: (runtime) => runtime,
  exported: ({ url }) => `It runs behind the A2A protocol at ${printableLine(url)}`,
  published: {
    type: 'application/a2a-agent-card+json',
    document: ({ policy, runtime }, said) => ({ ...policy, ...said, ...interfacesOf(runtime) }),
  },
  settings: {
    name: 'a2a tokens',
    async read(environment) {
      const { originsWithTokens } = await import('./agent-address.ts')
      const origins = originsWithTokens(environment)
      return origins.length === 0 ? null : `for ${origins.join(', ')}`
    },
  },
  open: async (surroundings) => (await import('./a2a-executor.ts')).a2aExecutor(surroundings),
}

/** An address is told only where anybody can look its host up. */
function interfacesOf(runtime: Runtime | undefined): JsonObject {
  if (runtime?.kind !== 'a2a' || !isPublicAddress(runtime.url)) return {}
  const { url, binding, protocolVersion } = runtime
  return { supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion }] }
}
