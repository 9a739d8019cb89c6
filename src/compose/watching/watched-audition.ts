import type { Card } from '../../domain/card.ts'
import { opener } from '../../domain/once.ts'
import { type Outcome, successGrade } from '../../domain/outcome.ts'
import { withoutHidden } from '../../domain/text/hidden.ts'
import type { IndexReport } from '../../indexing/index-report.ts'
import type { Calling } from '../../probing/calls/calling.ts'
import type { ProbeReport } from '../../probing/run/probe-report.ts'
import type { Probing } from '../../probing/run/probing.ts'
import { currentWatcher, type Operation, type Tell, watched } from '../../watching/watch.ts'
import type { Audition } from '../audition.ts'

/** The same, and whoever watches is told what it does: how often, how long, with what outcome; no text of a request, card or answer. */
export function watchedAudition(app: Audition): Audition {
  return {
    ...app,
    search: (request, signal) =>
      watched(searching(request.kind), async (tell) => {
        const answer = await app.search(request, signal)
        tell({
          'audition.search.match': answer.match,
          'audition.search.candidates': answer.candidates.length,
        })
        record('audition.search.candidates', answer.candidates.length, {
          'audition.search.kind': request.kind,
        })
        return answer
      }),
    index: (options) =>
      watched(
        { name: 'index', kind: 'internal', metric: 'audition.index.duration', attributes: {} },
        async (tell) => recordedReport(await app.index(options), tell),
      ),
    probing: opener(async () => watchedProbing(await app.probing())),
    calling: opener(async () => watchedCalling(await app.calling())),
  }
}

/** A search is a retrieval in the words of the conventions; the kind of card is what it retrieves from. */
const searching = (kind: Card['kind']): Operation => ({
  name: `retrieval ${kind}s`,
  kind: 'internal',
  metric: 'audition.search.duration',
  attributes: {
    'gen_ai.operation.name': 'retrieval',
    'gen_ai.data_source.id': `${kind}s`,
    'audition.search.kind': kind,
  },
})

const record = (...recorded: Parameters<NonNullable<ReturnType<typeof currentWatcher>>['record']>): void =>
  currentWatcher()?.record(...recorded)

function recordedReport(report: IndexReport, tell: Tell): IndexReport {
  const failed = report.sources.filter(({ failure }) => failure !== undefined).length
  for (const change of ['added', 'changed', 'removed'] as const) {
    const cards = report.sources.reduce((sum, source) => sum + source[change], 0)
    if (cards > 0) record('audition.index.changes', cards, { 'audition.change': change })
  }
  tell({
    'audition.outcome': failed === 0 ? 'done' : 'sources-failed',
    'audition.index.sources': report.sources.length,
    'audition.index.sources_failed': failed,
  })
  return report
}

const outcome = (word: string) => ({ 'audition.outcome': word })

function watchedCalling(calling: Calling): Calling {
  return {
    ...calling,
    call: (asked) =>
      watched(using(asked.card), async (tell) => {
        const report = await calling.call(asked)
        const isFailed = report.kind === 'result' && report.result.failed
        tell({
          ...outcome(isFailed ? 'failed' : report.kind),
          ...(isFailed ? { 'error.type': 'tool_error' } : {}),
          ...(report.kind === 'no-answer' ? { 'error.type': report.isLate ? 'timeout' : 'no_answer' } : {}),
        })
        return report
      }),
    run: (asked) =>
      watched(using(asked.card), async (tell) => {
        const report = await calling.run(asked)
        if (report.kind === 'ran') ended(report.execution, tell)
        else tell(outcome('not-run'))
        return report
      }),
  }
}

function watchedProbing(probing: Probing): Probing {
  const auditioning = (name: 'probe' | 'audition'): Operation => ({
    name,
    kind: 'internal',
    metric: 'audition.probe.duration',
    attributes: {},
  })
  return {
    ...probing,
    probe: (call) => watched(auditioning('probe'), async (tell) => counted(await probing.probe(call), tell)),
    audition: (call) =>
      watched(auditioning('audition'), async (tell) => counted(await probing.audition(call), tell)),
    run: (call) =>
      watched(using(call.card), async (tell) => {
        const report = await probing.run(call)
        if (report.kind === 'ran') ended(report.execution, tell)
        else tell(outcome(report.kind))
        return report
      }),
  }
}

/** A tool is called by MCP, an agent is invoked. The name is what a trace is read by; it is in no metric. */
function using({ kind, name }: Card): Operation {
  const named = withoutHidden(name).slice(0, 128)
  const shared = { kind: 'client', metric: 'audition.call.duration' } as const
  return kind === 'tool'
    ? {
        ...shared,
        name: `tools/call ${named}`,
        attributes: {
          'mcp.method.name': 'tools/call',
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': named,
          'audition.call.kind': kind,
        },
      }
    : {
        ...shared,
        name: `invoke_agent ${named}`,
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': named,
          'audition.call.kind': kind,
        },
      }
}

type Ended = Extract<Awaited<ReturnType<Probing['run']>>, { kind: 'ran' }>['execution']

function ended({ ending, cost }: Ended, tell: Tell): void {
  tell({ ...outcome(ending), ...(ending === 'failed' || ending === 'limit' ? { 'error.type': ending } : {}) })
  if (cost !== null && cost > 0) record('audition.model.cost', cost)
}

type Counted = Pick<ProbeReport, 'stopped' | 'spent'> & {
  readonly candidates: readonly Pick<ProbeReport['candidates'][number], 'runs'>[]
}

function counted<Report extends Counted>(report: Report, tell: Tell): Report {
  tell(outcome(report.stopped ?? 'done'))
  for (const { runs } of report.candidates)
    for (const run of runs) record('audition.probe.runs', 1, outcome(cameTo(run.outcome)))
  if (report.spent.cost > 0) record('audition.model.cost', report.spent.cost)
  return report
}

function cameTo({ ending, verdict }: Outcome): string {
  if (ending !== 'answered') return 'failed'
  if (verdict === null || !('grade' in verdict)) return 'not-graded'
  return verdict.grade >= successGrade ? 'worked' : 'did-not-work'
}
