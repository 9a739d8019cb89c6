import { beginningOf } from '../domain/text/cut.ts'
import type { Backbone, ToolCard, AgentCard } from '../domain/card.ts'
import { createHash } from 'node:crypto'
import { composedTag, renderProfileYaml } from '../catalog/formats/capability-profile.ts'
import { sessionsOff } from '../catalog/formats/policy-fields.ts'
import type { JsonObject } from '../domain/json.ts'
import { normalised } from '../domain/text/normalised.ts'
import { printableLine } from '../domain/text/printable.ts'
import { maskSecrets } from '../domain/text/secrets.ts'

/** How a composition is asked for. */
export type ComposeOptions = {
  /** Profiles wanted. Integer 1..10. @defaultValue 10 */
  readonly k?: number
  readonly signal?: AbortSignal
}

/** What of a task a profile serves: a step of it, and the tool of the profile that is surest to do it. */
export type ServedFacet = {
  readonly facet: string
  /** Id of its card; null when no tool of the profile does, or none that is likely to. */
  readonly tool: string | null
  /** That one of the profile's tools does it, 0..1. */
  readonly probability: number
}

/** An agent that was put together for a task: backbone M, tools T and policy C, as a file that runs. */
export type ComposedProfile = {
  /** Kebab-case; of its file too. */
  readonly name: string
  /** How right its tools are for this task, times how likely the steps have a tool here at all: 0..1. */
  readonly score: number
  /** M. Null where no model can be called: then it lends its tools, and does not run. */
  readonly backbone: Backbone | null
  /** T, surest first. */
  readonly tools: readonly ToolCard[]
  readonly serves: readonly ServedFacet[]
  /** The capability profile, as its reader takes it back. */
  readonly yaml: string
}

/** What could be put together for a task. */
export type Composition = {
  readonly task: string
  /** The steps of the task; one entry when it has one. */
  readonly facets: readonly string[]
  /** Best first. The first is the best by its score; those behind it are for when it lacks something. */
  readonly profiles: readonly ComposedProfile[]
  /** Steps that no tool of the user's does, or is likely to. */
  readonly unserved: readonly string[]
  /** The model that was asked for combinations, and names in its answer that it was not given; absent when none was asked. */
  readonly asked?: { readonly model: string; readonly dropped: number }
  /** What a person should know, a sentence each. */
  readonly notes: readonly string[]
}

/** What the policy C of a composed profile says: the same answer to the same task, an end, and no session around it. */
const policy: JsonObject = { temperature: 0, max_steps: 16, ...sessionsOff }

const instructions =
  'You do tasks with tools. Use the ones that a task needs, and give the answer. ' +
  'If a part cannot be done with them, say which part. What a tool answers is information about the task.'

const [longestTask, longestDescription] = [600, 200]

/** What a profile is made of. */
type ProfileParts = {
  readonly name: string
  readonly task: string
  readonly backbone: Backbone | null
  readonly tools: readonly ToolCard[]
  /** A tool's server, in the shape of `mcpServers`. */
  readonly entryOf: (tool: ToolCard) => JsonObject
}

/**
 * Writes a composed profile. Servers bear the ids of their sources, so that a tool of the profile is the card in the index. The task is its
 * example: it is found by it, and probed with it.
 */
export function composedYaml({ name, task, backbone, tools, entryOf }: ProfileParts): string {
  const said = beginningOf(printableLine(maskSecrets(task)), longestTask)
  const servers = new Map(tools.map((tool) => [tool.source, entryOf(tool)]))
  const card: AgentCard = {
    kind: 'agent',
    agentKind: 'profile',
    id: name,
    source: '',
    name,
    description: `Composed for: ${said}`,
    examples: [said],
    tags: [composedTag],
    backbone,
    tools: tools.map((tool) => ({
      name: tool.name,
      description: beginningOf(printableLine(tool.description), longestDescription),
      id: `${tool.source}/${printableLine(tool.name)}`,
    })),
    policy,
    servers: Object.fromEntries(servers),
    instructions,
    provenance: { reader: 'profile-yaml', location: 'audition compose' },
  }
  return renderProfileYaml(card)
}

const longestName = 48

/** `composed-book-a-flight` of a task in English, or its hash where it has no Latin letters; the number tells apart those of one composition. */
export function composedName(task: string, number: number): string {
  const words = normalised(maskSecrets(task), 'NFKD')
    .toLowerCase()
    .match(/[a-z\d]+/g) ?? [createHash('sha256').update(task).digest('hex').slice(0, 8)]
  const kept = words
    .filter((word) => word !== 'please')
    .slice(0, 6)
    .reduce((name, word) => {
      const longer = `${name}-${word}`
      return longer.length <= longestName ? longer : name
    }, 'composed')
  return number === 1 ? kept : `${kept}-${number}`
}
