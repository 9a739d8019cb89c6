import { Presets, SingleBar } from 'cli-progress'
import type { IndexProgress } from '../app.ts'
import { printableLine } from '../domain/printable.ts'
import type { Output } from './terminal.ts'
import { fitText } from './text-width.ts'

/** Shows how far an index run is: a bar on a terminal, plain lines elsewhere. */
export type ProgressView = {
  show(event: IndexProgress): void
  /** Takes the bar away; harmless when called again. */
  stop(): void
}

/** The view that suits the output. */
export const progressView = (output: Output): ProgressView => (output.isTty ? bar(output) : log(output))

function log({ write }: Output): ProgressView {
  let step = ''
  return {
    show(event) {
      const line = lineOf(event)
      if (line !== step) write(`${line}\n`)
      step = line
    },
    stop() {},
  }
}

const lineOf = (event: IndexProgress): string => {
  switch (event.step) {
    case 'discover':
      return event.sources === 1 ? 'Reading 1 source.' : `Reading ${event.sources} sources.`
    case 'read':
      return `[${event.done}/${event.total}] ${printableLine(event.source)}`
    case 'write':
      return `${printableLine(event.what)} ...`
  }
}

const barColumns = 24

function bar({ stream, columns }: Output): ProgressView {
  const room = Math.max(8, (columns ?? 80) - barColumns - 10)
  const view = new SingleBar(
    {
      stream,
      format: `{bar} {percentage} % {what}`,
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
    show(event) {
      if (event.step === 'discover') return
      const share = event.step === 'read' ? event.done / Math.max(1, event.total) : event.share
      const what = fitText(printableLine(event.step === 'read' ? event.source : event.what), room)
      if (!running) view.start(100, 0, { what })
      running = true
      view.update(Math.floor(100 * share), { what })
    },
    stop() {
      if (running) view.stop()
      running = false
    },
  }
}
