import {
  detailsBeside,
  type FrontMatter,
  hasFrontMatter,
  markdownAgent,
  matterOf,
  scalarText,
  toolsOf,
  withoutField,
} from '../formats/markdown-agent.ts'
import { fileName, hasEnding } from '../path-names.ts'
import type { CardDraft, Reader, SourceDocument } from '../ports.ts'
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
    const matter = matterOf(document)
    const absent = ['name', 'description'].filter((field) => scalarText(matter.fields[field]) === '')
    const problems = absent.map((field) => withoutField(document, 'sub-agent', field))
    return {
      cards: absent.length > 0 ? [] : [cardOf(document, matter)],
      servers: [],
      problems: [...matter.problems, ...problems],
    }
  },
}

function cardOf(document: SourceDocument, matter: FrontMatter): CardDraft {
  const { fields } = matter
  const namedServers = namedServersOf(fields.mcpServers)
  return markdownAgent(matter, {
    agentKind: 'subagent',
    name: scalarText(fields.name),
    tags: textsOf(fields.tags, fields.keywords, fields.category),
    author: textOf(fields.author),
    tools: toolsOf(fields.tools),
    policy: policyFields,
    servers: serversWithoutSecrets(fields.mcpServers),
    runtime: { kind: 'claude-subagent', file: document.path },
    details: {
      ...detailsBeside(fields, [...ownFields, ...policyFields]),
      ...(fields.tools === undefined ? { tools: 'every tool of the host' } : {}),
      ...(namedServers.length === 0 ? {} : { mcpServers: namedServers.join(', ') }),
    },
  })
}

/** Markdown with front matter that other readers or other programs own. */
const isOtherMarkdown = (path: string): boolean =>
  /skill\.md$|\.(?:agent|chatmode|prompt|instructions)\.md$|^readme\.md$/i.test(fileName(path)) ||
  /[\\/](?:output-styles|commands)[\\/]/.test(path)

const isAgentsFolder = (path: string): boolean => /[\\/]agents[\\/]/.test(path)
