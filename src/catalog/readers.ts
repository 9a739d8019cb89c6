import type { Problem, Reader, SourceDocument } from './ports.ts'
import { a2aCard } from './readers/a2a-card.ts'
import { agentFrameworkYaml } from './readers/agent-framework-yaml.ts'
import { agentJsonl } from './readers/agent-jsonl.ts'
import { agentbaseJsonl } from './readers/agentbase-jsonl.ts'
import { agentSelectJson } from './readers/agentselect-json.ts'
import { claudeCommand } from './readers/claude-command.ts'
import { claudePlugin } from './readers/claude-plugin.ts'
import { claudePluginList } from './readers/claude-plugin-list.ts'
import { claudeSkill } from './readers/claude-skill.ts'
import { claudeSubagent } from './readers/claude-subagent.ts'
import { copilotAgent } from './readers/copilot-agent.ts'
import { crewaiYaml } from './readers/crewai-yaml.ts'
import { dockerAgentYaml } from './readers/docker-agent-yaml.ts'
import { dockerMcp } from './readers/docker-mcp.ts'
import { hostConfig } from './readers/host-config.ts'
import { knownRefusals } from './readers/known-refusals.ts'
import { livemcpbench } from './readers/livemcpbench.ts'
import { lobeAgent } from './readers/lobe-agent.ts'
import { mcpRegistryList } from './readers/mcp-registry-list.ts'
import { mcpServerJson } from './readers/mcp-server-json.ts'
import { openaiFunctions } from './readers/openai-functions.ts'
import { openapi } from './readers/openapi.ts'
import { profileYaml } from './readers/profile-yaml.ts'
import { toolretJsonl } from './readers/toolret-jsonl.ts'
import { explainUnknownFormat } from './unknown-format.ts'

/**
 * Every format that is read: a new one is a file and its line here. The first that recognises a document reads it;
 * those that go by a marker of their own come before those that go by the shape of the fields.
 */
export const readers: readonly Reader[] = [
  profileYaml,
  claudeSkill,
  claudeCommand,
  copilotAgent,
  claudeSubagent,
  claudePlugin,
  claudePluginList,
  openapi,
  livemcpbench,
  mcpServerJson,
  mcpRegistryList,
  a2aCard,
  dockerMcp,
  toolretJsonl,
  agentJsonl,
  agentbaseJsonl,
  agentSelectJson,
  lobeAgent,
  agentFrameworkYaml,
  dockerAgentYaml,
  crewaiYaml,
  openaiFunctions,
  hostConfig, // late: what it claims may be started
  knownRefusals, // last: what no other reader wants
]

/** The reader for a document; undefined when its format is not known. */
export const recognise = (document: SourceDocument): Reader | undefined =>
  readers.find((reader) => reader.recognises(document))

/** What to tell about a document that {@link recognise} does not know: where its JSON breaks, or which formats are known. */
export const unknownFormat = (document: SourceDocument): Problem => explainUnknownFormat(document, readers)
