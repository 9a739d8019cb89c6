import type { ProbeLiftProgress } from '../evaluation/probe-lift/measure-probe-lift.ts'
import { type EvaluationView, evaluationView } from './evaluation-progress.ts'
import type { Output } from './terminal.ts'

const words = {
  servers: 'servers started',
  probes: 'probes',
  searches: 'rounds of searches',
} as const

/** Shows how far the measurement is, step by step as an evaluation shows its queries. */
export function probeLiftView(output: Output): {
  show(progress: ProbeLiftProgress): void
  /** Takes the bar away; harmless when called again. */
  stop(): void
} {
  let step: ProbeLiftProgress['step'] | undefined
  let view: EvaluationView | undefined
  return {
    show({ step: now, done, total }) {
      if (now !== step) {
        view?.stop()
        view = evaluationView(output)
        step = now
      }
      view?.show({ part: words[now], done, total, secondsLeft: null })
    },
    stop() {
      view?.stop()
    },
  }
}
