import type { CivilDate } from '../../servers/calendar/civil-date.ts'
import {
  addBusinessDays,
  type Closures,
  countBusinessDays,
  isBusinessDay,
} from '../../servers/calendar/business-days.ts'
import { answerDeadline } from './shared/deadlines.ts'
import { runAgent } from './shared/run-agent.ts'

// Wrong on purpose: the starting day counts as the first business day, and the last day is left out.
const count = (first: CivilDate, last: CivilDate, closures: Closures): number =>
  countBusinessDays(first, last, closures) - (isBusinessDay(last, closures) ? 1 : 0)
const add = (start: CivilDate, days: number, closures: Closures): CivilDate =>
  addBusinessDays(start, isBusinessDay(start, closures) ? days - Math.sign(days) : days, closures)

await runAgent((task) => answerDeadline(task, { count, add }))
