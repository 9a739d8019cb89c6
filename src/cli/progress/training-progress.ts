import type { TrainingProgress } from '../../compose/app.ts'
import { perCent } from '../../evaluation/report/numbers.ts'
import { durationText, fitText } from '../render/text.ts'
import type { Output } from '../terminal.ts'
import { terminalBar } from './terminal-bar.ts'

/** Shows how far a training is: a bar on a terminal, a line for each step and epoch elsewhere. */
type TrainingView = {
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

function bar(output: Output): TrainingView {
  const { room, show, stop } = terminalBar(output, '{bar} {percentage} % {what}', 10)
  return {
    show(progress) {
      const details = progress.embedding === undefined ? '' : `, ${epochText(progress)}`
      show(Math.floor(100 * progress.share), 100, { what: fitText(`${progress.what}${details}`, room) })
    },
    stop,
  }
}

function epochText({ embedding }: TrainingProgress): string {
  if (embedding === undefined) return ''
  const { epoch, epochs, loss, validation, secondsLeft } = embedding
  return [
    ...(secondsLeft === null ? [] : [`${durationText(secondsLeft)} left`]),
    `epoch ${epoch}/${epochs}`,
    `loss ${loss.toFixed(3)}`,
    ...(validation === null ? [] : [`nDCG@10 ${perCent(validation)}`]),
  ].join(', ')
}
