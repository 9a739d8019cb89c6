import type { AgentKind } from '../../domain/card.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'
import { firstJsonLine, RefusedRecord, readJsonLines } from '../formats/json-lines.ts'
import { hasEnding } from '../path-names.ts'
import type { CardDraft, Reader } from '../ports.ts'
import { backboneOf } from '../formats/markdown-agent.ts'
import { detailsOf, field, textOf, textsOf, withoutSecrets } from '../formats/published-fields.ts'

const agentKinds: ReadonlyMap<string, AgentKind> = new Map([
  ['claude-subagent', 'subagent'],
  ['copilot-agent', 'subagent'],
  ['claude-skill', 'skill'],
  ['claude-plugin', 'toolkit'],
  ['lobe-plugin', 'toolkit'],
  ['mcp', 'toolkit'],
  ['a2a', 'a2a'],
  ['yaml', 'profile'],
])

/** Kinds whose repository is their publisher's own, rather than a list of what others made. */
const publishedByRepository = new Set([
  'claude-subagent',
  'copilot-agent',
  'claude-skill',
  'claude-plugin',
  'yaml',
])

/**
 * Reads catalogs of agents in JSON Lines: one object a line with `id` (`source:slug`), `name`, `description`,
 * `capabilities`, `tools`, `model`, `instructions`, `examples` and `interface.kind`.
 */
export const agentJsonl: Reader = {
  name: 'agent-jsonl',
  describes: 'Catalogs of agents, one normalised record a line (JSON Lines)',
  grain: 'catalog',
  recognises(document) {
    if (!hasEnding(document.path, 'jsonl', 'ndjson')) return false
    const first = firstJsonLine(document)
    return typeof first?.id === 'string' && typeof first.name === 'string' && isJsonObject(first.interface)
  },
  read(document) {
    const source = textOf(firstJsonLine(document)?.source)
    return { ...readJsonLines(document, (record) => cardOf(record, source)), ...field('sourceName', source) }
  },
}

function cardOf(record: JsonObject, source: string): (CardDraft & { readonly key: string }) | RefusedRecord {
  const id = textOf(record.id)
  const name = textOf(record.name)
  if (id === '' || name === '') {
    const absent = id === '' ? 'id' : 'name'
    return new RefusedRecord({
      field: absent,
      message: `the record has no ${absent}`,
      remedy: `Give every record its "${absent}".`,
    })
  }
  const facts = isJsonObject(record.interface) ? record.interface : {}
  const instructions = textOf(record.instructions)
  return {
    kind: 'agent',
    key: source !== '' && id.startsWith(`${source}:`) ? id.slice(source.length + 1) : id,
    agentKind: agentKinds.get(textOf(facts.kind)) ?? 'listing',
    name,
    description: textOf(record.description),
    examples: textsOf(record.examples),
    tags: textsOf(record.capabilities),
    ...field('publisher', publisherOf(facts)),
    backbone: backboneOf(record.model),
    tools: toolsOf(record.tools),
    policy: {},
    ...field('instructions', instructions),
    ...detailsOf({
      kind: facts.kind,
      repository: facts.repo,
      path: facts.path,
      commit: facts.commit,
      license: record.license,
      language: record.lang,
      framework: facts.framework,
      version: facts.version,
      project: maskSecrets(withoutSecrets(textOf(facts.project))),
      url: maskSecrets(withoutSecrets(textOf(facts.url) || textOf(facts.remote))),
      serverLicense: facts.server_license,
    }),
  }
}

function publisherOf(facts: JsonObject): string {
  const named = textOf(facts.provider) || textOf(facts.author)
  if (named !== '') return named
  const [, owner] =
    /^https?:\/\/(?:www\.)?(?:github|gitlab)\.com\/([^/?#]+)/i.exec(textOf(facts.project)) ?? []
  if (owner !== undefined) return owner
  return publishedByRepository.has(textOf(facts.kind)) ? (textOf(facts.repo).split('/')[0] ?? '') : ''
}

const toolsOf = (published: unknown) =>
  (Array.isArray(published) ? published : []).flatMap((tool) =>
    isJsonObject(tool) && textOf(tool.name) !== ''
      ? [{ name: textOf(tool.name), ...field('description', textOf(tool.description)) }]
      : [],
  )
