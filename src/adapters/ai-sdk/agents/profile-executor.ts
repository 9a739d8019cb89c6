import { boundLaunch } from '../../../trust/launches/bound-launch.ts'
import type { Card } from '../../../domain/card.ts'
import type { CardRunner } from '../../../probing/runtime-kind.ts'
import { RuntimeError } from '../../../probing/ports.ts'
import { profileOfCard } from '../../../probing/run/profile-file.ts'
import { remoteHost } from '../../../probing/run/bounded-fetch.ts'
import { type ModelSurroundings, agentParts, configuredAgent } from './configured-agent.ts'
import { modelAgentRunner, type PlannedAgent } from './model-agent.ts'
import { displayOfServers, permitsOfServers, toolParts, wantedTools } from './profile-servers.ts'

/**
 * Runs capability profiles that name a model: backbone M as far as it is configured, the tools T of the profile's MCP
 * servers, policy C where the provider knows the setting. What cannot be had is told in the transcript.
 *
 * @see AgentSelect, ICML 2026, section 3
 */
export function profileExecutor(options: ModelSurroundings): CardRunner {
  return modelAgentRunner((card) => agentOf(card, options), options)
}

function agentOf(card: Card, options: ModelSurroundings): PlannedAgent {
  const { file, profile } = profileOfCard(card)
  const { backbone, instructions = '', policy } = profile
  if (backbone === null || backbone === undefined) {
    throw new RuntimeError(`${file} names no model any more`, 'Run `audition index` on its source again.')
  }
  const { name, id } = backbone
  const wanted = wantedTools(file, profile, options)
  const { servers } = wanted
  const described = {
    id: card.id,
    instructions,
    policy,
    wanted,
    notes: [],
    backbone: { name, ...(id === undefined ? {} : { id }) },
  }
  const { agent, spec, url } = configuredAgent(described, options)
  const permit = `profile:${file}`
  const { needs, binds } = permitsOfServers(servers, options)
  const bound = boundLaunch(file, [
    { name: 'model', exact: id ?? name },
    ...toolParts(servers),
    ...agentParts({ instructions, policy }),
  ])
  const launch = {
    permit,
    needs: [...needs, `chat:${url.origin}`],
    binds: { [permit]: bound, ...binds },
    display: `${file} on ${spec}${servers.length === 0 ? '' : `, with ${displayOfServers(servers)}`}`,
    host: remoteHost(url),
  }
  return { agent, launch }
}
