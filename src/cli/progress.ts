import { createRequire } from 'node:module'
import type { IndexProgress, TrainingProgress } from '../compose/app.ts'
import { gradeOf } from '../domain/outcome.ts'
import { countOf } from '../domain/text/count-of.ts'
import { printableLine } from '../domain/text/printable.ts'
import type { DownloadProgress } from '../evaluation/datasets/dataset.ts'
import type { EvaluationProgress } from '../evaluation/evaluation-settings.ts'
import { perCent } from '../evaluation/report/numbers.ts'
import type { JudgedAnswer } from '../probing/judges/calibrate-judge.ts'
import type { ProbeEvent } from '../probing/run/probe.ts'
import type { TaskProgress } from '../tasks/shop.ts'
import { durationText, fitText, gradeText } from './render/text.ts'
import type { Output } from './terminal.ts'

/** Shows how far something is: a bar on a terminal, lines elsewhere. */
type View<Event> = {
  show(event: Event): void
  /**
   * Ends it for good; harmless when called again. What was under way when it was stopped may still tell of its end: a bar that
   * came back then would have nobody to stop it, and its timer would keep the process alive.
   */
  stop(): void
}

/** How far a bar is, and the words beside it. */
type Mark = { readonly value: number; readonly total: number; readonly what: string; readonly more?: string }

/** How one kind of work is shown. */
type Look<Event> = {
  /** `counts`: so many of all; `share`: per cent. */
  readonly bar: 'counts' | 'share'
  /** Columns kept for what stands behind the words. @defaultValue 0 */
  readonly more?: number
  /** Undefined leaves the bar as it is. */
  mark(event: Event): Mark | undefined
  /** Undefined says nothing; nor does the line of before. */
  line(event: Event): string | undefined
}

/** Does work that tells how far it is, and shows that meanwhile. */
export async function shownBy<Event, Result>(
  view: View<Event>,
  work: (show: (event: Event) => void) => Promise<Result>,
): Promise<Result> {
  try {
    return await work((event) => view.show(event))
  } finally {
    view.stop()
  }
}

const barColumns = 24
const formats = {
  counts: { format: '{bar} {value}/{total} {what}{more}', taken: 20 },
  share: { format: '{bar} {percentage} % {what}{more}', taken: 10 },
} as const

function viewOf<Event>(output: Output, { bar, more = 0, mark, line }: Look<Event>): View<Event> {
  const { stream, columns, isTty, write } = output
  const { format, taken } = formats[bar]
  let state: 'new' | 'running' | 'over' = 'new'
  if (!isTty) {
    let last = ''
    return {
      show(event) {
        const said = state === 'over' ? undefined : line(event)
        if (said !== undefined && said !== last) write(`${said}\n`)
        last = said ?? last
      },
      stop() {
        state = 'over'
      },
    }
  }
  const look = { hideCursor: true, clearOnComplete: true, linewrap: null, gracefulExit: false }
  const { Presets, SingleBar } = createRequire(import.meta.url)(
    'cli-progress',
  ) as typeof import('cli-progress')
  const view = new SingleBar({ stream, format, barsize: barColumns, ...look }, Presets.shades_classic)
  const room = Math.max(8, (columns ?? 80) - barColumns - taken - more)
  return {
    show(event) {
      const found = state === 'over' ? undefined : mark(event)
      if (found === undefined) return
      const words = { what: fitText(found.what, room), more: found.more ?? '' }
      if (state === 'new') view.start(found.total, 0, words)
      state = 'running'
      view.update(found.value, words)
    },
    stop() {
      if (state === 'running') view.stop()
      state = 'over'
    },
  }
}

/** What reading the sources takes of the bar. */
const readShare = 0.2

/** Of an index run. */
export const indexView = (output: Output): View<IndexProgress> =>
  viewOf(output, {
    bar: 'share',
    mark(event) {
      if (event.step === 'discover' || event.step === 'committed') return undefined
      const share =
        event.step === 'read'
          ? (readShare * event.done) / Math.max(1, event.total)
          : readShare + (1 - readShare) * event.share
      const what = printableLine(event.step === 'read' ? event.source : event.what)
      return { value: Math.floor(100 * share), total: 100, what }
    },
    line(event) {
      switch (event.step) {
        case 'discover':
          return `Reading ${countOf(event.sources, 'source')}.`
        case 'read':
          return `[${event.done}/${event.total}] ${printableLine(event.source)}`
        case 'write':
          return `${printableLine(event.what)} ...`
        case 'committed':
          return `${countOf(event.cards, 'card')} are in the index.`
      }
    },
  })

