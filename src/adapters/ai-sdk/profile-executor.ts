import type { Card } from '../../domain/card.ts'
import { type Executor, RuntimeError } from '../../probing/ports.ts'
import { profileOfCard } from '../../probing/profile-file.ts'
import { remoteHost } from '../../probing/remote-host.ts'
import { type ConfiguredAgent, type ConfiguredAgentOptions, configuredAgent } from './configured-agent.ts'
import { executeModelAgent } from './model-agent.ts'
import { displayOfServers, withinOf, type WantedServer, wantedTools } from './profile-servers.ts'

/**
 * Runs capability profiles that name a model: backbone M as far as it is configured, the tools T of the profile's MCP
 * servers, policy C where the provider knows the setting. What cannot be had is told in the transcript.
 *
 * @see AgentSelect, ICML 2026, section 3
 */
export function profileExecutor(options: ConfiguredAgentOptions): Executor {
  return {
    name: 'profile',
    accepts: (card) => card.kind === 'agent' && card.runtime?.kind === 'profile' && card.backbone !== null,
    async plan(card) {
      const { file, servers, spec, url } = agentOf(card, options)
      const attached = servers.length === 0 ? '' : `, with ${displayOfServers(servers)}`
      return {
        permit: `profile:${file}`,
        needs: [...servers.map(({ entry }) => `mcp:${file}#${entry.name}`), `chat:${url.origin}`],
        display: `${file} on ${spec}${attached}`,
        host: remoteHost(url),
        ...(await withinOf(servers, `profile:${file}`, options)),
      }
    },
    execute: async (card, task, run) => executeModelAgent(agentOf(card, options).agent, task, run, options),
  }
}

type ProfileAgent = ConfiguredAgent & { readonly file: string; readonly servers: readonly WantedServer[] }

function agentOf(card: Card, options: ConfiguredAgentOptions): ProfileAgent {
  const { file, profile } = profileOfCard(card)
  const { backbone, instructions = '', policy } = profile
  if (backbone === null || backbone === undefined) {
    throw new RuntimeError(`${file} names no model any more`, 'Run `audition index` on its source again.')
  }
  const { name, id } = backbone
  const wanted = wantedTools(file, profile, options)
  const described = {
    ...{ id: card.id, instructions, policy, wanted, notes: [] },
    backbone: { name, ...(id === undefined ? {} : { id }) },
  }
  return { ...configuredAgent(described, options), file, servers: wanted.servers }
}
