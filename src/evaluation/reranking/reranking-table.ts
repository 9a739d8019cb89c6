import { compareRuns, wholeRow } from '../runs/compare-runs.ts'
import type { PublishedTable } from '../datasets/dataset.ts'
import { measureTitle } from '../measures/measures.ts'
import { perCent } from '../report/numbers.ts'
import type {
  EvaluationRun,
  QueryOutcome,
  RerankingBlock,
  RerankingRow,
  RerankingTable,
} from '../evaluation-run.ts'
import { holm } from '../statistics/randomisation-test.ts'
import { summarise } from '../summarise.ts'
import { type CountsByPart, countsTogether } from './reranking-notes.ts'

/** A row with what became of each query; none for a reranker that never succeeded. */
export type RankedRow = {
  readonly row: RerankingRow
  readonly outcomes: readonly QueryOutcome[]
  /** Of rerankers alone. */
  readonly took?: CountsByPart
}

/** Of more parts, only the mean over them is shown. */
const mostParts = 4

/**
 * Sets orders of the same candidates side by side: means with their intervals, every two rows compared by the headline, and what others
 * published.
 *
 * @param run - one of them, for parts, measures and settings
 * @param published - of the dataset, or why its rows may not stand here
 */
export function rerankingTable(
  ranked: readonly RankedRow[],
  run: EvaluationRun,
  published: readonly PublishedTable[] | string,
): RerankingTable {
  const categoryOf = new Map(run.parts.map(({ name, category }) => [name, category ?? name]))
  const placed = ranked.map(({ outcomes }) =>
    outcomes.map((outcome) => ({ ...outcome, part: categoryOf.get(outcome.part)! })),
  )
  const parts = [...new Set(categoryOf.values())].map((name) => ({ name }))
  const summaries = placed.map((outcomes) =>
    summarise(
      outcomes.length === 0 ? [] : parts,
      outcomes,
      run.measures.map((name) => ({ name })),
    ),
  )
  const pairsOf = pairing(placed, run)
  const shown = [
    ...(parts.length > mostParts ? [] : parts.map(({ name }) => name)),
    ...(parts.length > 1 ? [wholeRow] : []),
  ]
  const rows = ranked.map(({ row }) => row)
  const blocks = shown.map((part): RerankingBlock => {
    const estimates = summaries.map(({ macro, parts: own }) =>
      part === wholeRow ? macro : (own.find(({ name }) => name === part)?.estimates ?? {}),
    )
    const isOfPart = (name: string): boolean => part === wholeRow || categoryOf.get(name) === part
    const took = ranked.map(({ took: all }) =>
      all === undefined
        ? {}
        : countsTogether([...all].flatMap(([name, counts]) => (isOfPart(name) ? [counts] : []))),
    )
    const block = { part, estimates, took, pairs: pairsOf(part) }
    return { ...block, ...besideOf(published, { block, rows, run }) }
  })
  return { rows, blocks }
}

type Pairs = RerankingBlock['pairs']

/** Tests every two rows once, and gives those of a part. */
function pairing(placed: readonly (readonly QueryOutcome[])[], run: EvaluationRun): (part: string) => Pairs {
  const [headline = ''] = run.measures
  const runs = placed.map((outcomes) => ({ ...run, measures: [headline], outcomes }))
  const compared = runs.flatMap((one, row) =>
    runs.slice(0, row).flatMap((before, other) => {
      if (one.outcomes.length === 0 || before.outcomes.length === 0) return []
      return compareRuns(before, one).rows.map(({ part, difference, p }) => ({
        part,
        row,
        other,
        difference,
        p,
      }))
    }),
  )
  return (part) => {
    const own = compared.filter((pair) => pair.part === part)
    const corrected = holm(own.map(({ p }) => p))
    return own.map(({ row, other, difference, p }, at) => ({
      row,
      other,
      difference,
      p,
      pHolm: corrected[at]!,
    }))
  }
}

/** Nearer than this a published figure is of the same tasks. */
const sameWithin = 0.005

type Beside = {
  readonly block: Pick<RerankingBlock, 'part' | 'estimates'>
  readonly rows: readonly RerankingRow[]
  readonly run: EvaluationRun
}

/** Published rows stand in a block where a row that no system decides shows that the tasks are the same; elsewhere a sentence says why not. */
function besideOf(
  published: readonly PublishedTable[] | string,
  { block, rows, run: { settings } }: Beside,
): Pick<RerankingBlock, 'published' | 'note'> {
  const without = (note: string) => ({ published: [], note })
  if (typeof published === 'string') return without(published)
  const table = published.find(
    ({ part = wholeRow, instruction = settings.instruction }) =>
      part === block.part && instruction === settings.instruction,
  )
  if (table === undefined) return without('')
  const { source, corpus = settings.corpus, anchor } = table
  const refused = `The rows of ${source} may not stand here`
  if (corpus !== settings.corpus)
    return without(`${refused}: they are over the cards of all parts, --corpus ${corpus}.`)
  const at = rows.findIndex(({ name, kind }) => (anchor.of === 'first stage' ? kind : name) === anchor.of)
  const theirs = table.rows.find(({ name }) => name === anchor.row)?.values ?? {}
  const [measure = '', value = 0] = Object.entries(theirs)[0] ?? []
  const ours = block.estimates[at]?.[measure]?.mean
  if (ours === undefined)
    return without(`${refused}: no ${anchor.of} was measured by ${measureTitle(measure)}.`)
  if (Math.abs(ours - value) > sameWithin)
    return without(
      `${refused}: the ${anchor.of} has ${measureTitle(measure)} ${perCent(value)} there (${anchor.row}) and ${perCent(ours)} here, so these are other tasks or candidates.`,
    )
  return { published: table.rows, note: `Published rows: ${source}.` }
}
