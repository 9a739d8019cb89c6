import { allowLine, cannotRunLine, changedLines, notRunLines, withinLines } from './permit-lines.ts'
import { left, right, tableOf } from './table.ts'
import { apart, dollars, fitText, gradeText } from './text.ts'
import type { Output } from '../terminal.ts'
import { gradeOf, isSuccess, type Outcome, reasonOf } from '../../domain/outcome.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printable, printableLine } from '../../domain/text/printable.ts'
import type { TranscriptEvent } from '../../probing/ports.ts'
import type { CandidateReport, ProbedRun, ProbeReport } from '../../probing/run/probe-report.ts'
import type { Plan } from '../../probing/run/probing.ts'
import type { RankedAgain } from '../../probing/run/ready-first.ts'

/** Runs told of each candidate that did not work. */
const shownRuns = 3

/** What a probe found, for people: a row per candidate, what went wrong, what was not run and why. */
export function probeLines(
  report: ProbeReport,
  output: Output,
  platform: NodeJS.Platform,
): readonly string[] {
  const tried = report.candidates.filter(({ runs }) => runs.length > 0)
  return apart([candidateTable(tried, output), ...findingParts(report, output, platform)])
}

/** The same without the rows. */
export function findingParts(
  report: ProbeReport,
  output: Output,
  platform: NodeJS.Platform,
): readonly (readonly string[])[] {
  const { candidates } = report
  const tried = candidates.filter(({ runs }) => runs.length > 0)
  return [
    tried.flatMap((candidate) => failureLines(candidate, output)),
    tried.flatMap((candidate) => withheldLines(candidate, output)),
    candidates.flatMap(({ card, notRun }) => {
      if (notRun === null) return []
      const [first = '', ...rest] = notRunLines(card, notRun, platform)
      const mark = tried.length === 0 ? `${output.paint.red('error:')} ` : ''
      return [`${mark}${output.paint.cyan(printableLine(card))} was not run: ${first}`, ...rest]
    }),
    taskLines(report),
    endLines(report),
  ]
}

/** A row for each candidate that was run. */
export function candidateTable(candidates: readonly CandidateReport[], output: Output): readonly string[] {
  return tableOf(candidates, output, [
    left('candidate', ({ card }) => card, { paint: output.paint.cyan }),
    right('worked', ({ worked, graded }) => (graded === 0 ? '–' : `${worked} of ${graded}`)),
    left('grades', ({ runs }) => runs.map(({ outcome }) => mark(outcome)).join(' ')),
    ...costColumns<CandidateReport>(),
  ])
}

/** What candidates took. */
export const costColumns = <Report extends Pick<CandidateReport, 'medianSeconds' | 'tokens' | 'cost'>>() => [
  right<Report>('median', ({ medianSeconds: median }) => (median === null ? '–' : `${median.toFixed(2)} s`)),
  right<Report>('tokens', ({ tokens }) => tokens ?? '–'),
  right<Report>('cost', ({ cost }) => dollars(cost)),
]

/** A grade; `-` of an answer that nobody could judge. */
const mark = ({ verdict }: Outcome): string => String(gradeOf(verdict) ?? '-')

function failureLines({ card, runs }: CandidateReport, output: Output): readonly string[] {
  const bad = runs.filter(({ outcome }) => !isSuccess(outcome.verdict))
  if (bad.length === 0) return []
  const { paint } = output
  const room = Math.max(40, output.columns ?? 120) - 4
  const more = bad.length - shownRuns
  return [
    paint.cyan(printableLine(card)),
    ...bad.slice(0, shownRuns).flatMap((run) => runLines(run, room)),
    ...(more > 0 ? [paint.dim(`  and ${more} more`)] : []),
  ]
}

/** What its models did not get, each tool once. */
function withheldLines({ card, runs }: CandidateReport, { paint }: Output): readonly string[] {
  const texts = [...new Set(runs.flatMap(({ withheld }) => withheld.map(({ text }) => text)))]
  const more = texts.length - shownRuns
  if (texts.length === 0) return []
  return [
    paint.cyan(printableLine(card)),
    ...texts.slice(0, shownRuns).map((text) => paint.yellow(`  ${printableLine(text)}`)),
    ...(more > 0 ? [paint.dim(`  and ${more} more`)] : []),
  ]
}

function runLines({ outcome, answer, failure }: ProbedRun, room: number): readonly string[] {
  const { verdict } = outcome
  const why = verdict === null ? 'no reference and no model to judge by' : reasonOf(verdict)
  const said = failure === null ? `answered: ${printableLine(answer)}` : ''
  return [
    `  ${gradeText(outcome)}: ${printableLine(outcome.task)}`,
    ...(said === '' ? [] : [`    ${said}`]),
    `    ${printableLine(why)}`,
  ].map((line) => fitText(line, room + 4))
}

