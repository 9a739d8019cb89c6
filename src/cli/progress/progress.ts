import type { IndexProgress } from '../../compose/app.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { Output } from '../terminal.ts'
import { terminalBar } from './terminal-bar.ts'
import { fitText } from '../render/text.ts'

/** Shows how far an index run is: a bar on a terminal, plain lines elsewhere. */
type ProgressView = {
  show(event: IndexProgress): void
  /** Takes the bar away; harmless when called again. */
  stop(): void
}

/** The view that suits the output. */
export const progressView = (output: Output): ProgressView => (output.isTty ? bar(output) : log(output))

function log({ write }: Output): ProgressView {
  let step = ''
  let isOver = false
  return {
    show(event) {
      const line = lineOf(event)
      if (line !== step && !isOver) write(`${line}\n`)
      step = line
    },
    stop() {
      isOver = true // sources that were under way when it was stopped tell their end after it
    },
  }
}

const lineOf = (event: IndexProgress): string => {
  switch (event.step) {
    case 'discover':
      return `Reading ${countOf(event.sources, 'source')}.`
    case 'read':
      return `[${event.done}/${event.total}] ${printableLine(event.source)}`
    case 'write':
      return `${printableLine(event.what)} ...`
  }
}

function bar(output: Output): ProgressView {
  const { room, show, stop } = terminalBar(output, '{bar} {percentage} % {what}', 10)
  return {
    show(event) {
      if (event.step === 'discover') return
      const share = event.step === 'read' ? event.done / Math.max(1, event.total) : event.share
      const what = fitText(printableLine(event.step === 'read' ? event.source : event.what), room)
      show(Math.floor(100 * share), 100, { what })
    },
    stop,
  }
}
