import type { RecommendReport, RecommendRow } from '../../compose/parts/recommender.ts'
import { measureTitle } from '../../evaluation/measures/measures.ts'

const headline = 'ndcg@10'

/** The tables of a report, as Markdown: one per part with all measures, then the long tail, then what towers make of less. */
export function recommendTables({
  split,
  queries,
  rows,
  longTail,
  ablation,
}: RecommendReport): readonly string[] {
  return [
    `${queries} requests held out by ${split.by === 'both' ? 'text and agent' : split.by}, seed ${split.seed}; per cent, 95% intervals of nDCG@10.`,
    ...groupsOf(rows).flatMap((group) => ['', ...measuresTable(group, rows)]),
    '',
    'nDCG@10 by how often the agent that serves best was learned from:',
    ...groupTable(longTail),
    ...(ablation.length === 0 ? [] : ['', 'nDCG@10 of towers that see less:', ...groupTable(ablation)]),
  ]
}

const percent = (value: number): string => (100 * value).toFixed(1)
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const groupsOf = (rows: readonly RecommendRow[]): readonly string[] =>
  rows[0]?.groups.map(({ group }) => group) ?? []

function measuresTable(group: string, rows: readonly RecommendRow[]): readonly string[] {
  const own = rows.map(({ name, groups }) => ({ name, ...groups.find((one) => one.group === group)! }))
  const measures = Object.keys(own[0]?.measures ?? {})
  return [
    `${group}, ${own[0]?.queries ?? 0} requests:`,
    line(['row', ...measures.map(measureTitle)]),
    line(['---', ...measures.map(() => '---')]),
    ...own.map(({ name, measures: of }) =>
      line([
        name,
        ...measures.map((measure) => {
          const { mean, low, high } = of[measure]!
          return measure === headline
            ? `${percent(mean)} (${percent(low)} to ${percent(high)})`
            : percent(mean)
        }),
      ]),
    ),
  ]
}

function groupTable(rows: readonly RecommendRow[]): readonly string[] {
  const groups = groupsOf(rows)
  return [
    line(['', ...rows.map(({ name }) => name), 'requests']),
    line(['---', ...rows.map(() => '---'), '---']),
    ...groups.map((group, at) =>
      line([
        group,
        ...rows.map(({ groups: own }) => percent(own[at]!.measures[headline]!.mean)),
        `${rows[0]!.groups[at]!.queries}`,
      ]),
    ),
  ]
}
