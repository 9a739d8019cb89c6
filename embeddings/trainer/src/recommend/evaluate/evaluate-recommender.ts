import { grouped } from '../../../../../src/domain/grouped.ts'
import type {
  RecommendEvaluateOptions,
  RecommendReport,
  RecommendRow,
} from '../../../../../src/compose/parts/recommender.ts'
import { measureNamed } from '../../../../../src/evaluation/measures/measures.ts'
import { bootstrapMean } from '../../../../../src/evaluation/statistics/bootstrap.ts'
import { type Modality, modalities } from '../features/agent-features.ts'
import { type RecommendedQuery, readRecommendations, fingerprintOfData } from '../recommendations.ts'
import { readRecommender } from '../recommender-file.ts'
import { splitRecommendations } from '../split-recommendations.ts'
import { trainTwoTower } from '../tower/two-tower.ts'
import { TrainingError } from '../../training-error.ts'
import { poolsOf } from './pools.ts'
import type { ScorerInput } from './scorer.ts'
import { scorers } from './scorers.ts'

const measures = ['p@10', 'recall@10', 'f1@10', 'ndcg@10', 'mrr@10'].map(measureNamed)

/** Towers that look at less, as in the paper's table 3. */
const ablations: { readonly [name: string]: readonly Modality[] } = {
  'all features': modalities,
  'no model id': ['tool text', 'model text', 'tool id'],
  'no tool id': ['tool text', 'model text', 'model id'],
  'no ids': ['tool text', 'model text'],
  'ids only': ['tool id', 'model id'],
  'tool id only': ['tool id'],
  'model id only': ['model id'],
}

/**
 * Asks the queries that a recommender has not seen, each over its pool, of the recommender and of what stands beside it.
 *
 * @throws TrainingError when the data is not what the recommender was trained on, or a row is not known
 */
export async function evaluateRecommender(options: RecommendEvaluateOptions): Promise<RecommendReport> {
  const {
    data,
    recommender: folder,
    rows = Object.keys(scorers),
    model,
    signal,
    onProgress = () => {},
  } = options
  const unknown = rows.find((row) => !Object.hasOwn(scorers, row))
  if (unknown !== undefined)
    throw new TrainingError(`No row "${unknown}".`, `Known: ${Object.keys(scorers).join(', ')}.`)
  const recommender = await readRecommender(folder)
  if (recommender.data !== fingerprintOfData(data))
    throw new TrainingError(`${data}: is not what ${folder} was trained on.`, 'Train it again on this data.')
  const recommendations = readRecommendations(data)
  const { train, test } = splitRecommendations(recommendations, recommender.split)
  const asked = [...grouped(test, ({ part }) => part).values()].flatMap((own) => limited(own, options.limit))
  const input: ScorerInput = { recommendations, train, asked, recommender, model, signal }
  const report: Row[] = []
  for (const name of rows) {
    onProgress(`measuring ${name} ...`)
    const row = await measuredRow(name, input)
    if (row === null) continue
    report.push(row)
    onProgress(headlineOf(row))
  }
  const ablation: Row[] = []
  for (const [name, seen] of options.ablation ? Object.entries(ablations) : []) {
    onProgress(`measuring a tower with ${name} ...`)
    const tower = await trainTwoTower(recommendations.agents, train, {
      settings: recommender.tower.settings,
      seen,
      signal,
    })
    const row = await measuredRow('tower', { ...input, recommender: { ...recommender, tower } })
    ablation.push({ ...row!, name })
  }
  return {
    split: recommender.split,
    queries: asked.length,
    rows: report.map((row) => summed(row, ({ part }) => part)),
    longTail: report.map((row) => summed(row, popularityIn(train))),
    ablation: ablation.map((row) => summed(row, ({ part }) => part)),
  }
}

/** A row in a line, so that a long run that is stopped has told what it found. */
const headlineOf = (row: Row): string =>
  `${row.name}: nDCG@10 ${summed(row, ({ part }) => part)
    .groups.map(({ group, measures: of }) => `${group} ${(100 * of['ndcg@10']!.mean).toFixed(1)}`)
    .join(', ')}`

/** Every so-many-th, so that the same are asked each time. */
const limited = (
  queries: readonly RecommendedQuery[],
  limit = Number.POSITIVE_INFINITY,
): readonly RecommendedQuery[] =>
  queries.filter(
    (_, at) =>
      Math.floor((at * limit) / queries.length) !== Math.floor(((at - 1) * limit) / queries.length) ||
      limit >= queries.length,
  )

type Row = {
  readonly name: string
  readonly values: ReadonlyMap<RecommendedQuery, { readonly [measure: string]: number }>
}

async function measuredRow(name: string, input: ScorerInput): Promise<Row | null> {
  const scorer = await scorers[name]!(input)
  if (scorer === null) return null
  const { agents } = input.recommendations
  const poolOf = poolsOf(input.recommendations, 'evaluate')
  const values: [RecommendedQuery, { [measure: string]: number }][] = []
  for (const query of input.asked) {
    input.signal?.throwIfAborted()
    const ranking = await scorer(query, poolOf(query))
    const grades = new Map(query.positives.map((agent) => [agents[agent]!.id, 1]))
    values.push([
      query,
      Object.fromEntries(measures.map((measure) => [measure.name, measure.evaluate(ranking, { grades })])),
    ])
  }
  return { name, values: new Map(values) }
}

/** Means of each group of queries, with 95% intervals. */
function summed({ name, values }: Row, groupOf: (query: RecommendedQuery) => string): RecommendRow {
  const groups = [...grouped([...values.keys()], groupOf)].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    name,
    groups: groups.map(([group, queries]) => ({
      group,
      queries: queries.length,
      measures: Object.fromEntries(
        measures.map((measure) => [
          measure.name,
          bootstrapMean(queries.map((query) => values.get(query)![measure.name]!)),
        ]),
      ),
    })),
  }
}

/** How often the best positive of a query was learned from: the long tail. */
function popularityIn(train: readonly RecommendedQuery[]): (query: RecommendedQuery) => string {
  const counts = new Map<number, number>()
  for (const { positives } of train)
    for (const agent of positives) counts.set(agent, (counts.get(agent) ?? 0) + 1)
  return ({ part, positives }) => {
    const count = Math.max(...positives.map((agent) => counts.get(agent) ?? 0))
    return `${part}, ${count === 0 ? 'a: never' : count === 1 ? 'b: once' : count < 5 ? 'c: 2 to 4' : count < 20 ? 'd: 5 to 19' : 'e: 20 and more'}`
  }
}
