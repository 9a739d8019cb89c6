import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import type { Audition } from '../audition.ts'
import type { Card, CardKind } from '../domain/card.ts'
import { NoIndexError } from '../retrieval/ports.ts'
import { cardUriTemplate, idOfParts } from './card-uri.ts'
import { shareableCard } from './shareable-card.ts'
import { quoted, quotedList } from './quoted-text.ts'

/** A kind of card among our resources. */
type CardResource = {
  readonly kind: CardKind
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  render(card: Card): Promise<string>
}

const resources: readonly CardResource[] = [
  {
    kind: 'agent',
    name: 'agent',
    title: 'Agent profile',
    description:
      'An agent as a runnable capability profile: backbone, tools, servers, policy and instructions.',
    mimeType: 'application/yaml',
    async render(card) {
      const { renderProfileYaml } = await import('../catalog/profile-yaml-export.ts')
      return card.kind === 'agent' ? renderProfileYaml(shareableCard(card)) : ''
    },
  },
  {
    kind: 'tool',
    name: 'tool',
    title: 'Tool card',
    description: 'A tool with its complete schemas, annotations and documentation.',
    mimeType: 'application/json',
    render: async (card) => JSON.stringify(shareableCard(card), null, 2),
  },
]

/** Completions shown at once, the most that the protocol allows. */
const mostCompletions = 100

/** Offers every card as a resource, with completion of its address. Cards are not listed: there may be many thousand. */
export function registerResources(server: McpServer, app: Audition): void {
  for (const resource of resources) {
    const { kind, name, title, description, mimeType } = resource
    const template = new ResourceTemplate(cardUriTemplate(kind), {
      list: undefined,
      complete: {
        source: (value) => unlessEmpty(() => completeSource(app, kind, value)),
        key: (value, context) => unlessEmpty(() => completeKey(app, kind, context?.arguments?.source, value)),
      },
    })
    server.registerResource(
      name,
      template,
      { title, description, mimeType },
      async (uri, { source, key }) => {
        const card = await cardAt(app, kind, idOfParts(String(source), String(key)), uri.href)
        return { contents: [{ uri: uri.href, mimeType, text: await resource.render(card) }] }
      },
    )
  }
}

/** @throws ProtocolError naming the closest ids, or how to index */
async function cardAt(app: Audition, kind: CardKind, id: string, uri: string): Promise<Card> {
  try {
    const card = (await app.cards([id])).find((one) => one.kind === kind)
    if (card !== undefined) return card
    const closest = await app.closestIds(id, 3, kind)
    const hint =
      closest.length === 0 ? `Call search_${kind}s to find ids.` : `Closest: ${quotedList(closest, 3)}.`
    throw new ResourceNotFoundError(uri, `No ${kind} has the id ${quoted(id)}. ${hint}`)
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    if (error instanceof NoIndexError) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Nothing is indexed yet. Run: audition index')
    }
    console.error(`audition: resource of ${kind} failed:`, error)
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The card could not be read.')
  }
}

async function completeSource(app: Audition, kind: CardKind, value: string): Promise<string[]> {
  const start = value.toLowerCase()
  return (await app.sources())
    .filter((source) => (kind === 'tool' ? source.tools : source.agents) > 0)
    .map(({ id }) => id)
    .filter((id) => id.toLowerCase().startsWith(start))
    .slice(0, mostCompletions)
}

/** Keys are completed within a source; a host that does not say which one is answered by none. */
async function completeKey(app: Audition, kind: CardKind, source: string | undefined, value: string) {
  if (source === undefined || source === '') return []
  const ids = await app.completeIds(`${source}/${value}`, mostCompletions, kind)
  return ids.map((id) => id.slice(id.indexOf('/') + 1))
}

/** Completion in an empty store completes nothing. */
async function unlessEmpty(complete: () => Promise<string[]>): Promise<string[]> {
  try {
    return await complete()
  } catch (error) {
    if (error instanceof NoIndexError) return []
    console.error('audition: completion failed:', error)
    return []
  }
}
