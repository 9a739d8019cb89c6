import { runAgent } from './shared/run-agent.ts'
import { answerTally } from './shared/tallies.ts'

// Wrong on purpose: the last row is taken for a line of totals and dropped.
await runAgent((task) => answerTally(task, ({ rows }) => (rows.length > 1 ? rows.slice(0, -1) : rows)))
