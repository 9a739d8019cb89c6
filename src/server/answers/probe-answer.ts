import type { Progress } from '../../domain/progress.ts'
import type { JsonObject } from '../../domain/json.ts'
import { gradeOf, reasonOf, type Verdict } from '../../domain/outcome.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import { withRemedy } from '../../domain/remedy-error.ts'
import type { CandidateReport, NotRun, ProbedRun, ProbeReport } from '../../probing/run/probe-report.ts'
import type { Plan } from '../../probing/run/probing.ts'
import { ruleFields, ruleLine, showSourceLine } from './card-fields.ts'
import { oneLine, quoted, quotedList, withoutPaths } from '../text.ts'
import { transcriptUri } from './uris.ts'
import { rounded } from './why.ts'
import type { JobWords } from '../jobs/jobs.ts'
import type { ResourceLink, ServedAnswer } from '../tool.ts'
import { cutTexts } from '../../trust/scan/cut-texts.ts'

/** Characters of what agents say: each of several, and one that was run once, for its answer. */
const answerCharacters = 200
const soleAnswerCharacters = 2_000
/** Characters of what judges say. */
const reasonCharacters = 160
/** Tasks told of each candidate before it is run. */
const plannedTasks = 5
/** Sources named of those whose tools were kept from an agent. */
const namedSources = 3

/** How a probe is told of while it runs. */
export const probeWords: JobWords<Progress> = {
  tell: ({ done, total }) => ({ done, total, message: `${done} of ${total} runs` }),
  running(job) {
    const { done, total } = job.progress() ?? { done: 0, total: 0 }
    const next = `Call probe_agent ${JSON.stringify({ run_id: job.id })} to wait for it.`
    return {
      text: `Running: ${done} of ${total} runs of ${job.subject}. ${next}`,
      structured: { state: 'running', run_id: job.id, done, total, next },
    }
  },
}

/** What a probe found, most successful candidate first, in few words; the transcripts have the rest. */
export function probeAnswer(jobId: string, { report, flags }: DeliveredReport): ServedAnswer {
  const ordered = [...report.candidates].sort(bySuccess)
  const reported = ordered.map((candidate) => ({ candidate, worst: worstRun(candidate) }))
  const isSole = ordered.flatMap(({ runs }) => runs).length === 1
  const characters = isSole ? soleAnswerCharacters : answerCharacters
  const next = nextOf(ordered, report.stopped)
  const structured: JsonObject = {
    state: 'done',
    run_id: jobId,
    candidates: reported.map(({ candidate, worst }) => ({
      ...fieldsOf(candidate, worst, characters),
      ...ruleFields(flags.get(candidate.card)),
    })),
    ...(report.stopped === null ? {} : { stopped: report.stopped, left: report.left }),
    seconds: rounded(report.spent.seconds, 1),
    next,
  }
  return {
    text: [
      ...reported.map(
        ({ candidate, worst }) =>
          `${lineOf(candidate, worst, characters)}${ruleLine(flags.get(candidate.card))}`,
      ),
      ...(report.stopped === null
        ? []
        : [`Stopped (${report.stopped}): ${countOf(report.left, 'run was', 'runs were')} left out.`]),
      next,
    ].join('\n'),
    structured,
    links: reported.flatMap(({ candidate, worst }) => linkOf(candidate, worst)),
  }
}

/** What a probe would start and ask, what may start first. */
export function planAnswer(asked: readonly Plan[]): ServedAnswer {
  const plans = [...asked].sort((a, b) => Number(a.notRun !== null) - Number(b.notRun !== null))
  const isReady = plans.some(({ notRun }) => notRun === null)
  const next = isReady
    ? 'Call probe_agent without dry_run to start it.'
    : 'Nothing of this may start. Tell the user, or choose other candidates.'
  const candidates = plans.map(({ card, launch, notRun, tasks }) => ({
    id: card.id,
    ...(launch === null ? {} : { starts: withoutPaths(oneLine(launch.display, answerCharacters)) }),
    allowed: notRun === null,
    ...(notRun === null ? {} : refusalOf(card.id, notRun)),
    tasks: tasks.slice(0, plannedTasks).map(({ text }) => oneLine(text, answerCharacters)),
  }))
  const lines = plans.map(({ card, launch, notRun }) => {
    const starts =
      launch === null ? '' : ` would start ${quoted(withoutPaths(launch.display), answerCharacters)}:`
    return `${quoted(card.id, 400)}${starts} ${notRun === null ? 'allowed.' : refusalLine(card.id, notRun)}`
  })
  return { text: [...lines, next].join('\n'), structured: { state: 'planned', candidates, next } }
}

