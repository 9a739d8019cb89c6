import { boundLaunch } from '../../../trust/launches/bound-launch.ts'
import type { Card } from '../../../domain/card.ts'
import type { CardRunner } from '../../../probing/runtime-kind.ts'
import { requireSameLaunch } from '../../../probing/settings/grants.ts'
import { type Launch, RuntimeError } from '../../../probing/ports.ts'
import { profileOfCard } from '../../../probing/run/profile-file.ts'
import { remoteHost } from '../../../probing/run/bounded-fetch.ts'
import {
  type ConfiguredAgent,
  type ModelSurroundings,
  agentParts,
  configuredAgent,
} from './configured-agent.ts'
import { executeModelAgent } from './model-agent.ts'
import {
  displayOfServers,
  permitsOfServers,
  secretsOfServers,
  toolParts,
  type WantedServer,
  wantedTools,
  withinOf,
} from './profile-servers.ts'

/**
 * Runs capability profiles that name a model: backbone M as far as it is configured, the tools T of the profile's MCP
 * servers, policy C where the provider knows the setting. What cannot be had is told in the transcript.
 *
 * @see AgentSelect, ICML 2026, section 3
 */
export function profileExecutor(options: ModelSurroundings): CardRunner {
  return {
    async secretsOf(card) {
      const { agent, servers } = agentOf(card, options)
      return [...agent.secrets, ...secretsOfServers(servers, options)]
    },
    async plan(card) {
      const { file, servers, spec, url, permits } = agentOf(card, options)
      const attached = servers.length === 0 ? '' : `, with ${displayOfServers(servers)}`
      return {
        ...permits,
        display: `${file} on ${spec}${attached}`,
        host: remoteHost(url),
        ...(await withinOf(servers, `profile:${file}`, options)),
      }
    },
    async execute(card, task, run) {
      const { agent, permits } = agentOf(card, options)
      requireSameLaunch(run.launch, permits)
      return executeModelAgent(agent, task, run)
    },
  }
}

type ProfileAgent = ConfiguredAgent & {
  readonly file: string
  readonly servers: readonly WantedServer[]
  readonly permits: Pick<Launch, 'permit' | 'needs' | 'binds'>
}

function agentOf(card: Card, options: ModelSurroundings): ProfileAgent {
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
  const configured = configuredAgent(described, options)
  const permit = `profile:${file}`
  const { needs, binds } = permitsOfServers(file, wanted.servers, options)
  const bound = boundLaunch(file, [
    { name: 'model', exact: id ?? name },
    ...toolParts(wanted.servers),
    ...agentParts({ instructions, policy }),
  ])
  const permits = {
    permit,
    needs: [...needs, `chat:${configured.url.origin}`],
    binds: { [permit]: bound, ...binds },
  }
  return { ...configured, file, servers: wanted.servers, permits }
}
