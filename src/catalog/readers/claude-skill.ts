import { isJsonObject } from '../../domain/json.ts'
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
import { statementOf } from '../formats/example-dialogues.ts'
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
    const matter = matterOf(document)
    const { fields, problems } = matter
    const named = scalarText(fields.name)
    const name = named || parentFolder(document.path)
    const absent = scalarText(fields.description) === '' ? 'description' : name === '' ? 'name' : undefined
    if (absent !== undefined)
      return { cards: [], servers: [], problems: [...problems, withoutField(document, 'skill', absent)] }
    return {
      cards: [cardOf(name, matter)],
      servers: [],
      problems: named === '' ? [...problems, unnamed(document)] : problems,
    }
  },
}

function cardOf(name: string, matter: FrontMatter): CardDraft {
  const { fields } = matter
  const { description } = statementOf(scalarText(fields.description))
  const when = whenFields.map((field) => textOf(fields[field])).find((text) => text !== '')
  const metadata = isJsonObject(fields.metadata) ? fields.metadata : {}
  const known = [...ownFields, ...toolFields, ...policyFields, ...whenFields]
  return markdownAgent(matter, {
    agentKind: 'skill',
    name,
    description: when === undefined ? description : `${description}\n${when}`,
    tags: textsOf(fields.tags, fields.keywords, fields.category, metadata.tags),
    author: textOf(fields.author) || textOf(metadata.author),
    tools: toolsOf(toolFields.map((field) => fields[field]).find((value) => value !== undefined)),
    policy: policyFields,
    details: { ...detailsBeside(metadata, ['author', 'tags']), ...detailsBeside(fields, known) },
  })
}

function unnamed(document: SourceDocument): Problem {
  const absent = withoutField(document, 'skill', 'name')
  return { ...absent, severity: 'warning', message: `${absent.message}; its folder's name was taken` }
}
