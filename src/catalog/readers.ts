import type { Problem, Reader, SourceDocument } from './ports.ts'
import { a2aCard } from './readers/a2a-card.ts'
import { agentFramework } from './frameworks/agent-framework.ts'
import { agno } from './frameworks/agno.ts'
import { crewai } from './frameworks/crewai.ts'
import { langgraph } from './frameworks/langgraph.ts'
import { aiCatalog } from './registries/ai-catalog.ts'
import { agentJsonl } from './readers/agent-jsonl.ts'
import { agentbaseJsonl } from './readers/agentbase-jsonl.ts'
import { agentSelectJson } from './readers/agentselect-json.ts'
import { claudeCommand } from './readers/claude-command.ts'
import { claudePlugin, claudePluginList } from './readers/claude-plugin.ts'
import { claudeSkill } from './readers/claude-skill.ts'
import { claudeSubagent } from './readers/claude-subagent.ts'
import { copilotAgent } from './readers/copilot-agent.ts'
import { dockerAgentYaml } from './readers/docker-agent-yaml.ts'
import { dockerMcp } from './readers/docker-mcp.ts'
import { hostConfig } from './readers/host-config.ts'
import { knownRefusals } from './readers/known-refusals.ts'
import { livemcpbench } from './readers/livemcpbench.ts'
import { lobeAgent } from './readers/lobe-agent.ts'
import { mcpRegistryList } from './registries/mcp-registry-list.ts'
import { mcpServerJson } from './registries/mcp-server-json.ts'
import { mcpToolsList } from './readers/mcp-tools-list.ts'
import { modelList } from './readers/model-list.ts'
import { modelOutcomes } from './readers/model-outcomes.ts'
import { openaiFunctions } from './readers/openai-functions.ts'
import { openapi } from './readers/openapi.ts'
import { profileYaml } from './readers/profile-yaml.ts'
import { toolretJsonl } from './readers/toolret-jsonl.ts'
import { printParseErrorCode, visit } from 'jsonc-parser'
import { isTomlPath, readConfig } from '../hosts/config-text.ts'
import { whyNotYaml } from './formats/parse-yaml.ts'
import { hasEnding } from './path-names.ts'

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
  aiCatalog,
  livemcpbench,
  mcpServerJson,
  mcpRegistryList,
  a2aCard,
  dockerMcp,
  modelList,
  modelOutcomes,
  toolretJsonl,
  agentJsonl,
  agentbaseJsonl,
  agentSelectJson,
  lobeAgent,
  agentFramework.reader,
  dockerAgentYaml,
  crewai.reader,
  langgraph.reader,
  agno.reader,
  mcpToolsList,
  openaiFunctions,
  hostConfig, // late: what it claims may be started
  knownRefusals, // last: what no other reader wants
]

/** The reader for a document; undefined when its format is not known. */
export const recognise = (document: SourceDocument): Reader | undefined =>
  readers.find((reader) => reader.recognises(document))

/** What to tell about a document that {@link recognise} does not know: where its JSON breaks, or which formats are known. */
export const unknownFormat = (document: SourceDocument): Problem => explainUnknownFormat(document, readers)

/**
 * What to tell about a document that no reader recognises: where its JSON, YAML or TOML breaks, when that is the reason, else
 * which formats are known.
 */
function explainUnknownFormat(document: SourceDocument, readers: readonly Reader[]): Problem {
  const place =
    hasEnding(document.path, 'json', 'jsonc') && document.json() === undefined
      ? brokenAt(document.text)
      : undefined
  const toml = isTomlPath(document.path) ? readConfig(document.path, document.text) : undefined
  if (toml?.kind === 'broken') {
    return {
      severity: 'error',
      file: document.label,
      field: `line ${toml.line}`,
      message: `the TOML is broken at line ${toml.line}: ${toml.reason}`,
      remedy: 'Correct the line and index the file again.',
    }
  }
  const yaml = hasEnding(document.path, 'yaml', 'yml') ? yamlBreakIn(document) : undefined
  if (yaml !== undefined) {
    const [, reason = yaml, line] = /^(.*) \(line (\d+)\)$/s.exec(yaml) ?? []
    const at = line === undefined ? '' : ` at line ${line}`
    return {
      severity: 'error',
      file: document.label,
      field: line === undefined ? 'text' : `line ${line}`,
      message: `the YAML is broken${at}: ${reason}`,
      remedy: 'Correct the line and index the file again.',
    }
  }
  if (place !== undefined) {
    return {
      severity: 'error',
      file: document.label,
      field: `line ${place.line}`,
      message: `the JSON is broken at line ${place.line}, column ${place.column}: ${place.reason}`,
      remedy: 'Correct the line and index the file again.',
    }
  }
  return {
    severity: 'error',
    file: document.label,
    message: 'the format is not known',
    remedy: ['Known formats:', ...readers.map(({ describes }) => `- ${describes}`)].join('\n'),
  }
}

/** Why a text is no YAML. Several documents in one file are sound, and templates are no YAML yet. */
function yamlBreakIn(document: SourceDocument): string | undefined {
  if (document.yaml() !== undefined || /\{\{|\{%/.test(document.text)) return undefined
  const reason = whyNotYaml(document.text)
  return reason === undefined || /single document/.test(reason) ? undefined : reason
}

/** Thrown to end the visit at the first error. */
class FirstError extends Error {
  readonly place: { readonly line: number; readonly column: number; readonly reason: string }
  constructor(place: FirstError['place']) {
    super(place.reason)
    this.place = place
  }
}

function brokenAt(text: string): FirstError['place'] | undefined {
  try {
    visit(
      text,
      {
        onError(code, _offset, _length, line, column) {
          const reason = printParseErrorCode(code)
            .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
            .toLowerCase()
          throw new FirstError({ line: line + 1, column: column + 1, reason })
        },
      },
      { allowTrailingComma: true },
    )
    return undefined
  } catch (error) {
    if (error instanceof FirstError) return error.place
    if (error instanceof RangeError) return undefined // nested deeper than can be followed
    throw error
  }
}
