import type { ToolReference } from '../../domain/card.ts'
import {
  detailsBeside,
  hasFrontMatter,
  markdownAgent,
  matterOf,
  scalarText,
  toolsOf,
  withoutField,
} from '../formats/markdown-agent.ts'
import { fileName } from '../path-names.ts'
import type { Reader } from '../ports.ts'
import { textOf, textsOf } from '../formats/published-fields.ts'
import { serverEntriesOf, serversWithoutSecrets } from '../server-entries.ts'

const ending = /\.(?:agent|chatmode)\.md$/i
const policyFields = ['target', 'agents', 'handoffs', 'infer', 'user-invocable', 'disable-model-invocation']
const ownFields = [
  'name',
  'description',
  'tools',
  'model',
  'mcp-servers',
  'tags',
  'author',
  'argument-hint',
  'mode',
]

/**
 * Reads custom agents of GitHub Copilot, `*.agent.md` and the older `*.chatmode.md`. The name may be missing: the
 * file's is taken then. Tools of the agent's own MCP servers are listed with those it names itself.
 *
 * @see https://docs.github.com/en/copilot/reference/custom-agents-configuration
 */
export const copilotAgent: Reader = {
  name: 'copilot-agent',
  describes: 'GitHub Copilot custom agents, *.agent.md and *.chatmode.md (Markdown with front matter)',
  grain: 'card',
  recognises: (document) => ending.test(fileName(document.path)) && hasFrontMatter(document),
  read(document) {
    const matter = matterOf(document)
    const { fields, problems } = matter
    if (scalarText(fields.description) === '')
      return {
        cards: [],
        servers: [],
        problems: [...problems, withoutField(document, 'agent', 'description')],
      }
    const card = markdownAgent(matter, {
      agentKind: 'subagent',
      name: scalarText(fields.name) || fileName(document.path).replace(ending, ''),
      tags: textsOf(fields.tags),
      author: textOf(fields.author),
      tools: eachOnce([...toolsOf(fields.tools), ...serverTools(fields['mcp-servers'])]),
      policy: policyFields,
      servers: serversWithoutSecrets(fields['mcp-servers']),
      details: detailsBeside(fields, [...ownFields, ...policyFields]),
    })
    return { cards: [card], servers: [], problems }
  },
}

/** Tools that the entries of `mcp-servers` allow by name. */
const serverTools = (servers: unknown): readonly ToolReference[] =>
  serverEntriesOf(servers).flatMap(([, entry]) => toolsOf(entry.tools))

const eachOnce = (tools: readonly ToolReference[]): readonly ToolReference[] => [
  ...new Map(tools.map((tool) => [tool.name, tool])).values(),
]
