import { dateTools } from './calendar/date-tools.ts'
import { timeTools } from './calendar/time-tools.ts'
import { weekTools } from './calendar/week-tools.ts'
import { serveTools } from './shared/serve-tools.ts'

serveTools({
  name: 'audition-calendar',
  title: 'Calendar and time zones',
  instructions:
    'Dates, business days, weeks, time zones and timestamps. Dates are YYYY-MM-DD, and today is an argument like any other.',
  tools: [...dateTools, ...weekTools, ...timeTools],
})
