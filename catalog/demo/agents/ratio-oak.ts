import { percentageChange, percentOf, shareOf } from '../../servers/arithmetic/percentages.ts'
import { answerRatio } from './shared/ratios.ts'
import { runAgent } from './shared/run-agent.ts'

// Wrong on purpose: changes are measured against the new amount, and every answer is cut off at a whole number.
await runAgent((task) =>
  answerRatio(task, {
    change: (from, to) => -percentageChange(to, from).percent,
    share: shareOf,
    part: (percent, amount) => percentOf(percent, amount).part,
    round: Math.trunc,
  }),
)
