import { runAgent } from './shared/run-agent.ts'
import { answerTally } from './shared/tallies.ts'

await runAgent((task) => answerTally(task, ({ rows }) => rows))
