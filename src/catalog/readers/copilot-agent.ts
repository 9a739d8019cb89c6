import type { ToolReference } from '../../domain/card.ts'
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
import { fileName } from '../path-names.ts'
import type { CardDraft, Reader, SourceDocument } from '../ports.ts'
import { refused, textOf, textsOf } from '../formats/published-fields.ts'
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
    const { fields, body, problems } = matterOf(document)
    if (scalarText(fields.description) !== '') {
      return { cards: [cardOf(document, fields, body)], servers: [], problems }
    }
    const { problems: absent } = refused({
      file: document.label,
      field: 'description',
      message: 'the agent has no description',
      remedy: 'Add a line "description: ..." to the front matter.',
    })
    return { cards: [], servers: [], problems: [...problems, ...absent] }
  },
}

function cardOf(document: SourceDocument, fields: JsonObject, body: string): CardDraft {
  const { description, examples } = statementOf(fields.description)
  const servers = serversWithoutSecrets(fields['mcp-servers'])
  const author = textOf(fields.author)
  const details = detailsBeside(fields, [...ownFields, ...policyFields])
  return {
    kind: 'agent',
    agentKind: 'subagent',
    name: scalarText(fields.name) || fileName(document.path).replace(ending, ''),
    description,
    examples,
    tags: textsOf(fields.tags),
    ...(author === '' ? {} : { publisher: author }),
    backbone: backboneOf(fields.model),
    tools: eachOnce([...toolsOf(fields.tools), ...serverTools(fields['mcp-servers'])]),
    policy: policyOf(fields, policyFields),
    ...(servers === undefined ? {} : { servers }),
    ...(body === '' ? {} : { instructions: body }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  }
}

/** Tools that the entries of `mcp-servers` allow by name. */
const serverTools = (servers: unknown): readonly ToolReference[] =>
  serverEntriesOf(servers).flatMap(([, entry]) => toolsOf(entry.tools))

const eachOnce = (tools: readonly ToolReference[]): readonly ToolReference[] => [
  ...new Map(tools.map((tool) => [tool.name, tool])).values(),
]
