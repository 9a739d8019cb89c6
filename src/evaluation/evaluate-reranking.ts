import type { CrossEncoderStage } from '../retrieval/rank/cross-encoder.ts'
import { rememberScores } from '../retrieval/rank/remembered-scores.ts'
import { limitQueries } from './datasets/adjusted.ts'
import type { Dataset, JudgedQuery } from './datasets/dataset.ts'
import type { FoundIds } from './ask-parts.ts'
import { type Evaluated, evaluate, stageDepth } from './evaluate.ts'
import type { EvaluationContext, EvaluationSettings } from './evaluation-settings.ts'
import { isVerdictMeasure, measureNamed } from './measures/measures.ts'
import { shortName } from './plan-run.ts'
import { type GivenRun, givenRankings, withFirstStage } from './runs/given-run.ts'
import type { EvaluationRun, RerankingRow } from './evaluation-run.ts'
import { rank } from '../domain/ranking.ts'
import { meansOverTies, platformOrder, type PooledQuery, randomOrder } from './reranking/chance-orders.ts'
import { countsTogether, NeverRankedError } from './reranking/reranking-notes.ts'
import { probeTerciles, weighProbed, withProbeTexts } from './reranking/probed-record.ts'
import { type RankedRow, rerankingTable } from './reranking/reranking-table.ts'

/** Whether a run is set beside others: where its candidates are given, or rerankers are named. */
export const isReranking = (
  { parts, judgedRuns }: Dataset,
  { firstStage, givenRun, absent }: EvaluationSettings,
  rerankers: readonly CrossEncoderStage[] | undefined,
): boolean =>
  judgedRuns === undefined &&
  givenRun === undefined &&
  absent !== true &&
  (rerankers !== undefined ||
    firstStage !== undefined ||
    parts.some(({ queries }) => queries.some(({ pool }) => pool !== undefined)))

type Context = Omit<EvaluationContext, 'crossEncoder'> & { readonly leastFound?: number }

/** What is measured: a dataset by settings. */
type Task = { readonly dataset: Dataset; readonly chosen: EvaluationSettings }

/** A run with the rows it makes. */
type Measured = { readonly made: Evaluated; readonly rows: readonly RankedRow[] }

/**
 * Measures one order of the candidates after another: chance, the first stage, each reranker, and where the dataset tells what probes were
 * answered the variants with that. The run that is given back is that of the first reranker that succeeded, without any that of the first
 * stage; it holds the table of all.
 *
 * @throws NeverRankedError when there are rerankers and none ever succeeded
 */
export async function evaluateReranking(
  dataset: Dataset,
  chosen: EvaluationSettings,
  { rerankers, ...context }: Context & { readonly rerankers: readonly CrossEncoderStage[] },
): Promise<Evaluated> {
  const task = { dataset, chosen }
  const depth = Math.max(0, ...rerankers.map((one) => one.depth))
  const first = await firstStages(task, { ...context, leastFound: depth })
  const reranked: (Measured | NeverRankedError)[] = []
  for (const stage of variantsOf(rerankers, dataset)) reranked.push(await byReranker(task, stage, context))
  const done = reranked.filter((one): one is Measured => !(one instanceof Error))
  const [failure] = reranked.filter((one) => one instanceof Error)
  if (done.length === 0 && failure !== undefined) throw failure
  const { made } = done[0] ?? first.at(-1)!
  const names = variantsOf(rerankers, dataset).map(({ name }) => name)
  const rows = [
    ...chanceRows(task, made.run, { found: first.at(-1)!.made.found, depth }),
    ...first.flatMap((one) => one.rows),
    ...reranked.flatMap((one, at): readonly RankedRow[] =>
      one instanceof Error ? [rerankerRow(names[at]!, { byPart: one.took, failure: one.message })] : one.rows,
    ),
  ]
  const { limit } = chosen
  const { published: theirs = [] } = dataset
  const published =
    theirs.length === 0 || limit === undefined || limitQueries(dataset, limit) === dataset
      ? theirs
      : 'Only some of the queries were run: published rows may not stand here.'
  const { outcomes, ...head } = made.run
  const table = rerankingTable(rows, made.run, published)
  const probes = await tercilesOf(task, context)
  const reranking = probes.length === 0 ? table : { ...table, probes }
  return { ...made, run: { ...head, reranking, outcomes } }
}

