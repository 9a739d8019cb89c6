import type { AgentCard, Card, ToolCard } from '../../../../../src/domain/card.ts'
import type { JsonObject } from '../../../../../src/domain/json.ts'
import type { Sample } from '../../corpus.ts'

/** An input of a tool: its description, or its JSON Schema where a default, enum or example matters. */
type Input = string | JsonObject

type ToolFields = Partial<
  Pick<
    ToolCard,
    'title' | 'examples' | 'tags' | 'outputSchema' | 'annotations' | 'documentation' | 'publisher'
  >
> & { readonly inputs?: { readonly [name: string]: Input } }

type AgentFields = Partial<
  Pick<AgentCard, 'agentKind' | 'backbone' | 'tools' | 'examples' | 'tags' | 'publisher' | 'instructions'>
>

const provenance = { reader: 'corpus', location: 'corpus' }

const base = (address: string, description: string) => {
  const at = address.lastIndexOf('@')
  const name = address.slice(0, at)
  const source = address.slice(at + 1)
  return { id: `${source}/${name}`, source, name, description, examples: [], tags: [], provenance }
}

/** A tool as a reader would make it. `address` is `name@source`; the inputs give parameters and schema alike. */
export function tool(
  address: string,
  description: string,
  { inputs = {}, ...fields }: ToolFields = {},
): ToolCard {
  const properties = Object.entries(inputs).map(([name, input]): [string, JsonObject] => [
    name,
    typeof input === 'string' ? { type: 'string', description: input } : input,
  ])
  return {
    kind: 'tool',
    ...base(address, description),
    ...fields,
    parameters: properties.map(([name, { description, type }]) => ({
      name,
      description: typeof description === 'string' ? description : '',
      ...(typeof type === 'string' ? { type } : {}),
      required: false,
    })),
    ...(properties.length === 0
      ? {}
      : { inputSchema: { type: 'object', properties: Object.fromEntries(properties) } }),
  }
}

/** An agent, a Claude sub-agent unless `agentKind` says otherwise. `address` is `name@source`. */
export const agent = (address: string, description: string, fields: AgentFields = {}): AgentCard => ({
  kind: 'agent',
  ...base(address, description),
  agentKind: 'subagent',
  backbone: null,
  tools: [],
  policy: {},
  ...fields,
})

/** Cards of one class under one promise. */
export const samples = (
  name: string,
  promise: Sample['promise'],
  cards: readonly Card[],
): readonly Sample[] => cards.map((card) => ({ card, class: name, promise }))
