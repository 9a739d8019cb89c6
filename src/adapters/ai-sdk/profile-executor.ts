import type { Card } from '../../domain/card.ts'
import { type Executor, RuntimeError } from '../../probing/ports.ts'
import { profileOfCard } from '../../probing/profile-file.ts'
import { remoteHost } from '../../probing/remote-host.ts'
import { backboneModel } from './backbone-model.ts'
import { executeModelAgent, type ModelAgent, type ModelAgentOptions } from './model-agent.ts'
import { displayOfServers, wantedTools } from './profile-servers.ts'

/**
 * Runs capability profiles that name a model: backbone M as far as it is configured, the tools T of the profile's MCP
 * servers, policy C where the provider knows the setting. What cannot be had is told in the transcript.
 *
 * @see AgentSelect, ICML 2026, section 3
 */
export function profileExecutor(options: ModelAgentOptions): Executor {
  return {
    name: 'profile',
    accepts: (card) => card.kind === 'agent' && card.runtime?.kind === 'profile' && card.backbone !== null,
    async plan(card) {
      const { file, agent } = agentOf(card, options)
      const { servers } = agent.wanted
      const url = new URL(agent.chosen.model.baseUrl)
      const attached = servers.length === 0 ? '' : `, with ${displayOfServers(servers)}`
      return {
        permit: `profile:${file}`,
        needs: [...servers.map(({ entry }) => `mcp:${file}#${entry.name}`), `chat:${url.origin}`],
        display: `${file} on ${agent.chosen.settings.spec}${attached}`,
        host: remoteHost(url),
      }
    },
    execute: async (card, task, run) => executeModelAgent(agentOf(card, options).agent, task, run, options),
  }
}

function agentOf(
  card: Card,
  options: ModelAgentOptions,
): { readonly file: string; readonly agent: ModelAgent } {
  const { file, profile } = profileOfCard(card)
  if ((profile.backbone ?? null) === null) {
    throw new RuntimeError(`${file} names no model any more`, 'Run `audition index` on its source again.')
  }
  const { name, id } = profile.backbone!
  const backbone = { name, ...(id === undefined ? {} : { id }) }
  return {
    file,
    agent: {
      chosen: backboneModel(backbone, options.languageModel, card.id),
      instructions: profile.instructions ?? '',
      policy: profile.policy,
      wanted: wantedTools(file, profile, options),
      notes: [],
    },
  }
}
