import { countOf } from '../../domain/text/count-of.ts'
import type { IndexReport, SourceReport } from '../../indexing/index-report.ts'

/** Whether a source was read in this run: not one that failed, nor a server that was not asked. */
const wasRead = ({ failure, notAsked }: SourceReport): boolean =>
  failure === undefined && (notAsked === undefined || notAsked === 'unchanged')

/** What this run read. */
function readIn({ sources, bundledCardsLeft = 0 }: IndexReport) {
  const sum = (count: (source: SourceReport) => number): number =>
    sources.filter(wasRead).reduce((total, source) => total + count(source), 0)
  return {
    added: sum(({ added }) => added),
    changed: sum(({ changed }) => changed),
    unchanged: sum(({ unchanged }) => unchanged),
    /** What left with the bundled catalog is told by itself. */
    removed: Math.max(0, sum(({ removed }) => removed) - bundledCardsLeft),
    models: sum(({ models }) => (models === undefined ? 0 : models.cards + models.tasks)),
    held: sum(({ held }) => (held === undefined ? 0 : held.changed + held.quarantined)),
  }
}

/** Everything that is wrong, what was left out first. */
export function problemsOf({ sources, problems }: IndexReport): IndexReport['problems'] {
  const all = [...problems, ...sources.flatMap((one) => one.problems)]
  const isError = ({ severity }: (typeof all)[number]): boolean => severity === 'error'
  return [...all.filter(isError), ...all.filter((one) => !isError(one))]
}

/** What came of an index run: of what it read, not of all that is indexed. */
export function indexOutcome(report: IndexReport): {
  /** Whether anything came in, so that there is something new to find. */
  readonly isRead: boolean
  readonly title: string
  /** New, changed and gone, in one line; empty when nothing was read. */
  readonly detail: string
} {
  const { added, changed, unchanged, removed, models, held } = readIn(report)
  const cards = added + changed + unchanged
  const after = `in ${report.seconds.toFixed(1)} s`
  const parts = [
    ...counted(added, 'new'),
    ...counted(changed, 'changed'),
    ...counted(unchanged, 'as before'),
    ...counted(removed, 'gone'),
    ...counted(held, 'held'),
  ]
  const detail = parts.length === 0 ? '' : `${parts.join(', ')}.`
  if (cards > 0)
    return {
      isRead: true,
      title: `${countOf(cards, 'card')} ${cards === 1 ? 'was' : 'were'} read ${after}`,
      detail,
    }
  if (models > 0) return { isRead: true, title: `What it says of models was read ${after}`, detail }
  if (held > 0)
    return { isRead: true, title: `Nothing came into search: ${countOf(held, 'card')} held`, detail }
  return { isRead: false, title: `Nothing was read${whyNothing(report)}`, detail }
}

const counted = (count: number, word: string): readonly string[] =>
  count === 0 ? [] : [`${count.toLocaleString('en')} ${word}`]

/** The one reason why nothing was read, where there is one. */
function whyNothing(report: IndexReport): string {
  const failures = report.sources.flatMap(({ failure }) => failure?.message ?? [])
  const problems = problemsOf(report).map(({ file, message }) => `${file} ${message}`)
  const [reason, another] = [...failures, ...problems]
  return reason === undefined || another !== undefined ? '' : `: ${reason}`
}