/** The order that was given, and that of Audition without a reranker. */
async function firstStages({ dataset, chosen }: Task, context: Context): Promise<readonly Measured[]> {
  const { firstStage, ranker, ...rest } = chosen
  const own = ranker === 'cross-encoder' ? 'auto' : ranker
  const settings = { ...rest, ...(own && { ranker: own }), ...(firstStage && { firstStage }) }
  const weighed = { ...watchingRow(context, 'first stage'), ...recordOf(dataset, chosen) }
  const made = await evaluate(dataset, settings, { ...weighed, crossEncoder: null })
  const name = `Audition, ${made.run.settings.ranker}`
  const ours = measured(made, { name: firstStage ? name : `first stage: ${name}`, kind: 'first stage' })
  if (firstStage === undefined) return [ours]
  const given = await evaluate(
    dataset,
    { ...rest, givenRun: cut(firstStage) },
    watchingRow(context, 'first stage'),
  )
  return [measured(given, { name: `first stage: ${firstStage.label}`, kind: 'first stage' }), ours]
}

/** What the record of probes is worth to the first stage, by how much they tell candidates apart. */
async function tercilesOf({ dataset, chosen }: Task, context: Context) {
  const { probed } = dataset
  if (recordOf(dataset, chosen).weighFor === undefined || probed === undefined) return []
  const { ranker, ...rest } = chosen
  const own = { ...rest, ...(ranker && ranker !== 'cross-encoder' && { ranker }) }
  const [headline = ''] = dataset.headline
  return probeTerciles(probed, headline, async (weighFor) => {
    const made = await evaluate(dataset, own, {
      ...watchingRow(context, 'probes'),
      crossEncoder: null,
      weighFor,
    })
    return { without: made.run.outcomes, with: made.recorded }
  })
}

type Variant = CrossEncoderStage & { readonly name: string }

/** Each reranker, and where there are answers of probes each once more with them in its text. */
function variantsOf(rerankers: readonly CrossEncoderStage[], { probed }: Dataset): readonly Variant[] {
  const nameOf = ({ name, encoder: { id } }: CrossEncoderStage): string =>
    name?.replace(/\?.*/s, '') ?? shortName(id)
  return rerankers.flatMap((stage): readonly Variant[] => {
    const alike = rerankers.filter((other) => nameOf(other) === nameOf(stage)).length > 1
    const name = alike ? (stage.name ?? stage.encoder.id) : nameOf(stage)
    return [
      { ...stage, name },
      ...(probed === undefined || probed.pairs.size === 0
        ? []
        : [{ ...withProbeTexts(stage, probed), name: `${name}, probes as text` }]),
    ]
  })
}

/** @returns why it never succeeded, in place of figures of the stage before */
async function byReranker(
  { dataset, chosen }: Task,
  { name, ...stage }: Variant,
  context: Context,
): Promise<Measured | NeverRankedError> {
  const settings = { ...chosen, ranker: 'cross-encoder' } as const
  const record = stage.textOf === undefined ? recordOf(dataset, chosen) : {}
  // The same is asked twice where a record weighs in.
  const crossEncoder = { ...stage, encoder: rememberScores(stage.encoder, 1) }
  try {
    const made = await evaluate(dataset, settings, { ...watchingRow(context, name), ...record, crossEncoder })
    const { row, took } = rerankerRow(name, made.reranked)
    return measured(made, row, took)
  } catch (error) {
    if (error instanceof NeverRankedError) return error
    throw error
  }
}

