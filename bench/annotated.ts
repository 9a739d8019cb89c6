import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { composeAgents } from '../src/assembling/compose-agents.ts'
import type { ComposingParts } from '../src/assembling/ports.ts'
import type { ToolCard } from '../src/domain/card.ts'
import { rank } from '../src/domain/ranking.ts'
import { ndcgAt } from '../src/evaluation/measures/ndcg.ts'
import { bootstrapMean } from '../src/evaluation/statistics/bootstrap.ts'
import { memorySnapshot } from '../src/retrieval/memory-snapshot.ts'
import type { SearchRequest } from '../src/retrieval/answer.ts'
import { search } from '../src/retrieval/search/search.ts'
import type { Bench } from './bench.ts'
import { noModel, shippedModel } from './static-model-folder.ts'

/** Where the authors' repository has the records. */
const places = ['', 'PartII', 'Appendix.G/PartII', 'other/Appendix.G/PartII']
const rankers = ['lexical', 'learned', 'reader'] as const

/** Whether tool search and compositions agree with people. @see AgentSelect, ICML 2026, appendix G */
export const annotated: Bench = {
  name: 'annotated',
  question: "Do tool search and composed agents agree with people? (--data <AgentSelect's other/Appendix.G>)",
  async run({ data, log }) {
    const folder = places
      .map((place) => join(data ?? '', place))
      .find((one) => existsSync(join(one, 'annotations.json')))
    if (data === null || folder === undefined)
      return {
        tables: [],
        notes: ["skipped: --data is not the folder of AgentSelect's appendix G"],
        floors: [],
      }
    const model = await shippedModel()
    if (model === null) return { tables: [], notes: [noModel], floors: [] }
    const { cards, requests } = annotatedTools(
      readFileSync(join(folder, 'main.jsonl'), 'utf8'),
      readFileSync(join(folder, 'annotations.json'), 'utf8'),
    )
    log(`annotated: ${cards.length} tools, ${requests.length} requests`)
    const snapshot = await memorySnapshot(cards, model)
    const find = (request: SearchRequest) => search({ snapshot, model }, request)
    const parts: ComposingParts = {
      search: find,
      servers: async () => null,
      serverOf: ({ source }: ToolCard) => ({ name: source, entry: { command: 'true' }, variables: [] }),
      models: { configured: [], reached: () => null },
      modelScores: async (_, models) => models.map(() => 1),
      shortlister: null,
    }
    const orders: readonly (readonly [name: string, order: (text: string) => Promise<readonly string[]>])[] =
      [
        ...rankers.map(
          (ranker) =>
            [
              `tool search, ${ranker}`,
              async (query: string) =>
                (await find({ kind: 'tool', query, k: 10, ranker })).candidates.map(({ card }) => card.id),
            ] as const,
        ),
        [
          'compose, tools by profile, surest first',
          async (text) =>
            (await composeAgents(text, {}, parts)).profiles.flatMap(({ tools }) => tools.map(({ id }) => id)),
        ],
      ]
    const rows = []
    for (const [name, order] of orders) {
      const values = []
      for (const { text, grades } of requests) {
        const ids = [...new Set(await order(text))]
        values.push(100 * ndcgAt(rank(ids.map((id, at) => ({ id, score: -at }))), grades, 10))
      }
      const { mean, low, high } = bootstrapMean(values)
      rows.push([name, mean.toFixed(1), `${low.toFixed(1)} to ${high.toFixed(1)}`])
    }
    await model.close()
    return {
      tables: [
        {
          title: `${requests.length} requests of Part II over the ${cards.length} tools that their records show, nDCG@10 by people's grades`,
          head: ['order', 'nDCG@10', '95%'],
          rows,
        },
      ],
      notes: ['Grades 1 to 3 are gains; what people graded below, or did not see, gains nothing.'],
      floors: [],
    }
  },
}

type Annotated = {
  readonly cards: readonly ToolCard[]
  readonly requests: readonly { readonly text: string; readonly grades: ReadonlyMap<string, number> }[]
}

/** The tools that records show, with their texts, and the requests whose tools people graded. */
export function annotatedTools(records: string, annotations: string): Annotated {
  const texts = new Map<string, string>()
  for (const line of records.split('\n').filter((one) => one.trim() !== '')) {
    const { suggestion = '' } = JSON.parse(line) as { suggestion?: string }
    for (const part of suggestion.split(/^#### /m).filter((one) => one.startsWith('Relevant tools')))
      for (const [, name = '', description = ''] of part.matchAll(/^(<<.+?>>|[^:\n]{1,200}): (.*)$/gm))
        if (!texts.has(bare(name))) texts.set(bare(name), description)
  }
  const { annotations: graded } = JSON.parse(annotations) as {
    annotations: {
      [id: string]: { meta: { question: string }; toolRetrieval?: { [tool: string]: { score: number } } }
    }
  }
  const requests = Object.values(graded).flatMap(({ meta, toolRetrieval = {} }) => {
    const grades = Object.entries(toolRetrieval).flatMap(([tool, { score }]) => {
      if (!texts.has(bare(tool))) texts.set(bare(tool), '')
      return score > 0 ? [[idOf(bare(tool)), score] as const] : []
    })
    return grades.length === 0 ? [] : [{ text: meta.question, grades: new Map(grades) }]
  })
  return { requests, cards: [...texts].map(([name, description]) => toolOf(name, description)) }
}

/** Some write `<<Service&&Endpoint>>`, and some the same without the brackets. */
const bare = (name: string): string => name.trim().replace(/^<<|>>$/g, '')
const idOf = (name: string): string => `appendix-g/${name}`

const toolOf = (name: string, description: string): ToolCard => {
  const [service, endpoint] = name.split('&&')
  return {
    kind: 'tool',
    id: idOf(name),
    source: 'appendix-g',
    name: endpoint ?? name,
    description,
    ...(endpoint === undefined ? {} : { server: service! }),
    examples: [],
    tags: [],
    parameters: [],
    provenance: { reader: 'bench', location: 'appendix G' },
  }
}