/** Of several tasks that told candidates apart, and of those that did not: the first are worth asking again. */
function taskLines({ tasks }: ProbeReport): readonly string[] {
  const telling = tasks.filter(({ discrimination }) => discrimination !== 'low').length
  if (tasks.length < 2) return []
  const rest = tasks.filter(({ discrimination }) => discrimination === 'low')
  return [
    `${telling} of ${tasks.length} tasks told them apart.`,
    ...(telling === 0 ? [] : rest.slice(0, shownRuns).map(({ task }) => `  hardly: ${printableLine(task)}`)),
  ]
}

function endLines({ candidates, stopped, left, spent }: ProbeReport): readonly string[] {
  const rest = `${countOf(left, 'run')} ${left === 1 ? 'was' : 'were'} left out`
  const end =
    stopped === null
      ? []
      : [
          stopped === 'cancelled'
            ? `Stopped: ${rest}. What had ended is recorded.`
            : stopped === 'judge failed'
              ? `Stopped: the judge gave no grade, time after time${lastRefusal(candidates)}; ${rest}.`
              : `The budget (${stopped}) is spent: ${rest}.`,
        ]
  const money = spent.cost > 0 ? `, $${spent.cost.toFixed(4)}` : ''
  const tokens = spent.tokens > 0 ? `, ${countOf(spent.tokens, 'token')}` : ''
  return [...end, `Took ${spent.seconds.toFixed(1)} s${tokens}${money}.`]
}

function lastRefusal(candidates: ProbeReport['candidates']): string {
  const verdicts = candidates.flatMap(({ runs }) => runs.map(({ outcome }) => outcome.verdict))
  const last = verdicts.findLast((verdict) => verdict !== null && 'refusal' in verdict)
  return last === undefined || last === null ? '' : ` (${printableLine(reasonOf(last))})`
}

/** Tasks told of each candidate. */
const shownTasks = 5

/** What a probe would start and ask, and what the settings say to it. */
export function planLines(
  plans: readonly Plan[],
  { paint }: Output,
  platform: NodeJS.Platform,
): readonly string[] {
  return plans.flatMap(({ card, launch, notRun, tasks }, index) => [
    ...(index === 0 ? [] : ['']),
    paint.cyan(printableLine(card.id)),
    ...(launch === null ? [] : [`  would start: ${printableLine(launch.display)}`]),
    ...withinLines(launch),
    ...(notRun === null
      ? ['  allowed']
      : notRun.kind === 'permission'
        ? [
            `  ${paint.yellow('not allowed')}; to allow it: ${allowLine(card.id, platform)}`,
            ...changedLines(notRun),
          ]
        : [`  ${paint.yellow('cannot be run')}: ${cannotRunLine(notRun)}`]),
    ...tasks.slice(0, shownTasks).map((task) => `  asks: ${printableLine(task.text)}`),
    ...(tasks.length > shownTasks ? [`  and ${tasks.length - shownTasks} more`] : []),
  ])
}

/** A shortlist after its probe: every candidate with what became of it, as it stands now. */
export function rerankLines(candidates: readonly RankedAgain[], output: Output): readonly string[] {
  const changed = candidates.some(({ before }, at) => before !== at + 1)
  return [
    output.paint.bold(changed ? 'The shortlist, ranked again' : 'The shortlist stands as it was'),
    ...tableOf(candidates, output, [
      right('now', (_, at) => at + 1),
      right('before', ({ before }) => before),
      left('candidate', ({ id }) => id, { paint: output.paint.cyan }),
      left('result', ({ result }) => resultText(result)),
      right('score', ({ score }) => score?.toFixed(3) ?? '–'),
    ]),
  ]
}

/** What a probe made of a candidate, in few words. */
function resultText({ worked, graded, runs, notRun }: CandidateReport): string {
  if (graded > 0) return worked === 0 ? `failed ${graded} of ${graded}` : `worked ${worked} of ${graded}`
  if (runs.length > 0) return 'not graded'
  switch (notRun?.kind) {
    case 'permission':
      return 'not allowed'
    case 'runtime':
      return 'cannot run here'
    case 'arguments':
    case 'no-task':
      return 'not asked'
    case undefined:
      return 'no run ended'
  }
}

/** An event of a run as lines for the person who waits. */
export function transcriptLines(event: TranscriptEvent): readonly string[] {
  const at = `[${event.at.toFixed(1)} s]`
  switch (event.kind) {
    case 'tool-call':
      return [`${at} calls ${printableLine(event.tool)} ${printableLine(JSON.stringify(event.arguments))}`]
    case 'tool-result': {
      const what = event.failed ? 'failed' : 'answered'
      return [`${at} ${printableLine(event.tool)} ${what}: ${printableLine(event.text)}`]
    }
    case 'message':
      return printable(event.text)
        .split('\n')
        .map((line, index) => (index === 0 ? `${at} ${line}` : `  ${line}`))
    case 'status':
    case 'tool-withheld':
      return [`${at} ${printableLine(event.text)}`]
    case 'log':
      return printable(event.text)
        .split('\n')
        .map((line) => `${at} stderr: ${line}`)
  }
}
