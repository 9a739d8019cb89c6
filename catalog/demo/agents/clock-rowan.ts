import { instantOf, timeInZone } from '../../servers/calendar/time-zones.ts'
import { answerClock } from './shared/clocks.ts'
import { runAgent } from './shared/run-agent.ts'

// Wrong on purpose: the difference between the two zones is taken with the wrong sign.
await runAgent((task) =>
  answerClock(task, (local, from, to) => {
    const { epochSecond } = instantOf(local, from)
    const ahead = timeInZone(epochSecond, to).offsetMinutes - timeInZone(epochSecond, from).offsetMinutes
    return timeInZone(epochSecond - ahead * 60, from).local
  }),
)