/** Of an evaluation: elsewhere a line for each tenth. */
export function evaluationView(output: Output): View<EvaluationProgress> {
  const left = ({ done, total, secondsLeft }: EvaluationProgress, before: string): string =>
    secondsLeft === null || done === total ? '' : `${before}${durationText(secondsLeft)} left`
  let tenth = -1
  return viewOf(output, {
    bar: 'counts',
    more: 20,
    mark: (event) => ({
      value: event.done,
      total: event.total,
      what: printableLine(event.part),
      more: left(event, '  '),
    }),
    line(event) {
      const reached = Math.floor((10 * event.done) / Math.max(1, event.total))
      if (reached <= tenth) return undefined
      tenth = reached
      return `[${event.done}/${event.total}] ${printableLine(event.part)}${left(event, ', ')}`
    },
  })
}

/** Of making tasks: elsewhere a line for each step forward. */
export const tasksView = (output: Output): View<TaskProgress> =>
  viewOf(output, {
    bar: 'share',
    mark: ({ done, total, what }) => ({ value: Math.floor((100 * done) / total), total: 100, what }),
    line: ({ done, total, what }) => `[${done}/${total}] ${what}`,
  })

/** Of a probe: elsewhere a line for each run. */
export const probeView = (output: Output): View<ProbeEvent> =>
  viewOf(output, {
    bar: 'counts',
    mark: (event) =>
      event.kind === 'not-run' || event.total === 0
        ? undefined
        : { value: event.done, total: event.total, what: printableLine(event.card) },
    line(event) {
      if (event.kind !== 'ended') return undefined
      const { outcome } = event.run
      return `[${event.done}/${event.total}] ${printableLine(event.card)}: ${gradeText(outcome)}, ${outcome.seconds.toFixed(1)} s`
    },
  })

/** Of a training: elsewhere a line for each step and epoch. */
export function trainingView(output: Output): View<TrainingProgress> {
  let last = ''
  return viewOf(output, {
    bar: 'share',
    mark: (progress) => ({
      value: Math.floor(100 * progress.share),
      total: 100,
      what: [
        progress.what,
        ...(progress.embedding === undefined ? [] : [epochText(progress.embedding)]),
      ].join(', '),
    }),
    line({ what, embedding }) {
      const isWholeEpoch = embedding !== undefined && embedding.secondsLeft === null
      if (embedding !== undefined && !isWholeEpoch && last.startsWith(`${what}: `)) return undefined
      last = isWholeEpoch ? `${what}: ${epochText(embedding)}` : `${what} ...`
      return last
    },
  })
}

const epochText = ({
  epoch,
  epochs,
  loss,
  validation,
  secondsLeft,
}: NonNullable<TrainingProgress['embedding']>): string =>
  [
    ...(secondsLeft === null ? [] : [`${durationText(secondsLeft)} left`]),
    `epoch ${epoch}/${epochs}`,
    `loss ${loss.toFixed(3)}`,
    ...(validation === null ? [] : [`nDCG@10 ${perCent(validation)}`]),
  ].join(', ')

/** Of a calibration. @param total - answers to judge */
export function calibrationView(output: Output, total: number): View<JudgedAnswer> {
  let done = 0
  const said = ({ labelled: { line, grade }, verdict }: JudgedAnswer): string =>
    `line ${line}: label ${grade}, ${gradeOf(verdict) === null ? 'not graded' : `graded ${gradeOf(verdict)}`}`
  return viewOf(output, {
    bar: 'counts',
    mark(answer) {
      done += 1
      return { value: done, total, what: said(answer) }
    },
    line(answer) {
      done += 1
      return `[${done}/${total}] ${said(answer)}`
    },
  })
}

/** A line for each file that was fetched. */
export function downloadLog({ write }: Output): (progress: DownloadProgress) => void {
  let reported = 0
  return ({ file, filesDone, files, receivedBytes }) => {
    if (filesDone <= reported) return
    reported = filesDone
    write(`[${filesDone}/${files}] ${printableLine(file)}, ${(receivedBytes / 1e6).toFixed(1)} MB so far\n`)
  }
}