/** A reranker with what it took, and no query that it was measured by. */
const rerankerRow = (name: string, { byPart, failure }: Evaluated['reranked']) => ({
  row: {
    name,
    kind: 'reranker' as const,
    ...countsTogether([...byPart.values()]),
    ...(failure === undefined ? {} : { failure }),
  },
  outcomes: [],
  took: byPart,
})

const measured = (made: Evaluated, row: RerankingRow, took?: RankedRow['took']): Measured => ({
  made,
  rows: [
    { row, outcomes: made.run.outcomes, ...(took && { took }) },
    ...(made.recorded.length === 0
      ? []
      : [{ row: { name: `${row.name}, record as a number`, kind: row.kind }, outcomes: made.recorded }]),
  ],
})

/** A track record of what the dataset's candidates did; a ranking of others is measured as it is. */
const recordOf = (
  { probed }: Dataset,
  { firstStage }: EvaluationSettings,
): Pick<Parameters<typeof evaluate>[2], 'weighFor'> =>
  probed === undefined || probed.runs.length === 0 || firstStage !== undefined
    ? {}
    : { weighFor: (model) => weighProbed(probed, model) }

/** The candidates that are ranked anew. */
const cut = ({ label, rankings }: GivenRun): GivenRun => ({
  label,
  rankings: new Map([...rankings].map(([query, ranking]) => [query, rank(ranking.slice(0, stageDepth))])),
})

/** Says which row is being measured. */
const watchingRow = ({ onProgress, ...context }: Context, row: string): Context => ({
  ...context,
  ...(onProgress && {
    onProgress: (progress) => onProgress({ ...progress, part: `${row}, ${progress.part}` }),
  }),
})

/** What the first stage found of each query, and how many of it rerankers put in order. */
type FoundFirst = { readonly found: ReadonlyMap<string, FoundIds>; readonly depth: number }

/** What a random order of the candidates has, and that of the platforms: of all that are given, or of the first that are found. */
function chanceRows(
  { dataset, chosen: { firstStage } }: Task,
  run: EvaluationRun,
  { found, depth }: FoundFirst,
): readonly RankedRow[] {
  const { parts } = firstStage
    ? withFirstStage(dataset, givenRankings(firstStage, dataset), stageDepth)
    : dataset
  const pooledOf = (query: JudgedQuery): PooledQuery => {
    const { ids = [], copies } = found.get(query.id) ?? {}
    const judged = copies === undefined ? query : { ...query, copies }
    return query.pool === undefined ? { ...judged, pool: ids, head: depth } : { ...judged, pool: query.pool }
  }
  const asked = new Set(run.outcomes.map(({ id }) => id))
  const pooled = parts.map(({ queries }) => queries.filter(({ id }) => asked.has(id)).map(pooledOf))
  const queries = new Map(pooled.flat().map((query) => [query.id, query]))
  const measures = run.measures.filter((name) => !isVerdictMeasure(name)).map(measureNamed)
  const rowOf = (name: string, scoresOf: (query: PooledQuery) => (id: string) => number): RankedRow => ({
    row: { name, kind: 'chance' },
    outcomes: run.outcomes.map((outcome) => {
      const query = queries.get(outcome.id)!
      return { ...outcome, measures: meansOverTies(query, scoresOf(query), measures) }
    }),
  })
  const { platformOf } = dataset
  const byPart =
    platformOf &&
    pooled.flatMap((own) => {
      const scoresOf = platformOrder(own, platformOf)
      return own.map(({ id }) => [id, scoresOf] as const)
    })
  const platforms = new Map(byPart)
  const ofFirst = pooled.flat().some(({ head }) => head !== undefined) ? ` of the first ${depth}` : ''
  return [
    rowOf(`random order${ofFirst}`, randomOrder),
    ...(platformOf
      ? [rowOf(`order of the platforms${ofFirst}`, (query) => platforms.get(query.id)!(query))]
      : []),
  ]
}
