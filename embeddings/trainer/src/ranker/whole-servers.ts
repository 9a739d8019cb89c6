import type { AgentCard, ToolCard } from '../../../../src/domain/card.ts'
import type { TrainingCorpus } from '../data/corpus.ts'

/** Servers that a corpus has at least to be looked at by server. */
const leastServers = 20
/** Tools of a server that its card tells of. */
const mostTools = 40

/**
 * A corpus of tools as a corpus of their servers, each one card: what serves a request is the server of its tool. Every
 * second server tells its tools by name alone, as many registries do.
 *
 * @returns null for agents, and where servers are few or unknown
 */
export function wholeServers(corpus: TrainingCorpus): TrainingCorpus | null {
  const tools = corpus.cards.flatMap((card) => (card.kind === 'tool' && card.server ? [card] : []))
  const byServer = new Map<string, ToolCard[]>()
  for (const tool of tools) {
    const known = byServer.get(tool.server!)
    if (known) known.push(tool)
    else byServer.set(tool.server!, [tool])
  }
  if (byServer.size < leastServers) return null
  const name = `${corpus.name} by server`
  const serverOf = new Map(tools.map(({ id, server }) => [id, `${name}/${server}`]))
  return {
    name,
    family: corpus.family,
    cards: [...byServer].map(([server, own], place) => cardOf(name, server, own, place % 2 === 0)),
    queries: corpus.queries.flatMap((query) => {
      const relevant = [...new Set(query.relevant.flatMap((id) => serverOf.get(id) ?? []))]
      return relevant.length === 0 ? [] : [{ ...query, relevant }]
    }),
  }
}

function cardOf(source: string, server: string, own: readonly ToolCard[], isTerse: boolean): AgentCard {
  const tools = own.slice(0, mostTools)
  const toolTexts = tools.map(({ name, description }) =>
    isTerse ? name : `${name}: ${firstSentence(description)}`,
  )
  return {
    kind: 'agent',
    agentKind: 'toolkit',
    id: `${source}/${server}`,
    source,
    name: server,
    description: toolTexts.join(isTerse ? ', ' : '\n'),
    examples: [],
    tags: [],
    backbone: null,
    tools: tools.map(({ name, description }) => (isTerse ? { name } : { name, description })),
    policy: {},
    provenance: { reader: 'training', location: source },
  }
}

const firstSentence = (text: string): string => text.split(/(?<=[.!?])\s|\n/, 1)[0]!.slice(0, 160)