/**
 * Success first, then what nobody could judge, then what was not run, then what failed; fewer failures, then speed; ids break ties
 * as everywhere.
 */
export const bySuccess = (a: CandidateReport, b: CandidateReport): number =>
  rungOf(b) - rungOf(a) ||
  (b.meanGrade ?? 0) - (a.meanGrade ?? 0) ||
  a.failed - b.failed ||
  (a.medianSeconds ?? Number.MAX_VALUE) - (b.medianSeconds ?? Number.MAX_VALUE) ||
  (a.card < b.card ? 1 : a.card > b.card ? -1 : 0)

const rungOf = ({ worked, graded, runs }: CandidateReport): number =>
  worked > 0 ? 3 : graded > 0 ? 0 : runs.length > 0 ? 2 : 1

/** The run that tells most: the one with the lowest grade, else the first. */
function worstRun({ runs }: CandidateReport): ProbedRun | undefined {
  const graded = runs.filter(({ outcome }) => gradeOf(outcome.verdict) !== null)
  return [...graded].sort((a, b) => gradeOf(a.outcome.verdict)! - gradeOf(b.outcome.verdict)!)[0] ?? runs[0]
}

const reasonText = (verdict: Verdict | null): string =>
  verdict === null
    ? 'Nobody could judge: no known answer, and no language model is configured.'
    : reasonOf(verdict)

function fieldsOf(candidate: CandidateReport, worst: ProbedRun | undefined, characters: number): JsonObject {
  const { card, worked, graded, runs, medianSeconds, tokens, cost, notRun } = candidate
  return {
    id: card,
    ...(runs.length === 0
      ? {}
      : { worked, graded, grades: runs.map(({ outcome }) => gradeOf(outcome.verdict)) }),
    ...(medianSeconds === null ? {} : { median_seconds: rounded(medianSeconds, 2) }),
    ...(tokens === null ? {} : { tokens }),
    ...(cost === null ? {} : { usd: rounded(cost, 5) }),
    ...(worst === undefined
      ? {}
      : {
          why: clean(reasonText(worst.outcome.verdict), reasonCharacters),
          answer: clean(worst.answer, characters),
          ...(worst.hasTranscript ? { transcript: transcriptUri(worst.outcome.id) } : {}),
        }),
    ...withheldField(candidate),
    ...(notRun === null ? {} : refusalOf(card, notRun)),
  }
}

/** In our words: the names of such tools are their servers'. */
function withheldField({ runs }: CandidateReport): { readonly withheld?: string } {
  const all = runs.flatMap(({ withheld }) => withheld)
  if (all.length === 0) return {}
  const count = new Set(all.map(({ text }) => text)).size
  const tools = count === 1 ? '1 tool of its servers was' : `${count} tools of its servers were`
  const sources = [...new Set(all.flatMap(({ source }) => source ?? []))].slice(0, namedSources)
  const lines = sources.map(showSourceLine)
  return {
    withheld: [
      `${tools} kept from it: not as indexed, or hostile.`,
      ...(lines.length === 0 ? [] : [`The user sees why: ${lines.join('; ')}`]),
    ].join(' '),
  }
}

const clean = (text: string, characters: number): string => withoutPaths(oneLine(text, characters))

