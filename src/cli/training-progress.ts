import { Presets, SingleBar } from 'cli-progress'
import type { TrainingProgress } from '../app.ts'
import type { Output } from './terminal.ts'
import { fitText } from './text-width.ts'

/** Shows how far a training is: a bar on a terminal, a line for each step and epoch elsewhere. */
export type TrainingView = {
  show(progress: TrainingProgress): void
  /** Takes the bar away; harmless when called again. */
  stop(): void
}

/** The view that suits the output. */
export const trainingView = (output: Output): TrainingView => (output.isTty ? bar(output) : log(output))

function log({ write }: Output): TrainingView {
  let last = ''
  return {
    show(progress) {
      const { what, embedding } = progress
      const isWholeEpoch = embedding !== undefined && embedding.secondsLeft === null
      const line = isWholeEpoch ? `${what}: ${epochText(progress)}` : `${what} ...`
      if (line === last || (embedding !== undefined && !isWholeEpoch && last.startsWith(`${what}: `))) return
      last = line
      write(`${line}\n`)
    },
    stop() {},
  }
}

const barColumns = 24

function bar({ stream, columns }: Output): TrainingView {
  const room = Math.max(8, (columns ?? 80) - barColumns - 10)
  const view = new SingleBar(
    {
      stream,
      format: '{bar} {percentage} % {what}',
      barsize: barColumns,
      hideCursor: true,
      clearOnComplete: true,
      linewrap: null,
      gracefulExit: false,
    },
    Presets.shades_classic,
  )
  let running = false
  return {
    show(progress) {
      const details = progress.embedding === undefined ? '' : `, ${epochText(progress)}`
      const what = fitText(`${progress.what}${details}`, room)
      if (!running) view.start(100, 0, { what })
      running = true
      view.update(Math.floor(100 * progress.share), { what })
    },
    stop() {
      if (running) view.stop()
      running = false
    },
  }
}

function epochText({ embedding }: TrainingProgress): string {
  if (embedding === undefined) return ''
  const { epoch, epochs, loss, validation, secondsLeft } = embedding
  return [
    ...(secondsLeft === null ? [] : [`${durationText(secondsLeft)} left`]),
    `epoch ${epoch}/${epochs}`,
    `loss ${loss.toFixed(3)}`,
    ...(validation === null ? [] : [`nDCG@10 ${validation.toFixed(3)}`]),
  ].join(', ')
}

/** Seconds in words: `48 s`, `3 min 5 s`. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
