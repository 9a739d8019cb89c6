import { isJsonObject, type JsonObject } from '../../domain/json.ts'
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
import { fileName, parentFolder } from '../path-names.ts'
import type { CardDraft, Problem, Reader, SourceDocument } from '../ports.ts'
import { textOf, textsOf } from '../formats/published-fields.ts'

const toolFields = ['allowed-tools', 'allowed_tools', 'tools']
const policyFields = ['context', 'agent', 'user-invocable', 'disable-model-invocation', 'argument-hint']
const whenFields = ['when_to_use', 'when-to-use']
const ownFields = [
  'name',
  'description',
  'model',
  'tags',
  'keywords',
  'category',
  'author',
  'hooks',
  'metadata',
]

/**
 * Reads agent skills: a `SKILL.md` whose front matter says what the skill is for and whose body says how it is done.
 *
 * @see https://agentskills.io/specification
 */
export const claudeSkill: Reader = {
  name: 'claude-skill',
  describes: 'Agent skills, SKILL.md (Markdown with front matter)',
  grain: 'card',
  recognises: (document) =>
    /(?:^|[._-])skill\.md$/i.test(fileName(document.path)) && hasFrontMatter(document),
  read(document) {
    const { fields, body, problems } = matterOf(document)
    const named = scalarText(fields.name)
    const name = named || parentFolder(document.path)
    const description = scalarText(fields.description)
    if (description === '' || name === '') {
      const field = description === '' ? 'description' : 'name'
      return { cards: [], servers: [], problems: [...problems, absent(document, field, 'error')] }
    }
    return {
      cards: [cardOf(name, fields, body)],
      servers: [],
      problems: named === '' ? [...problems, absent(document, 'name', 'warning')] : problems,
    }
  },
}

function cardOf(name: string, fields: JsonObject, body: string): CardDraft {
  const { description, examples } = statementOf(fields.description)
  const when = whenFields.map((field) => textOf(fields[field])).find((text) => text !== '')
  const metadata = isJsonObject(fields.metadata) ? fields.metadata : {}
  const author = textOf(fields.author) || textOf(metadata.author)
  const known = [...ownFields, ...toolFields, ...policyFields, ...whenFields]
  const details = { ...detailsBeside(metadata, ['author', 'tags']), ...detailsBeside(fields, known) }
  return {
    kind: 'agent',
    agentKind: 'skill',
    name,
    description: when === undefined ? description : `${description}\n${when}`,
    examples,
    tags: textsOf(fields.tags, fields.keywords, fields.category, metadata.tags),
    ...(author === '' ? {} : { publisher: author }),
    backbone: backboneOf(fields.model),
    tools: toolsOf(toolFields.map((field) => fields[field]).find((value) => value !== undefined)),
    policy: policyOf(fields, policyFields),
    ...(body === '' ? {} : { instructions: body }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  }
}

const absent = (document: SourceDocument, field: string, severity: Problem['severity']): Problem => ({
  severity,
  file: document.label,
  field,
  message: `the skill has no ${field}${severity === 'warning' ? "; its folder's name was taken" : ''}`,
  remedy: `Add a line "${field}: ..." to the front matter.`,
})
