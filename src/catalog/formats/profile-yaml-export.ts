import { dump } from 'js-yaml'
import type { AgentCard, ToolReference } from '../../domain/card.ts'
import { flagNames } from '../../domain/finding.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { printable, printableLine } from '../../domain/text/printable.ts'
import { type ProfileFields, profileVersion, serverSchema } from './profile-schema.ts'
import { normalised } from '../../domain/text/normalised.ts'

/**
 * Writes an agent as capability-profile YAML that the reader of profiles takes back: backbone, tools and policy are
 * the card's, the name is made kebab-case, and texts are safe to show. An agent whose card names no model gets
 * `backbone: null`: whoever runs it chooses one.
 *
 * @param runs - where what runs it stands, when not in the profile
 */
export function renderProfileYaml(card: AgentCard, runs?: string): string {
  const yaml = dump(profileFromAgentCard(card), { lineWidth: -1, noRefs: true })
  const flags = flagNames(card)
  const comments = [
    `${printableLine(card.id)}, read from ${printableLine(card.provenance.location)}`,
    ...(runs === undefined ? [] : [runs]),
    ...(flags.length === 0 ? [] : [`Flagged by the scan at import: ${flags.join(', ')}`]),
  ]
  return `${comments.map((line) => `# ${line}\n`).join('')}${yaml}`
}

/** The fields of the profile, in the order in which they are written. */
function profileFromAgentCard(card: AgentCard): ProfileFields {
  const published = printableLine(card.name)
  const name = kebabCase(published) || kebabCase(card.id) || 'agent'
  const title = printableLine(card.title ?? '') || (published === name ? '' : published)
  const instructions = printable(card.instructions ?? '').trim()
  const servers = runnableServers(card.servers ?? {})
  return {
    profile: profileVersion,
    name,
    ...(title === '' ? {} : { title }),
    description: printable(card.description).trim() || title || name,
    ...withItems('tags', textsOf(card.tags)),
    ...withItems('examples', textsOf(card.examples)),
    backbone: backboneOf(card),
    ...withItems(
      'tools',
      card.tools.flatMap((tool) => toolOf(tool, servers)),
    ),
    ...(Object.keys(servers).length === 0 ? {} : { servers }),
    ...(Object.keys(card.policy).length === 0 ? {} : { policy: shown(card.policy) as JsonObject }),
    ...(instructions === '' ? {} : { instructions }),
  }
}

/** `Lease reviewer` and `leaseReviewer` give `lease-reviewer`; what has no Latin letters gives nothing. */
const kebabCase = (text: string): string =>
  normalised(text, 'NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '')

function backboneOf({ backbone }: AgentCard): ProfileFields['backbone'] {
  const name = printableLine(backbone?.name ?? '')
  if (backbone === null || name === '') return null
  const id = printableLine(backbone.id ?? '')
  const description = printable(backbone.description ?? '').trim()
  return { name, ...(id === '' ? {} : { id }), ...(description === '' ? {} : { description }) }
}

/** The servers that can be started or called as they stand. */
const runnableServers = (servers: JsonObject): NonNullable<ProfileFields['servers']> =>
  Object.fromEntries(
    Object.entries(servers).flatMap(([name, entry]) => {
      const checked = serverSchema.safeParse(shown(entry))
      return checked.success ? [[printableLine(name), checked.data]] : []
    }),
  )

/** A tool with the card id `server/name` belongs to the server that the profile itself starts. */
function toolOf(tool: ToolReference, servers: object): NonNullable<ProfileFields['tools']> {
  const name = printableLine(tool.name)
  if (name === '') return []
  const description = printable(tool.description ?? '').trim()
  const id = printableLine(tool.id ?? '')
  const server = id.endsWith(`/${name}`) ? id.slice(0, -name.length - 1) : ''
  const owner = server !== '' && Object.hasOwn(servers, server) ? { server } : id === '' ? {} : { id }
  return [{ name, ...(description === '' ? {} : { description }), ...owner }]
}

const textsOf = (texts: readonly string[]): string[] =>
  texts.map((text) => printable(text).trim()).filter((text) => text !== '')

const withItems = <Name extends string, Item>(name: Name, items: Item[]): { [N in Name]?: Item[] } =>
  items.length === 0 ? {} : ({ [name]: items } as { [N in Name]: Item[] })

/** The same value with texts that are safe to show. */
function shown(value: JsonValue): JsonValue {
  if (typeof value === 'string') return printable(value)
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [printable(key), shown(inner)]))
}
