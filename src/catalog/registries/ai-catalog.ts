import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { detailsOf, field, textOf, textsOf, withoutSecrets } from '../formats/published-fields.ts'
import { cardsOfTools } from '../harvest-cards.ts'
import type { CardDraft, Problem, Reader } from '../ports.ts'
import { documentFromText } from '../source-document.ts'
import { a2aCard } from '../readers/a2a-card.ts'

/** Catalogs in catalogs that are followed; the specification of AI catalogs asks for a bound. */
const deepest = 4
const registry = /^application\/ai-registry(?:\+json)?$/
const catalog = 'application/ai-catalog+json'

/**
 * Reads AI catalogs, as Agentic Resource Discovery publishes them at `/.well-known/ai-catalog.json`. An entry that brings its document gives
 * the tools or the agent in it; one that names an address gives what it says of itself, and the address stays in its details:
 * nothing is fetched. Catalogs within a catalog are read, and those at an address are told of. Registries are no
 * artifacts, and left out.
 *
 * @see https://github.com/ards-project/ard-spec, section 4
 */
export const aiCatalog: Reader = {
  name: 'ai-catalog',
  describes: 'AI catalogs of Agentic Resource Discovery: ai-catalog.json (JSON)',
  grain: 'catalog',
  recognises(document) {
    if (!document.text.includes('"specVersion"')) return false
    const json = document.json()
    return isJsonObject(json) && typeof json.specVersion === 'string' && Array.isArray(json.entries)
  },
  read(document) {
    const found: Found = { file: document.label, cards: [], problems: [] }
    const json = document.json()
    if (isJsonObject(json)) take(found, json, { path: '', depth: 0 })
    const host = isJsonObject(json) && isJsonObject(json.host) ? textOf(json.host.displayName) : ''
    return { cards: found.cards, servers: [], problems: found.problems, ...field('sourceName', host) }
  },
}

type Found = { readonly file: string; readonly cards: CardDraft[]; readonly problems: Problem[] }

/** Where something stands in the document, and in how many catalogs. */
type Place = { readonly path: string; readonly depth: number }

function take(found: Found, { entries }: JsonObject, { path, depth }: Place): void {
  for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
    const at = `${path}entries[${index}]`
    const tell = (message: string, remedy: string, severity: Problem['severity'] = 'warning'): void => {
      found.problems.push({ severity, file: found.file, field: at, message, remedy })
    }
    if (!isJsonObject(entry) || textOf(entry.identifier) === '') {
      tell(
        'is no entry with an identifier',
        'Give it an "identifier" of the form urn:air:<domain>:<name>.',
        'error',
      )
      continue
    }
    const type = textOf(entry.type)
    if (type === catalog && isJsonObject(entry.data)) {
      if (depth < deepest) take(found, entry.data, { path: `${at}.data.`, depth: depth + 1 })
      else tell('is a catalog in too many others, and was left out', 'Index it by itself.')
    } else if (type === catalog) {
      const address = withoutSecrets(textOf(entry.url))
      tell('is a catalog at another address, which is not asked', `Index it too: audition index ${address}`)
    } else if (!registry.test(type)) takeArtifact(found, entry, at)
  }
}

function takeArtifact(found: Found, entry: JsonObject, at: string): void {
  const { data } = entry
  const type = textOf(entry.type)
  if (isJsonObject(data) && Array.isArray(data.tools) && type.includes('mcp')) {
    const listed = data.tools.map((tool, index) => ({ where: `${at}.data.tools[${index}]`, tool }))
    const server = { name: textOf(data.name) || nameOf(entry) }
    const report = { file: found.file, remedy: 'Mend the tool in the catalog, or leave it out.' }
    const read = cardsOfTools(server, listed, report)
    found.cards.push(...read.cards.map((card) => (card.kind === 'agent' ? described(card, entry) : card)))
    found.problems.push(...read.problems)
    return
  }
  if (isJsonObject(data) && type.includes('a2a')) {
    const read = a2aCard.read(documentFromText(found.file, JSON.stringify(data), `${found.file}#${at}.data`))
    found.cards.push(...read.cards.map((card) => ({ ...card, key: keyOf(entry) })))
    found.problems.push(...read.problems)
    return
  }
  found.cards.push(statedCard(entry, isJsonObject(data) ? data : {}))
}

/** A server's own card with what its entry says beside. */
const described = (card: CardDraft, entry: JsonObject): CardDraft => ({
  ...card,
  key: keyOf(entry),
  description: card.description || textOf(entry.description),
  examples: textsOf(entry.representativeQueries),
  tags: textsOf(entry.tags),
  publisher: publisherOf(entry),
})

/** What is known of an artifact by its entry alone. */
function statedCard(entry: JsonObject, data: JsonObject): CardDraft {
  const type = textOf(entry.type)
  const name = textOf(entry.displayName) || textOf(data.name) || nameOf(entry)
  return {
    kind: 'agent',
    agentKind: type.includes('mcp') ? 'toolkit' : type.includes('a2a') ? 'a2a' : 'listing',
    key: keyOf(entry),
    name,
    description: textOf(entry.description) || textOf(data.description),
    examples: textsOf(entry.representativeQueries),
    tags: textsOf(entry.tags),
    publisher: publisherOf(entry),
    backbone: null,
    tools: textsOf(entry.capabilities).map((capability) => ({ name: capability })),
    policy: {},
    ...detailsOf({
      identifier: entry.identifier,
      type,
      version: entry.version,
      address: withoutSecrets(textOf(entry.url)),
    }),
  }
}

/** `urn:air:<publisher>:<namespace>:<name>`, from the publisher on. */
const keyOf = (entry: JsonObject): string => textOf(entry.identifier).replace(/^urn:air:/, '')
const publisherOf = (entry: JsonObject): string => keyOf(entry).split(':')[0] ?? ''
const nameOf = (entry: JsonObject): string => keyOf(entry).split(':').at(-1) ?? ''
