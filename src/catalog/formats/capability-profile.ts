import { z } from 'zod'
import { type JsonObject, type JsonValue, isJsonObject } from '../../domain/json.ts'
import type { AgentCard, Card, ToolReference } from '../../domain/card.ts'
import { flagNames } from '../../domain/finding.ts'
import { printable, printableLine } from '../../domain/text/printable.ts'
import { normalised } from '../../domain/text/normalised.ts'
import { dump } from 'js-yaml'

/** The first line of a capability profile: format and version. */
export const profileVersion = 'audition/v1'

/** YAML reads `8080` and `true` as no strings; a command line and an environment hold nothing else. */
const word = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const text = z.string().trim().min(1, 'is empty')
const variables = z.record(z.string(), word)

const command = {
  command: text,
  args: z.array(word).optional(),
  env: variables.optional(),
  cwd: text.optional(),
}

/** An agent behind an address that speaks OpenAI's chat protocol. */
const chat = z.strictObject({
  /** Base URL, as OpenAI's clients take it: requests go to `<url>/chat/completions`. */
  url: text.refine((url) => /^(?:https?:\/\/\S|\$\{)/i.test(url), {
    message: 'must start with https:// or http://',
  }),
  model: text,
  headers: variables.optional(),
})

/** One MCP server that a profile needs, in the shape of a host's `mcpServers` entry. */
const serverSchema = z
  .strictObject({
    type: text.optional(),
    ...command,
    command: text.optional(),
    url: text.optional(),
    headers: variables.optional(),
    tools: z.union([z.string(), z.array(z.string())]).optional(),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    message: 'needs either a "command" to start or a "url" to call',
  })

/** A capability profile as it stands in YAML: backbone M, tools T, policy C, and what it takes to run it. */
export const profileSchema = z
  .strictObject({
    profile: z.literal(profileVersion),
    name: z
      .string()
      .regex(
        /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
        'must be lower-case words joined by hyphens, for example lease-reviewer',
      ),
    title: text.optional(),
    description: text,
    tags: z.array(text).default([]),
    examples: z.array(text).default([]),
    backbone: z
      .strictObject({ name: text, id: text.optional(), description: text.optional() })
      .nullable()
      .optional(),
    tools: z
      .array(
        z.strictObject({
          name: text,
          description: text.optional(),
          /** An entry of `servers` that has the tool. */
          server: text.optional(),
          /** The tool's card, when it comes from elsewhere. */
          id: text.optional(),
        }),
      )
      .default([]),
    servers: z.record(z.string(), serverSchema).default({}),
    run: z.strictObject(command).optional(),
    chat: chat.optional(),
    policy: z.custom<JsonObject>(isJsonObject, 'must be a map of settings').default({}),
    instructions: z.string().trim().optional(),
  })
  .superRefine((profile, context) => {
    const complain = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const ways = (['run', 'chat', 'backbone'] as const).filter((way) => (profile[way] ?? null) !== null)
    for (const way of ways.slice(0, -1)) {
      const reason = 'an agent runs on a model, as a command or behind a chat address'
      complain([way], `excludes "${ways.at(-1)}": ${reason}`)
    }
    if (ways.length === 0 && profile.backbone === undefined) {
      complain(['backbone'], 'is missing, and there is no "run" or "chat"')
    }
    for (const [index, { server }] of profile.tools.entries()) {
      if (server === undefined || Object.hasOwn(profile.servers, server)) continue
      complain(['tools', index, 'server'], `names "${server}", which is not among "servers"`)
    }
  })

/** A checked capability profile. */
export type Profile = z.output<typeof profileSchema>

/** A capability profile as it is written. */
export type ProfileFields = z.input<typeof profileSchema>

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
export function profileFromAgentCard(card: AgentCard): ProfileFields {
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

/** The tag by which composed profiles are known. */
export const composedTag = 'composed'

/** Whether cards are profiles that Audition composed, all of them. */
export const areComposed = (cards: readonly Card[]): boolean =>
  cards.length > 0 && cards.every((card) => card.kind === 'agent' && card.tags.includes(composedTag))
