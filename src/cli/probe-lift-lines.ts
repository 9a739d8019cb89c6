import { countOf } from '../domain/count-of.ts'
import { printableLine } from '../domain/printable.ts'
import { perCent } from '../evaluation/per-cent.ts'
import type { RankChanges } from '../evaluation/probe-lift/rank-changes.ts'
import type { Condition, MixedCondition, ProbeLiftReport } from '../evaluation/probe-lift/report.ts'
import { durationText } from './duration-text.ts'
import { withInterval } from './evaluation-lines.ts'
import { type Column, tableLines } from './table.ts'
import type { Output } from './terminal.ts'

/** What probes did for the ranking, for people: conditions, what they cost, what they found. */
export function probeLiftLines(report: ProbeLiftReport, output: Output): readonly string[] {
  const { catalog, cost, ranker, model, recordWeight, queries, mixed } = report
  const spent = cost.probes === 0 ? 0 : cost.seconds / cost.probes
  return [
    output.paint.bold('probe-lift'),
    `${countOf(queries, 'request')} over ${countOf(catalog.tools, 'tool')}, ${catalog.sound} of them sound, on ${countOf(catalog.servers, 'server')}; ` +
      `ranker ${ranker}${model === null ? '' : ` (${printableLine(model)})`}, weight of the record ${recordWeight}.`,
    `Probed: the ${catalog.probed} tools among the first ${catalog.shortlist} of some request.`,
    '',
    ...conditionTable(report, output),
    '',
    'Percent, with 95% bootstrap intervals; the rise is paired by request, p by randomisation.',
    `${countOf(cost.probes, 'probe')} took ${durationText(cost.seconds)}, ${(1000 * spent).toFixed(0)} ms each with ${countOf(catalog.servers, 'start')} of servers.`,
    '',
    ...mixedLines(mixed),
    '',
    ...findingTable(report, output),
  ]
}

const conditionTable = ({ conditions, mixed }: ProbeLiftReport, output: Output): readonly string[] => {
  const columns: readonly Column[] = [
    { title: 'probes', paint: output.paint.cyan },
    { title: 'nDCG@5', align: 'right' },
    { title: 'rise', align: 'right' },
    { title: 'p', align: 'right' },
    { title: 'sound first', align: 'right' },
    { title: 'fell', align: 'right' },
    { title: 'executions', align: 'right' },
    { title: 'seconds', align: 'right' },
  ]
  const rows = [
    ...conditions.map((condition) =>
      conditionRow(condition.probes === 0 ? 'none' : `${condition.probes} each`, condition),
    ),
    conditionRow(`${mixed.probes}, half unprobed`, mixed),
  ]
  return tableLines(columns, rows, output)
}

const conditionRow = (name: string, condition: Condition): readonly string[] => [
  name,
  withInterval(condition.ndcg),
  condition.rise === null ? '–' : withInterval(condition.rise.estimate),
  condition.rise === null ? '–' : condition.rise.p.toPrecision(1),
  perCent(condition.soundFirst),
  condition.sound === null ? '–' : String(condition.sound.fell),
  String(condition.executions),
  condition.seconds.toFixed(1),
]

const mixedLines = ({ probed, unprobed, soundProbed, soundUnprobed, soundOfAnyTool }: MixedCondition) => [
  `Half unprobed: ${countOf(unprobed, 'candidate')} without a record among ${probed} with one. Sound variants against search alone:`,
  `  of the right tool, probed: ${changesText(soundProbed)}`,
  `  of the right tool, unprobed: ${changesText(soundUnprobed)}`,
  `  of any tool on a shortlist: ${changesText(soundOfAnyTool)}`,
]

const changesText = ({ compared, rose, same, fell, worst }: RankChanges): string => {
  const deepest = worst.map(({ before, after }) => `${before} to ${after ?? 'none'}`).join(', ')
  return `${compared} compared, ${rose} rose, ${same} stayed, ${fell} fell${fell === 0 ? '' : ` (ranks ${deepest})`}`
}

const findingTable = ({ findings }: ProbeLiftReport, output: Output): readonly string[] => {
  const counts = findings[0]?.found.map(({ probes }) => probes) ?? []
  const columns: readonly Column[] = [
    { title: 'fault', paint: output.paint.cyan },
    { title: 'variants', align: 'right' },
    ...counts.map((count): Column => ({ title: `failed in ${count}`, align: 'right' })),
  ]
  const rows = findings.map(({ fault, variants, found }) => [
    fault,
    String(variants),
    ...found.map((one) => String(one.variants)),
  ])
  return tableLines(columns, rows, output)
}
