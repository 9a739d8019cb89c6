import { dirname, join } from 'node:path'
import type { Card, CardKind } from '../../src/domain/card.ts'
import type { DatasetPart } from '../../src/evaluation/datasets/dataset.ts'
import { agentQueries } from '../../evals/benchmarks/src/agent-queries.ts'
import { languageRequests } from '../../evals/benchmarks/src/language-requests.ts'
import { writtenQueries } from '../../evals/benchmarks/src/written-queries.ts'
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
  const translated = await languageRequests.read(beside('languages'), [])
  const languages = translated.parts.filter(({ kind, retells }) => kind === 'tool' && retells).map(fromPart)
  return [...tools, ...servers, ...parts, ...languages]
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
