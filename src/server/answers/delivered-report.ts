import type { Verdict } from '../../domain/outcome.ts'
import type { NotRun, ProbeReport } from '../../probing/run/probe-report.ts'
import { cutTexts } from '../../trust/scan/cut-texts.ts'

/** A report whose texts a model may read, and for which rules sentences of a candidate's were cut, by its id. */
export type DeliveredReport = {
  readonly report: ProbeReport
  readonly flags: ReadonlyMap<string, readonly string[]>
}

/**
 * What candidates said, without the sentences that the scan suspects: what an agent answers is no less a stranger's text than its card. What
 * judges say of an answer, and why something was not run, may repeat it.
 */
export async function deliveredReport(report: ProbeReport): Promise<DeliveredReport> {
  const flags = new Map<string, readonly string[]>()
  const candidates: ProbeReport['candidates'][number][] = []
  for (const candidate of report.candidates) {
    const texts = candidate.runs.flatMap(({ answer, outcome }) => [answer, ...wordsOf(outcome.verdict)])
    if (candidate.notRun !== null && 'message' in candidate.notRun) texts.push(candidate.notRun.message)
    const cuts = await cutTexts(texts.map((text) => ({ register: 'reference', text })))
    const rules = new Set([...cuts.values()].flatMap((one) => one.rules))
    if (rules.size > 0) flags.set(candidate.card, [...rules])
    const delivered = (text: string): string => cuts.get(text)?.text ?? text
    candidates.push({
      ...candidate,
      runs: candidate.runs.map((run) => ({
        ...run,
        answer: delivered(run.answer),
        outcome: { ...run.outcome, verdict: verdictWith(run.outcome.verdict, delivered) },
      })),
      notRun: notRunWith(candidate.notRun, delivered),
    })
  }
  return { report: { ...report, candidates }, flags }
}

const wordsOf = (verdict: Verdict | null): readonly string[] =>
  verdict === null ? [] : ['grade' in verdict ? verdict.reason : verdict.refusal]

function verdictWith(verdict: Verdict | null, delivered: (text: string) => string): Verdict | null {
  if (verdict === null) return null
  return 'grade' in verdict
    ? { ...verdict, reason: delivered(verdict.reason) }
    : { ...verdict, refusal: delivered(verdict.refusal) }
}

const notRunWith = (notRun: NotRun | null, delivered: (text: string) => string): NotRun | null =>
  notRun !== null && 'message' in notRun ? { ...notRun, message: delivered(notRun.message) } : notRun
