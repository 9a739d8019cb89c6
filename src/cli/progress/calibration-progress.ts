import type { JudgedAnswer } from '../../probing/judges/calibrate-judge.ts'
import type { Output } from '../terminal.ts'
import { terminalBar } from './terminal-bar.ts'
import { fitText } from '../render/text.ts'

/** Shows how far a calibration is: a bar on a terminal, a line for each answer elsewhere. */
type CalibrationView = {
  show(judged: JudgedAnswer): void
  /** Takes the bar away; harmless when called again. */
  stop(): void
}

/** The view that suits the output. @param total - answers to judge */
export function calibrationView(output: Output, total: number): CalibrationView {
  let done = 0
  if (!output.isTty) {
    return {
      show(judged) {
        done += 1
        output.write(`[${done}/${total}] ${said(judged)}\n`)
      },
      stop() {},
    }
  }
  const { room, show, stop } = terminalBar(output, '{bar} {value}/{total} {what}', 20)
  return {
    show(judged) {
      done += 1
      show(done, total, { what: fitText(said(judged), room) })
    },
    stop,
  }
}

const said = ({ labelled: { line, grade }, verdict }: JudgedAnswer): string =>
  `line ${line}: label ${grade}, ${verdict !== null && 'grade' in verdict ? `graded ${verdict.grade}` : 'not graded'}`
