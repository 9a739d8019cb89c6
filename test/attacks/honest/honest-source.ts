import type { AgentCard, Card, ToolCard } from '../../../src/domain/card.ts'

/** What an honest case is about, as a user would see it. */
export type HonestKind =
  | 'keyword lists'
  | 'whole servers'
  | 'long agents'
  | 'long requests'
  | 'first person'
  | 'other languages'
  | 'documentation as text'
  | 'quoted descriptions'
  | 'mirrors'

/** A request, and the cards that serve it. */
export type HonestCase = {
  readonly kind: HonestKind
  readonly text: string
  readonly serves: readonly string[]
  readonly of: Card['kind']
}

/** Cards of one honest publisher, and requests for them. */
export type HonestSource = { readonly cards: readonly Card[]; readonly cases: readonly HonestCase[] }

/** A tool as written by hand: its name, what it says of itself, and requests that it serves. */
export type ToolLine = readonly [name: string, description: string, ...requests: readonly string[]]

const provenance = (source: string) => ({ reader: 'openai-functions', location: `${source}.json` })

export const honestTool = (
  source: string,
  name: string,
  description: string,
  parts: Partial<ToolCard> = {},
): ToolCard => ({
  kind: 'tool',
  id: `${source}/${name}`,
  source,
  name,
  description,
  parameters: [],
  examples: [],
  tags: [],
  provenance: provenance(source),
  ...parts,
})

export const honestAgent = (
  source: string,
  name: string,
  description: string,
  parts: Partial<AgentCard> = {},
): AgentCard => ({
  kind: 'agent',
  id: `${source}/${name}`,
  source,
  name,
  description,
  agentKind: 'toolkit',
  backbone: null,
  tools: [],
  policy: {},
  examples: [],
  tags: [],
  provenance: provenance(source),
  ...parts,
})

/** A vendor of tools: each line a tool, with the requests that it serves. */
export const vendor = (source: string, kind: HonestKind, lines: readonly ToolLine[]): HonestSource => ({
  cards: lines.map(([name, description]) => honestTool(source, name, description)),
  cases: lines.flatMap(([name, , ...requests]) =>
    requests.map((text) => ({ kind, text, serves: [`${source}/${name}`], of: 'tool' as const })),
  ),
})
