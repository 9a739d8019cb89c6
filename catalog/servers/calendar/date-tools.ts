import * as z from 'zod'
import { defineTool } from '../shared/tool.ts'
import { ageAt } from './age.ts'
import { daysInMonth, isLeapYear, readDate, weekdayName, weekdayNumber, writeDate } from './civil-date.ts'
import { addDuration, differenceBetween } from './durations.ts'
import { dateField, yearField } from './fields.ts'
import { parseDate } from './parse-date.ts'
import { datesOf } from './recurrences.ts'

const step = (describes: string) => z.int().min(-1_000_000).max(1_000_000).default(0).describe(describes)

/** Dates and the time between them. */
export const dateTools = [
  defineTool({
    name: 'parse_date',
    title: 'Parse a date',
    description:
      'Turn one date as people write it ("9 March 2026", "Mar 9th, 2026", "09.03.2026") into YYYY-MM-DD. ' +
      'Reads no relative dates such as "tomorrow".',
    input: z.strictObject({
      text: z.string().max(100).describe('A single date.'),
      order: z
        .enum(['dayFirst', 'monthFirst'])
        .optional()
        .describe('How to read 03/04/2026. Needed only when unclear.'),
    }),
    output: z.object({ date: z.string(), weekday: z.string() }),
    example: { text: '03/04/2026', order: 'dayFirst' },
    handle({ text, order }) {
      const date = parseDate(text, order)
      const result = { date: writeDate(date), weekday: weekdayName(date) }
      return { result, text: `${result.date}, a ${result.weekday}` }
    },
  }),
  defineTool({
    name: 'add_to_date',
    title: 'Add a duration to a date',
    description:
      'Find the date some years, months, weeks and days after a date, or before it with negative numbers: ' +
      'deadlines, notice periods, due dates. Counts calendar days; add_business_days leaves weekends out.',
    input: z.strictObject({
      date: dateField('Starting date.'),
      years: step('Years to add.'),
      months: step('Months to add. 31 January plus one month is the end of February.'),
      weeks: step('Weeks to add.'),
      days: step('Days to add.'),
    }),
    output: z.object({ date: z.string(), weekday: z.string() }),
    example: { date: '2026-01-31', months: 1 },
    handle({ date, ...duration }) {
      const sum = addDuration(readDate(date, 'date'), duration)
      const result = { date: writeDate(sum), weekday: weekdayName(sum) }
      return { result, text: `${result.date}, a ${result.weekday}` }
    },
  }),
  defineTool({
    name: 'date_difference',
    title: 'Difference between dates',
    description:
      'Count the days between two dates, also as weeks and as years, months and days. The first day is not counted: ' +
      'from Monday to Tuesday is 1. Use it for "how long until" and "how long since".',
    input: z.strictObject({ from: dateField('One date.'), to: dateField('The other; may lie earlier.') }),
    output: z.object({
      days: z.int(),
      wholeWeeks: z.int(),
      years: z.int(),
      months: z.int(),
      remainingDays: z.int(),
    }),
    example: { from: '2026-01-15', to: '2026-03-20' },
    handle({ from, to }) {
      const result = differenceBetween(readDate(from, 'from'), readDate(to, 'to'))
      const { days, years, months, remainingDays } = result
      return { result, text: `${days} days (${years} years, ${months} months, ${remainingDays} days)` }
    },
  }),
  defineTool({
    name: 'age_at',
    title: 'Age on a date',
    description:
      'Tell how old someone or something is on a given date, and when the next birthday or anniversary comes.',
    input: z.strictObject({
      birthDate: dateField('Date of birth.'),
      onDate: dateField('The day that is asked about.'),
    }),
    output: z.object({
      years: z.int(),
      totalMonths: z.int(),
      totalDays: z.int(),
      nextBirthday: z.string(),
      daysToBirthday: z.int(),
    }),
    example: { birthDate: '1990-06-15', onDate: '2026-06-14' },
    handle({ birthDate, onDate }) {
      const age = ageAt(readDate(birthDate, 'birthDate'), readDate(onDate, 'onDate'))
      const result = { ...age, nextBirthday: writeDate(age.nextBirthday) }
      return { result, text: `${age.years} years old; next birthday ${result.nextBirthday}` }
    },
  }),
  defineTool({
    name: 'weekday_of',
    title: 'Weekday of a date',
    description: 'Tell which day of the week a date is, and which day of the year.',
    input: z.strictObject({ date: dateField('The date.') }),
    output: z.object({
      weekday: z.string(),
      weekdayNumber: z.int().describe('1 is Monday.'),
      dayOfYear: z.int(),
      quarter: z.int(),
    }),
    example: { date: '2026-03-09' },
    handle({ date }) {
      const read = readDate(date, 'date')
      const dayOfYear = differenceBetween({ year: read.year, month: 1, day: 1 }, read).days + 1
      const result = {
        weekday: weekdayName(read),
        weekdayNumber: weekdayNumber(read),
        dayOfYear,
        quarter: Math.ceil(read.month / 3),
      }
      return { result, text: `${date} is a ${result.weekday}, day ${dayOfYear} of the year` }
    },
  }),
  defineTool({
    name: 'leap_year',
    title: 'Leap year',
    description: 'Tell whether a year is a leap year and how many days its February and the year have.',
    input: z.strictObject({ year: yearField }),
    output: z.object({ isLeapYear: z.boolean(), daysInFebruary: z.int(), daysInYear: z.int() }),
    example: { year: 2028 },
    handle({ year }) {
      const leap = isLeapYear(year)
      const result = { isLeapYear: leap, daysInFebruary: daysInMonth(year, 2), daysInYear: leap ? 366 : 365 }
      return { result, text: `${year} is ${leap ? 'a' : 'no'} leap year` }
    },
  }),
  defineTool({
    name: 'recurring_dates',
    title: 'Recurring dates',
    description:
      'List the dates of something that repeats every so many days, weeks, months or years: rent, medication, ' +
      'fortnightly meetings, instalments.',
    input: z.strictObject({
      start: dateField('First date.'),
      every: z.int().min(1).max(1000).describe('How many units lie between two dates.'),
      unit: z.enum(['days', 'weeks', 'months', 'years']),
      count: z.int().min(1).max(366).describe('How many dates to list.'),
    }),
    output: z.object({ dates: z.array(z.object({ date: z.string(), weekday: z.string() })) }),
    example: { start: '2026-01-31', every: 1, unit: 'months', count: 3 },
    handle({ start, every, unit, count }) {
      const dates = datesOf(readDate(start, 'start'), { every, unit }, count).map((date) => ({
        date: writeDate(date),
        weekday: weekdayName(date),
      }))
      return { result: { dates }, text: dates.map(({ date, weekday }) => `${date} (${weekday})`).join('\n') }
    },
  }),
]
