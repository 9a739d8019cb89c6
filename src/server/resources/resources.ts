import { exportedNote } from '../../compose/runtimes.ts'
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { Audition } from '../../compose/audition.ts'
import type { Card, CardKind } from '../../domain/card.ts'
import { cardUriTemplate, idOfParts } from '../answers/card-uri.ts'
import { flagFields } from '../answers/flag-fields.ts'
import { heldCards, heldSentence } from '../answers/held-cards.ts'
import { quoted, quotedList } from '../answers/quoted-text.ts'
import { completers, completions, readResource } from './read-resource.ts'
import { shareableCard } from '../answers/how-to-run.ts'
import { longestName } from '../answers/texts.ts'

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
      const { renderProfileYaml } = await import('../../catalog/formats/profile-yaml-export.ts')
      return card.kind === 'agent' ? renderProfileYaml(shareableCard(card), exportedNote(card)) : ''
    },
  },
  {
    kind: 'tool',
    name: 'tool',
    title: 'Tool card',
    description: 'A tool with its complete schemas, annotations and documentation.',
    mimeType: 'application/json',
    async render(card) {
      const { flags: _, ...shareable } = shareableCard(card)
      return JSON.stringify({ ...shareable, ...flagFields(card) }, null, 2)
    },
  },
]

/** Offers every card as a resource, with completion of its address. Cards are not listed: there may be many thousand. */
export function registerResources(server: McpServer, app: Audition): void {
  for (const resource of resources) {
    const { kind, name, title, description, mimeType } = resource
    const template = new ResourceTemplate(cardUriTemplate(kind), {
      list: undefined,
      complete: completers({
        source: (value) => completions(app, () => completeSource(app, kind, value)),
        key: (value, context) =>
          completions(app, () => completeKey(app, kind, context?.arguments?.source, value)),
      }),
    })
    server.registerResource(
      name,
      template,
      { title, description, mimeType },
      async (uri, { source, key }, { mcpReq }) => {
        const id = idOfParts(String(source), String(key))
        const text = await readResource(app, `the ${kind}`, mcpReq.signal, async () =>
          resource.render(await cardAt(app, kind, id, uri.href)),
        )
        return { contents: [{ uri: uri.href, mimeType, text }] }
      },
    )
  }
}

/** @throws ResourceNotFoundError naming the closest ids */
async function cardAt(app: Audition, kind: CardKind, id: string, uri: string): Promise<Card> {
  const card = (await app.cards([id])).find((one) => one.kind === kind)
  if (card !== undefined) return card
  const held = (await heldCards(app, [id])).get(id)
  if (held !== undefined) throw new ResourceNotFoundError(uri, heldSentence(id, held))
  const closest = id.length > longestName ? [] : await app.closestIds(id, 3, kind)
  const hint =
    closest.length === 0 ? `Call search_${kind}s to find ids.` : `Closest: ${quotedList(closest, 3)}.`
  throw new ResourceNotFoundError(uri, `No ${kind} has the id ${quoted(id)}. ${hint}`)
}

async function completeSource(app: Audition, kind: CardKind, value: string): Promise<string[]> {
  const start = value.toLowerCase()
  return (await app.sources())
    .filter((source) => (kind === 'tool' ? source.tools : source.agents) > 0)
    .map(({ id }) => id)
    .filter((id) => id.toLowerCase().startsWith(start))
}

/** Keys are completed within a source; a host that does not say which one is answered by none. */
async function completeKey(app: Audition, kind: CardKind, source: string | undefined, value: string) {
  if (source === undefined || source === '') return []
  const start = `${source}/`
  const ids = await app.completeIds(`${start}${value}`, Number.MAX_SAFE_INTEGER, kind)
  return ids.filter((id) => id.startsWith(start)).map((id) => id.slice(start.length))
}
