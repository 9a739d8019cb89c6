import type { JsonObject } from '../../domain/json.ts'
import {
  backboneOf,
  detailsBeside,
  hasFrontMatter,
  matterOf,
  policyOf,
  scalarText,
  statementOf,
  toolsOf,
} from '../formats/markdown-agent.ts'
import { fileName, hasEnding } from '../path-names.ts'
import type { CardDraft, Problem, Reader, SourceDocument } from '../ports.ts'
import { textOf, textsOf } from '../formats/published-fields.ts'
import { namedServersOf, serversWithoutSecrets } from '../server-entries.ts'

/** Fields that bear on a run. `hooks` are left out: they start programs and may hold secrets. */
const policyFields = [
  'permissionMode',
  'disallowedTools',
  'skills',
  'memory',
  'maxTurns',
  'effort',
  'isolation',
  'background',
]
const ownFields = [
  'name',
  'description',
  'tools',
  'model',
  'tags',
  'category',
  'author',
  'keywords',
  'hooks',
  'mcpServers',
]

/**
 * Reads Claude Code sub-agents: Markdown whose front matter has a name and a description. The body is the system
 * prompt. No `tools` line means every tool of the host; the card then lists none and says so in its details.
 *
 * @see https://docs.claude.com/en/docs/claude-code/sub-agents
 */
export const claudeSubagent: Reader = {
  name: 'claude-subagent',
  describes: 'Claude Code sub-agents, .claude/agents/*.md (Markdown with front matter)',
  grain: 'card',
  recognises(document) {
    if (!hasEnding(document.path, 'md') || isOtherMarkdown(document.path) || !hasFrontMatter(document))
      return false
    const { fields } = matterOf(document)
    const { name, description } = fields
    if (scalarText(name) !== '' && scalarText(description) !== '') return true
    return isAgentsFolder(document.path) && [name, description, fields.tools, fields.model].some(Boolean)
  },
  read(document) {
    const { fields, body, problems } = matterOf(document)
    const absent = ['name', 'description'].filter((field) => scalarText(fields[field]) === '')
    if (absent.length > 0) {
      return {
        cards: [],
        servers: [],
        problems: [...problems, ...absent.map((field) => missing(document, field))],
      }
    }
    return { cards: [cardOf(document, fields, body)], servers: [], problems }
  },
}

function cardOf(document: SourceDocument, fields: JsonObject, body: string): CardDraft {
  const { description, examples } = statementOf(fields.description)
  const author = textOf(fields.author)
  const servers = serversWithoutSecrets(fields.mcpServers)
  const namedServers = namedServersOf(fields.mcpServers)
  const details = {
    ...detailsBeside(fields, [...ownFields, ...policyFields]),
    ...(fields.tools === undefined ? { tools: 'every tool of the host' } : {}),
    ...(namedServers.length === 0 ? {} : { mcpServers: namedServers.join(', ') }),
  }
  return {
    kind: 'agent',
    agentKind: 'subagent',
    name: scalarText(fields.name),
    description,
    examples,
    tags: textsOf(fields.tags, fields.keywords, fields.category),
    ...(author === '' ? {} : { publisher: author }),
    backbone: backboneOf(fields.model),
    tools: toolsOf(fields.tools),
    policy: policyOf(fields, policyFields),
    ...(servers === undefined ? {} : { servers }),
    ...(body === '' ? {} : { instructions: body }),
    runtime: { kind: 'claude-subagent', file: document.path },
    ...(Object.keys(details).length === 0 ? {} : { details }),
  }
}

/** Markdown with front matter that other readers or other programs own. */
const isOtherMarkdown = (path: string): boolean =>
  /skill\.md$|\.(?:agent|chatmode|prompt|instructions)\.md$|^readme\.md$/i.test(fileName(path)) ||
  /[\\/](?:output-styles|commands)[\\/]/.test(path)

const isAgentsFolder = (path: string): boolean => /[\\/]agents[\\/]/.test(path)

const missing = (document: SourceDocument, field: string): Problem => ({
  severity: 'error',
  file: document.label,
  field,
  message: `the sub-agent has no ${field}`,
  remedy: `Add a line "${field}: ..." to the front matter.`,
})
