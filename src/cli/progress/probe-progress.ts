import { printableLine } from '../../domain/text/printable.ts'
import type { ProbeEvent } from '../../probing/run/probe.ts'
import { gradeText } from '../render/probe-lines.ts'
import type { Output } from '../terminal.ts'
import { terminalBar } from './terminal-bar.ts'
import { fitText } from '../render/text.ts'

/** Shows how far a probe is: a bar on a terminal, a line for each run elsewhere. */
type ProbeView = {
  show(event: ProbeEvent): void
  /** Takes the bar away; harmless when called again. */
  stop(): void
}

/** The view that suits the output. */
export const probeView = (output: Output): ProbeView => (output.isTty ? bar(output) : log(output))

const log = ({ write }: Output): ProbeView => ({
  show(event) {
    if (event.kind !== 'ended') return
    const { outcome } = event.run
    const grade = gradeText(outcome)
    write(
      `[${event.done}/${event.total}] ${printableLine(event.card)}: ${grade}, ${outcome.seconds.toFixed(1)} s\n`,
    )
  },
  stop() {},
})

function bar(output: Output): ProbeView {
  const { room, show, stop } = terminalBar(output, '{bar} {value}/{total} {what}', 20)
  return {
    show(event) {
      if (event.kind === 'not-run' || event.total === 0) return
      show(event.done, event.total, { what: fitText(printableLine(event.card), room) })
    },
    stop,
  }
}
