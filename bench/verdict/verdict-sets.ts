import { dirname, join } from 'node:path'
import type { Card, CardKind } from '../../src/domain/card.ts'
import type { DatasetPart } from '../../src/evaluation/datasets/dataset.ts'
import { agentQueries } from '../../evals/benchmarks/src/agent-queries.ts'
import { writtenQueries } from '../../evals/benchmarks/src/written-queries.ts'
import { jsonLinesOf } from '../../src/evaluation/datasets/files.ts'
import { wholeServers } from '../../embeddings/trainer/src/ranker/whole-servers.ts'
import { devSets, readSet } from '../dev-sets.ts'

/** Requests whose verdict is counted together, and the catalog they were written for. */
export type VerdictSet = {
  readonly name: string
  readonly kind: CardKind
  readonly cards: readonly Card[]
  readonly queries: readonly VerdictQuery[]
}

export type VerdictQuery = { readonly text: string; readonly serving: readonly string[] }

/** The development sets: of tools, of whole servers where tools say theirs, of agents, and in ten languages. */
export async function verdictSets(toolret: string): Promise<readonly VerdictSet[]> {
  const beside = (name: string): string => join(dirname(toolret), name)
  const tools = devSets.map((name) => fromPart(readSet(toolret, name)))
  const servers = tools.flatMap((set) => byServer(set) ?? [])
  const agents = await agentQueries.read(beside('agent-queries'), [], { split: 'dev' })
  const written = await writtenQueries.read(beside('written-queries'), [])
  const parts = [...agents.parts, ...written.parts]
    .filter(({ name }) => name !== 'mcpm-prompts')
    .map(fromPart)
  return [...tools, ...servers, ...parts, ...languages(beside('languages'), parts)]
}

function fromPart({ name, kind, cards, queries }: DatasetPart): VerdictSet {
  return {
    name,
    kind,
    cards,
    queries: queries.flatMap(({ text, grades }) => {
      const serving = [...grades].flatMap(([id, grade]) => (grade > 0 ? [id] : []))
      return serving.length === 0 ? [] : [{ text, serving }]
    }),
  }
}

function byServer({ name, cards, queries }: VerdictSet): VerdictSet | null {
  const servers = wholeServers({
    name,
    family: name,
    cards,
    queries: queries.map(({ text, serving }, place) => ({ id: `${place}`, text, relevant: serving })),
  })
  if (servers === null || servers.queries.length === 0) return null
  return {
    name: servers.name,
    kind: 'agent',
    cards: servers.cards,
    queries: servers.queries.map(({ text, relevant }) => ({ text, serving: relevant })),
  }
}

/** The development requests told again in other languages, by language, over the catalog of the English ones. */
function languages(folder: string, parts: readonly VerdictSet[]): readonly VerdictSet[] {
  const tools = parts.find(({ name }) => name === 'written tools')
  if (tools === undefined) return []
  const ids = new Map(tools.cards.map(({ id }) => [id.slice(id.indexOf('/') + 1), id]))
  const byLanguage = new Map<string, VerdictQuery[]>()
  for (const { lang, query, split, relevant } of jsonLinesOf(join(folder, 'requests.jsonl'))) {
    const serving = (relevant as readonly string[]).flatMap((id) => ids.get(id) ?? [])
    if (split !== 'dev' || serving.length === 0) continue
    const known = byLanguage.get(String(lang)) ?? []
    byLanguage.set(String(lang), known)
    known.push({ text: String(query), serving })
  }
  return [...byLanguage].map(([language, queries]) => ({
    ...tools,
    name: `written tools, ${language}`,
    queries,
  }))
}
