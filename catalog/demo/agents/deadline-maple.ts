import { addBusinessDays, countBusinessDays } from '../../servers/calendar/business-days.ts'
import { answerDeadline } from './shared/deadlines.ts'
import { runAgent } from './shared/run-agent.ts'

await runAgent((task) => answerDeadline(task, { count: countBusinessDays, add: addBusinessDays }))
