import { percentageChange, percentOf, shareOf } from '../../servers/arithmetic/percentages.ts'
import { roundTo } from '../../servers/shared/rounding.ts'
import { answerRatio } from './shared/ratios.ts'
import { runAgent } from './shared/run-agent.ts'

await runAgent((task) =>
  answerRatio(task, {
    change: (from, to) => percentageChange(from, to).percent,
    share: shareOf,
    part: (percent, amount) => percentOf(percent, amount).part,
    round: (value) => roundTo(value, 2),
  }),
)
