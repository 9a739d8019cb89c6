import type { TaskEstimate } from '../../tasks/desk.ts'
import type { Context } from '../context.ts'
import { estimateLine } from '../render/tasks-lines.ts'
import { askYesNo } from './ask.ts'

/** Says what a language model would be asked, and asks the person. Where nobody can answer, only --yes agrees. */
export const agreeToAsk =
  (isAgreed: boolean, { terminal, signal, log }: Context) =>
  async (estimate: TaskEstimate): Promise<boolean> => {
    log(estimateLine(estimate))
    return isAgreed || (await askYesNo('Ask it?', terminal, signal)) === true
  }
