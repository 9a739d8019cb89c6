import { executorOf } from '../../src/probing/runtime-kind.ts'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { commandRuntime } from '../../src/adapters/command/command-runtime.ts'
import { mcpRuntime } from '../../src/adapters/mcp-client/mcp-runtime.ts'
import type { Card } from '../../src/domain/card.ts'
import type { Ending } from '../../src/domain/outcome.ts'
import { defaultLimits, type Execution, type Executor, type Task } from '../../src/probing/ports.ts'
import { misbehavingHttp } from './http-server.ts'
import { leftOver } from './left-over.ts'
import type { Subject } from './subjects.ts'

/** One execution of a subject. */
export type SubjectRun = {
  readonly subject: Subject
  readonly card: Card
  readonly task: Task
  readonly executor: string
  readonly execution: Execution
}

/** What came of the runs of one subject. */
export type SubjectReport = {
  readonly subject: Subject
  readonly runs: number
  readonly endings: { readonly [ending in Ending]?: number }
  /** Executions that ended as none of the subject may. */
  readonly unexpected: number
  /** Executors that threw, which they must not for an agent's faults; with the first message. */
  readonly thrown: readonly string[]
  /** Largest wall time past the limit (or past the caller's stop), seconds; below 0 when none came near. */
  readonly overrun: number
  /** Processes that were alive when an execution had settled. */
  readonly leaked: readonly string[]
}

/** What {@link runSubjects} works with. */
type RunOptions = {
  readonly subjects: readonly Subject[]
  /** Executions over all subjects, turn by turn. Integer >= 1. */
  readonly runs: number
  /** Executions at the same time. Integer >= 1. */
  readonly concurrency: number
  /** Empty folder for profiles and configurations. */
  readonly folder: string
  /** Folder of the programs that misbehave. */
  readonly programs: string
  /** Told of each execution when it has settled, and waited for: for example to record it. */
  readonly onRun?: (run: SubjectRun) => Promise<void>
  readonly log?: (message: string) => void
}

/** How far an execution may go past its limit, seconds. */
export const allowedOverrun = 2

const outputBytes = 1024 * 1024
const task: Task = { text: 'Work on it', arguments: { text: 'hay' } }

/** Runs misbehaving programs through the real executors, and tells what they left behind. */
export async function runSubjects(options: RunOptions): Promise<readonly SubjectReport[]> {
  const { subjects, runs, concurrency, log = () => {} } = options
  const http = await misbehavingHttp()
  const reports = new Map(subjects.map((subject) => [subject, emptyReport(subject)]))
  const limit = pLimit(concurrency)
  let done = 0
  try {
    const turns = Array.from({ length: runs }, (_, turn) => subjects[turn % subjects.length]!)
    await Promise.all(
      turns.map((subject) =>
        limit(async () => {
          const outcome = await runOnce(subject, http.url, options)
          reports.set(subject, withOutcome(reports.get(subject)!, outcome))
          done += 1
          if (done % 50 === 0) log(`misbehaving agents: ${done} of ${runs}`)
        }),
      ),
    )
  } finally {
    await http.close()
  }
  return [...reports.values()]
}

type Outcome = {
  readonly end: { readonly execution: Execution } | { readonly thrown: string }
  readonly overrun: number
  readonly leaked: readonly string[]
}

async function runOnce(subject: Subject, url: string, options: RunOptions): Promise<Outcome> {
  const mark = `misbehaving-${randomUUID()}`
  const { card, executor } = prepared(subject, mark, url, options)
  const limits = { ...defaultLimits, seconds: subject.seconds, outputBytes }
  const caller = new AbortController()
  const { cancelAfter } = subject
  const cancel = cancelAfter === undefined ? undefined : setTimeout(() => caller.abort(), cancelAfter * 1_000)
  const started = performance.now()
  const end = await executor.execute(card, task, { limits, signal: caller.signal }).then(
    (execution) => ({ execution }),
    (error: unknown) => ({ thrown: String(error) }),
  )
  const seconds = (performance.now() - started) / 1_000
  clearTimeout(cancel)
  const leaked = leftOver(mark)
  if ('execution' in end) await options.onRun?.({ subject, card, task, executor: executor.name, ...end })
  return { end, overrun: seconds - (cancelAfter ?? subject.seconds), leaked }
}

function prepared(
  { sort, behaviour }: Subject,
  mark: string,
  url: string,
  { folder, programs }: RunOptions,
): { readonly card: Card; readonly executor: Executor } {
  const place = join(folder, mark)
  mkdirSync(place)
  const environment = { ...process.env, MISBEHAVING: mark }
  const common = { source: 'misbehaving', examples: [], tags: [], description: behaviour }
  if (sort === 'command') {
    const file = join(place, 'subject.yaml')
    const args = [join(programs, 'agent.mjs'), behaviour, mark]
    const run = { command: process.execPath, args, env: { MISBEHAVING: mark } }
    const profile = { profile: 'audition/v1', name: 'subject', description: behaviour, run }
    writeFileSync(file, JSON.stringify(profile)) // JSON is YAML
    const card: Card = {
      ...common,
      kind: 'agent',
      agentKind: 'profile',
      id: `misbehaving/${behaviour}`,
      name: 'subject',
      backbone: null,
      tools: [],
      policy: {},
      runtime: { kind: 'profile', file },
      provenance: { reader: 'profile-yaml', location: file },
    }
    return { card, executor: executorOf(commandRuntime, { catalogFolder: programs, environment }) }
  }
  const config = join(place, '.mcp.json')
  const args = [join(programs, 'server.mjs'), behaviour, mark]
  const entry =
    sort === 'mcp-http'
      ? { type: 'http', url: `${url}/${behaviour}` }
      : { command: process.execPath, args, env: { MISBEHAVING: mark } }
  writeFileSync(config, JSON.stringify({ mcpServers: { subject: entry } }))
  const transport = sort === 'mcp-http' ? 'http' : 'stdio'
  const card: Card = {
    ...common,
    kind: 'tool',
    id: `misbehaving/${behaviour}`,
    name: 'work',
    parameters: [],
    runtime: { kind: 'mcp', transport, config, server: 'subject', display: behaviour },
    provenance: { reader: 'mcp-server', location: `${config}#subject` },
  }
  return {
    card,
    executor: executorOf(mcpRuntime, { catalogFolder: programs, environment, version: '0.0.0' }),
  }
}

const emptyReport = (subject: Subject): SubjectReport => ({
  subject,
  runs: 0,
  endings: {},
  unexpected: 0,
  thrown: [],
  leaked: [],
  overrun: Number.NEGATIVE_INFINITY,
})

function withOutcome(report: SubjectReport, { end, overrun, leaked }: Outcome): SubjectReport {
  const common = {
    ...report,
    runs: report.runs + 1,
    overrun: Math.max(report.overrun, overrun),
    leaked: [...report.leaked, ...leaked],
  }
  if ('thrown' in end) return { ...common, thrown: [...report.thrown, end.thrown] }
  const { ending } = end.execution
  return {
    ...common,
    endings: { ...report.endings, [ending]: (report.endings[ending] ?? 0) + 1 },
    unexpected: report.unexpected + (ending === report.subject.ending ? 0 : 1),
  }
}
