import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { lanceTrackRecord } from '../../src/adapters/lancedb/record/track-record.ts'
import { atMost, type Bench, type Findings } from '../bench.ts'
import { root } from '../built-program.ts'
import { allowedOverrun, runSubjects, type SubjectReport, type SubjectRun } from './run-subjects.ts'
import { subjects } from './subjects.ts'

const concurrency = 4

/** Real programs that do everything wrong, run through the real executors, their outcomes recorded. */
export const misbehaving: Bench = {
  name: 'misbehaving',
  question:
    'Do agents that hang, crash, flood, fork or lie stay within their limits and leave nothing behind?',
  async run(workplace) {
    if (process.platform !== 'linux') return elsewhere
    const record = lanceTrackRecord(workplace.scratch(), { embed: async () => null })
    const acknowledged = new Set<string>()
    const onRun = async (run: SubjectRun): Promise<void> => {
      const outcome = outcomeOf(run)
      await record.add([outcome])
      acknowledged.add(outcome.id)
    }
    const reports = await runSubjects({
      subjects,
      runs: workplace.quick ? 100 : 1_000,
      concurrency,
      folder: workplace.scratch(),
      programs: join(root, 'bench', 'misbehaving', 'programs'),
      onRun,
      log: workplace.log,
    })
    const kept = new Set((await record.list()).map(({ id }) => id))
    await record.close()
    return findingsOf(reports, {
      acknowledged: acknowledged.size,
      lost: [...acknowledged].filter((id) => !kept.has(id)).length,
    })
  },
}

const outcomeOf = ({ card, task, executor, execution }: SubjectRun) => ({
  id: randomUUID(),
  card: card.id,
  cardHash: 'bench',
  kind: card.kind,
  task: task.text,
  time: new Date().toISOString(),
  origin: 'probe' as const,
  executor,
  ending: execution.ending,
  verdict: null,
  seconds: execution.seconds,
  tokens: null,
  cost: null,
})

const elsewhere: Findings = {
  tables: [],
  notes: ['skipped: processes left behind are counted through /proc, which only Linux has.'],
  floors: [],
}

function findingsOf(
  reports: readonly SubjectReport[],
  record: { readonly acknowledged: number; readonly lost: number },
): Findings {
  const sum = (of: (report: SubjectReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0)
  const runs = sum((report) => report.runs)
  const overran = reports.filter(({ overrun }) => overrun > allowedOverrun).length
  const faults = reports.flatMap(({ subject, thrown, leaked }) =>
    [...thrown, ...leaked].map((fault) => `${subject.name}: ${fault}`),
  )
  return {
    tables: [
      {
        title: `${runs} executions, ${concurrency} at a time`,
        head: ['agent', 'runs', 'has to end', 'ended', 'most past its limit, s', 'processes left'],
        rows: reports.filter((report) => report.runs > 0).map(rowOf),
      },
    ],
    notes: [
      'Counted the moment an execution settles: living processes that carry its mark in command line or environment.',
      `${record.acknowledged} outcomes were acknowledged by the track record while they ran.`,
      ...faults.slice(0, 10),
    ],
    floors: [
      atMost(
        'processes left behind by misbehaving agents',
        0,
        sum(({ leaked }) => leaked.length),
      ),
      atMost(`subjects with an execution past its limit + ${allowedOverrun} s`, 0, overran),
      atMost(
        'executions that ended as they must not, or threw',
        0,
        sum(({ unexpected, thrown }) => unexpected + thrown.length),
      ),
      atMost('outcomes without acknowledgement, or lost', 0, runs - record.acknowledged + record.lost),
    ],
  }
}

const rowOf = ({ subject, runs, endings, overrun, leaked }: SubjectReport): readonly string[] => [
  subject.name,
  String(runs),
  subject.ending,
  Object.entries(endings)
    .map(([ending, count]) => `${ending} ${count}`)
    .join(', '),
  overrun < 0 ? '-' : overrun.toFixed(2),
  String(leaked.length),
]
