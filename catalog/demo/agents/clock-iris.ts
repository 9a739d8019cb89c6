import { instantOf, timeInZone } from '../../servers/calendar/time-zones.ts'
import { answerClock } from './shared/clocks.ts'
import { runAgent } from './shared/run-agent.ts'

await runAgent((task) =>
  answerClock(task, (local, from, to) => timeInZone(instantOf(local, from).epochSecond, to).local),
)
