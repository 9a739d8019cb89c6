import type { Estimate } from '../../src/evaluation/evaluation-run.ts'
import { perCent } from '../../src/evaluation/report/numbers.ts'
import { atLeast, atMost, type Findings, type Table } from '../bench.ts'
import { withInterval } from '../scores.ts'
import type { RankChanges } from './rank-changes.ts'
import type { Condition, ProbeLiftReport } from './report.ts'

/** What probes did for the ranking, for people: conditions, what they cost, what they found. */
export function probeLiftFindings(report: ProbeLiftReport): Findings {
  const { catalog, cost, ranker, model, recordWeight, queries, mixed } = report
  const each = cost.probes === 0 ? 0 : (1000 * cost.seconds) / cost.probes
  return {
    tables: [conditionTable(report), changeTable(report), findingTable(report)],
    notes: [
      `${queries} requests over ${catalog.tools} tools, ${catalog.sound} of them sound, on ${catalog.servers} servers; ranker ${ranker}${model === null ? '' : ` (${model})`}, weight of the record ${recordWeight}.`,
      `Probed: the ${catalog.probed} tools among the first ${catalog.shortlist} of some request. ${cost.probes} probes took ${cost.seconds.toFixed(0)} s, ${each.toFixed(0)} ms each with ${catalog.servers} starts of servers.`,
      'Percent, with 95% bootstrap intervals; the rise is paired by request, p by randomisation.',
      `Half unprobed: ${mixed.unprobed} candidates without a record among ${mixed.probed} with one.`,
    ],
    floors: floorsOf(report),
  }
}

const conditionTable = ({ conditions, mixed }: ProbeLiftReport): Table => ({
  title: 'Search with what probes told',
  head: ['probes', 'nDCG@5', 'rise', 'p', 'sound first', 'fell', 'executions', 'seconds'],
  rows: [
    ...conditions.map((one) => conditionRow(one.probes === 0 ? 'none' : `${one.probes} each`, one)),
    conditionRow(`${mixed.probes}, half unprobed`, mixed),
  ],
})

const conditionRow = (name: string, condition: Condition): readonly string[] => [
  name,
  interval(condition.ndcg),
  ...(condition.rise === null
    ? ['-', '-']
    : [interval(condition.rise.estimate), condition.rise.p.toPrecision(1)]),
  perCent(condition.soundFirst),
  condition.sound === null ? '-' : String(condition.sound.fell),
  String(condition.executions),
  condition.seconds.toFixed(1),
]

const interval = (estimate: Estimate): string => {
  const { mean, low, high } = estimate
  return withInterval({ ...estimate, mean: 100 * mean, low: 100 * low, high: 100 * high })
}

const changeTable = ({ mixed: { soundProbed, soundUnprobed, soundOfAnyTool } }: ProbeLiftReport): Table => ({
  title: 'Half unprobed: sound variants against search alone',
  head: ['sound variants', 'compared', 'rose', 'stayed', 'fell', 'deepest falls'],
  rows: [
    changeRow('of the right tool, probed', soundProbed),
    changeRow('of the right tool, unprobed', soundUnprobed),
    changeRow('of any tool on a shortlist', soundOfAnyTool),
  ],
})

const changeRow = (name: string, { compared, rose, same, fell, worst }: RankChanges): readonly string[] => [
  name,
  ...[compared, rose, same, fell].map(String),
  worst.map(({ before, after }) => `${before} to ${after ?? 'none'}`).join(', ') || '-',
]

const findingTable = ({ findings }: ProbeLiftReport): Table => ({
  title: 'Variants with a probe that failed',
  head: ['fault', 'variants', ...(findings[0]?.found ?? []).map(({ probes }) => `failed in ${probes}`)],
  rows: findings.map(({ fault, variants, found }) => [
    fault,
    String(variants),
    ...found.map((one) => String(one.variants)),
  ]),
})

/** What no change may cost: the ranking that three probes give, and that no sound tool suffers from its own probes. */
function floorsOf({ conditions, mixed, findings }: ProbeLiftReport): Findings['floors'] {
  const three = conditions.find(({ probes }) => probes === 3)
  return [
    atLeast('nDCG@5 with 3 probes each', 47.4, three && 100 * three.ndcg.mean),
    atMost('sound variants that failed a probe', 0, findings[0]?.found.at(-1)?.variants),
    atMost('probed sound variants of the right tool that fell', 0, mixed.soundProbed.fell),
  ]
}
