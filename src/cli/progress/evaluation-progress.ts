import { printableLine } from '../../domain/text/printable.ts'
import type { DownloadProgress } from '../../evaluation/datasets/dataset.ts'
import type { EvaluationProgress } from '../../evaluation/evaluation-settings.ts'
import { durationText, fitText } from '../render/text.ts'
import type { Output } from '../terminal.ts'
import { terminalBar } from './terminal-bar.ts'

/** Shows how far an evaluation is: a bar on a terminal, a line for each tenth elsewhere. */
type EvaluationView = {
  show(progress: EvaluationProgress): void
  /** Takes the bar away; harmless when called again. */
  stop(): void
}

/** The view that suits the output. */
export const evaluationView = (output: Output): EvaluationView => (output.isTty ? bar(output) : log(output))

function log({ write }: Output): EvaluationView {
  let tenth = -1
  return {
    show(progress) {
      const reached = Math.floor((10 * progress.done) / Math.max(1, progress.total))
      if (reached <= tenth) return
      tenth = reached
      write(`[${progress.done}/${progress.total}] ${printableLine(progress.part)}${left(progress, ', ')}\n`)
    },
    stop() {},
  }
}

function bar(output: Output): EvaluationView {
  const { room, show, stop } = terminalBar(output, '{bar} {value}/{total} {part}{left}', 40)
  return {
    show(progress) {
      const part = fitText(printableLine(progress.part), room)
      show(progress.done, progress.total, { part, left: left(progress, '  ') })
    },
    stop,
  }
}

/** Time left in words, or nothing while it is not known and once all is done. */
function left({ done, total, secondsLeft }: EvaluationProgress, before: string): string {
  if (secondsLeft === null || done === total) return ''
  return `${before}${durationText(secondsLeft)} left`
}

/** A line for each file that was fetched. */
export function downloadLog({ write }: Output): (progress: DownloadProgress) => void {
  let told = 0
  return ({ file, filesDone, files, receivedBytes }) => {
    if (filesDone <= told) return
    told = filesDone
    write(`[${filesDone}/${files}] ${printableLine(file)}, ${(receivedBytes / 1e6).toFixed(1)} MB so far\n`)
  }
}