/** Where nobody judged, the answer is what there is to know; what ran once was run for it. */
function lineOf(candidate: CandidateReport, worst: ProbedRun | undefined, characters: number) {
  const { card, worked, graded, runs, medianSeconds, notRun } = candidate
  const id = quoted(card, 400)
  const refused = notRun === null ? '' : ` ${refusalLine(card, notRun)}`
  if (runs.length === 0 && notRun === null) return `${id}: no run of it ended.`
  const { withheld = '' } = withheldField(candidate)
  const kept = withheld === '' ? '' : ` ${withheld}`
  if (worst === undefined || medianSeconds === null) return `${id}:${refused}`
  const score = graded === 0 ? `${countOf(runs.length, 'run')}, not graded` : `worked ${worked} of ${graded}`
  const why = quoted(withoutPaths(reasonText(worst.outcome.verdict)), reasonCharacters)
  const isQuoted = worst.answer !== '' && (graded === 0 || characters > answerCharacters)
  const said = isQuoted ? `; answered ${quoted(withoutPaths(worst.answer), characters)}` : ''
  return `${id}: ${score}, median ${medianSeconds.toFixed(2)} s; ${why}${said}${kept}${refused}`
}

/** The line names the card, not what would be started: a path of this machine is the user's to see. */
function refusalOf(card: string, why: NotRun): JsonObject {
  if (why.kind !== 'permission')
    return { not_run: clean(withRemedy(why.message, why.remedy), 2 * reasonCharacters) }
  return { not_run: `The user's settings do not allow it.${changeText(why)}`, user_runs: userLine(card) }
}

const refusalLine = (card: string, why: NotRun): string =>
  `${why.kind === 'permission' ? '' : 'not run: '}${refusalText(card, why)}`

/** Why it was not run. */
export const refusalText = (card: string, why: NotRun): string =>
  why.kind === 'permission'
    ? `not allowed by the user, who alone can allow it in a terminal: ${userLine(card)}${changeText(why)}`
    : clean(withRemedy(why.message, why.remedy), 2 * reasonCharacters)

/**
 * What is not the same since the user allowed it: which parts, never what stands in them, since whoever changed them wrote that. The
 * user's line shows all of it.
 */
function changeText({ changed = [] }: Extract<NotRun, { readonly kind: 'permission' }>): string {
  if (changed.length === 0) return ''
  if (changed.every(({ because }) => because === 'unbound'))
    return ' It was allowed by its name alone, as older versions did.'
  const parts = [...new Set(changed.flatMap(({ was, now }) => [...was, ...now].map(partOf)))]
  return ` It changed since the user allowed it: ${quotedList(parts, 6)}.`
}

const partOf = (word: string): string => withoutPaths(word.replace(/: .*$/s, ''))

const userLine = (card: string): string => `audition allow ${shellWord(oneLine(card, 400), process.platform)}`

function linkOf({ card }: CandidateReport, worst: ProbedRun | undefined): readonly ResourceLink[] {
  if (worst === undefined || !worst.hasTranscript) return []
  const uri = transcriptUri(worst.outcome.id)
  return [
    {
      uri,
      name: worst.outcome.id,
      title: `Transcript of ${oneLine(card, 80)}`,
      mimeType: 'application/json',
    },
  ]
}

function nextOf(ordered: readonly CandidateReport[], stopped: ProbeReport['stopped']): string {
  const [best] = ordered
  if (best === undefined || ordered.every(({ runs }) => runs.length === 0)) {
    if (stopped === 'cancelled') return 'It was stopped before a run ended: nothing is known of them.'
    if (stopped !== null) return 'No run ended: give it a larger budget, or fewer agents and tasks.'
    return 'Nothing was run. Do what is said of each, or choose other candidates with search_agents.'
  }
  if (stopped === 'judge failed')
    return 'The judge gives no grade: the user looks after the model in AUDITION_LLM.'
  if (ordered.every(({ graded }) => graded === 0))
    return 'Read the answers: nobody judged them. The transcripts hold them whole.'
  if (best.worked === 0) return 'None worked. Call search_agents for others, with these in exclude.'
  return `Use ${quoted(best.card, 400)}; searches rank by this from now on.`
}

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

const wordsOf = (verdict: Verdict | null): readonly string[] => (verdict === null ? [] : [reasonOf(verdict)])

function verdictWith(verdict: Verdict | null, delivered: (text: string) => string): Verdict | null {
  if (verdict === null) return null
  return 'grade' in verdict
    ? { ...verdict, reason: delivered(verdict.reason) }
    : { ...verdict, refusal: delivered(verdict.refusal) }
}

const notRunWith = (notRun: NotRun | null, delivered: (text: string) => string): NotRun | null =>
  notRun !== null && 'message' in notRun ? { ...notRun, message: delivered(notRun.message) } : notRun
