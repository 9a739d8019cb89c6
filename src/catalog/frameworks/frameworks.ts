import { isDeepStrictEqual } from 'node:util'
import type { AgentCard } from '../../domain/card.ts'
import { isJsonObject, type JsonValue } from '../../domain/json.ts'
import { type ProfileFields, profileFromAgentCard } from '../formats/capability-profile.ts'
import type { CardDraft, SourceDocument } from '../ports.ts'
import { documentFromText } from '../source-document.ts'
import { agentFramework } from './agent-framework.ts'
import { agno } from './agno.ts'
import { crewai } from './crewai.ts'
import { type Framework, type FrameworkFile, sourceOfTool, wholeOf, withOneLimit } from './framework.ts'
import { langgraph } from './langgraph.ts'

/** Every framework whose agents are read and written: a new one is a file and its line here. */
export const frameworks: readonly Framework[] = [agno, langgraph, crewai, agentFramework]

/** An agent in the format of a framework. */
export type ExportedAgent = {
  /** The agent first, then what belongs to it. */
  readonly files: readonly FrameworkFile[]
  /** Fields of the profile that the files do not say, or say otherwise: `policy.seed`. */
  readonly lost: readonly string[]
  /** What a person has to do beside, a sentence each. */
  readonly notes: readonly string[]
}

/** Writes an agent for a framework, and reads it back: what does not come back as it was is told. */
export function exportedAgent(card: AgentCard, framework: Framework): ExportedAgent {
  const profile = profileFromAgentCard(card)
  const { files, notes } = framework.write(wholeOf(profile))
  const [draft] = framework.reader.read(documentOf(files)).cards
  const stated = { ...profile, ...(profile.policy && { policy: withOneLimit(profile.policy) }) }
  const kept = draft?.kind === 'agent' ? statementsOf(profileFromAgentCard(asCard(draft))) : new Map()
  const lost = [...statementsOf(stated)].flatMap(([field, value]) =>
    isDeepStrictEqual(kept.get(field), value) ? [] : [field.replace(/^tools\..*\./s, 'tools.')],
  )
  const isRun = card.runtime !== undefined && card.runtime.kind !== 'profile'
  return { files, lost: [...new Set([...lost, ...(isRun ? ['runtime'] : [])])], notes }
}

function documentOf([first, ...others]: readonly FrameworkFile[]): SourceDocument {
  const open = ({ name, text }: FrameworkFile): SourceDocument => documentFromText(`/agent/${name}`, text)
  return {
    ...open(first!),
    beside: (path) => others.filter(({ name }) => name === path).map(open)[0],
  }
}

const asCard = (draft: CardDraft & { readonly kind: 'agent' }): AgentCard => {
  const { key: _, details: _details, ...card } = draft
  return { ...card, id: draft.name, source: '', provenance: { reader: '', location: '' } }
}

/** What a profile says, each by its field. */
function statementsOf({
  profile: _,
  tools = [],
  servers = {},
  ...rest
}: ProfileFields): ReadonlyMap<string, JsonValue> {
  const flat = Object.entries(rest).flatMap(([name, value]) =>
    isJsonObject(value)
      ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one] as const)
      : [[name, value as JsonValue] as const],
  )
  return new Map<string, JsonValue>([
    ...flat.filter(([, value]) => value !== null),
    ['tools', tools.map(({ name }) => name)],
    ...tools.flatMap((tool): [string, JsonValue][] => [
      ...(tool.description === undefined
        ? []
        : [[`tools.${tool.name}.description`, tool.description] as [string, JsonValue]]),
      ...(sourceOfTool(tool) === ''
        ? []
        : [[`tools.${tool.name}.server`, sourceOfTool(tool)] as [string, JsonValue]]),
    ]),
    ...Object.entries(servers).flatMap(([server, entry]) =>
      Object.entries(entry).map(
        ([name, value]) => [`servers.${server}.${name}`, value as JsonValue] as const,
      ),
    ),
  ])
}
