import * as z from 'zod'
import { defineTool } from '../shared/tool.ts'
import { addBusinessDays, type Closures, countBusinessDays } from './business-days.ts'
import {
  type CivilDate,
  dateOfDay,
  dayNumber,
  monthNames,
  readDate,
  weekdayName,
  type weekdayNames,
  writeDate,
} from './civil-date.ts'
import { orthodoxEaster, westernEaster } from './easter.ts'
import { closureFields, dateField, monthField, numberOfWeekday, weekdayField, yearField } from './fields.ts'
import { isoWeekOf, mondayOfIsoWeek, monthGrid, nextWeekday, nthWeekday } from './weeks.ts'

const dated = z.object({ date: z.string(), weekday: z.string() })
const asDated = (date: CivilDate) => ({ date: writeDate(date), weekday: weekdayName(date) })

function closuresOf(given: {
  readonly holidays: readonly string[]
  readonly weekend: readonly (typeof weekdayNames)[number][]
}): Closures {
  return {
    weekend: given.weekend.map(numberOfWeekday),
    holidays: new Set(given.holidays.map((day, index) => writeDate(readDate(day, `holidays.${index}`)))),
  }
}

/** Weeks, business days, months and feasts. */
export const weekTools = [
  defineTool({
    name: 'count_business_days',
    title: 'Count business days',
    description:
      'Count the working days from one date to another, both days included, leaving out weekends and the holidays you ' +
      'give. Use it for leave requests, delivery times and project plans. It knows no public holidays of its own.',
    input: z.strictObject({
      first: dateField('First day.'),
      last: dateField('Last day, not before the first.'),
      ...closureFields,
    }),
    output: z.object({ businessDays: z.int(), calendarDays: z.int() }),
    example: { first: '2026-03-09', last: '2026-03-20', holidays: ['2026-03-17'] },
    handle({ first, last, ...closures }) {
      const [start, end] = [readDate(first, 'first'), readDate(last, 'last')]
      const businessDays = countBusinessDays(start, end, closuresOf(closures))
      const result = { businessDays, calendarDays: dayNumber(end) - dayNumber(start) + 1 }
      return { result, text: `${businessDays} business days from ${first} to ${last}, both included` }
    },
  }),
  defineTool({
    name: 'add_business_days',
    title: 'Add business days',
    description:
      'Find the date so many working days after a date, or before it with a negative number. The start is day 0: one ' +
      'business day after a Friday is Monday. Use it for payment terms and delivery promises.',
    input: z.strictObject({
      date: dateField('Starting date.'),
      days: z.int().min(-20_000).max(20_000).describe('Business days to add.'),
      ...closureFields,
    }),
    output: dated,
    example: { date: '2026-03-13', days: 5 },
    handle({ date, days, ...closures }) {
      const result = asDated(addBusinessDays(readDate(date, 'date'), days, closuresOf(closures)))
      return { result, text: `${result.date}, a ${result.weekday}` }
    },
  }),
  defineTool({
    name: 'iso_week',
    title: 'Week number of a date',
    description:
      'Tell the ISO 8601 calendar week a date falls in. Around New Year the week may belong to another year.',
    input: z.strictObject({ date: dateField('The date.') }),
    output: z.object({ year: z.int(), week: z.int(), weekday: z.int(), written: z.string() }),
    example: { date: '2027-01-01' },
    handle({ date }) {
      const week = isoWeekOf(readDate(date, 'date'))
      const written = `${String(week.year).padStart(4, '0')}-W${String(week.week).padStart(2, '0')}`
      return { result: { ...week, written }, text: `${date} lies in week ${week.week} of ${week.year}` }
    },
  }),
  defineTool({
    name: 'dates_of_week',
    title: 'Dates of a calendar week',
    description: 'Give the Monday to Sunday dates of an ISO calendar week.',
    input: z.strictObject({ year: yearField, week: z.int().min(1).max(53).describe('Week, 1 to 53.') }),
    output: z.object({ monday: z.string(), sunday: z.string(), dates: z.array(z.string()) }),
    example: { year: 2026, week: 11 },
    handle({ year, week }) {
      const monday = mondayOfIsoWeek(year, week)
      const dates = Array.from({ length: 7 }, (_, index) => writeDate(dateOfDay(dayNumber(monday) + index)))
      const result = { monday: dates[0]!, sunday: dates[6]!, dates }
      return { result, text: `Week ${week} of ${year}: ${result.monday} to ${result.sunday}` }
    },
  }),
  defineTool({
    name: 'next_weekday',
    title: 'Next occurrence of a weekday',
    description: 'Find the next Friday (or any weekday) after a date, or on it if you allow the same day.',
    input: z.strictObject({
      date: dateField('The date to look from.'),
      weekday: weekdayField,
      from: z
        .enum(['nextDay', 'sameDay'])
        .default('nextDay')
        .describe('Whether the date itself may be the answer.'),
    }),
    output: z.object({ date: z.string(), daysAhead: z.int() }),
    example: { date: '2026-03-09', weekday: 'Friday' },
    handle({ date, weekday, from }) {
      const start = readDate(date, 'date')
      const found = nextWeekday(start, numberOfWeekday(weekday), from)
      const result = { date: writeDate(found), daysAhead: dayNumber(found) - dayNumber(start) }
      return { result, text: `${weekday} ${result.date}, ${result.daysAhead} days ahead` }
    },
  }),
  defineTool({
    name: 'nth_weekday_of_month',
    title: 'Nth weekday of a month',
    description: 'Find dates such as the third Thursday of November or the last Monday of May.',
    input: z.strictObject({
      year: yearField,
      month: monthField,
      weekday: weekdayField,
      nth: z
        .int()
        .min(-1)
        .max(5)
        .refine((value) => value !== 0, 'send 1 to 5, or -1 for the last')
        .describe('1 to 5, or -1 for the last.'),
    }),
    output: z.object({ date: z.string() }),
    example: { year: 2026, month: 11, weekday: 'Thursday', nth: 4 },
    handle({ year, month, weekday, nth }) {
      const date = writeDate(nthWeekday(year, month, numberOfWeekday(weekday), nth))
      return { result: { date }, text: `${weekday}, ${date}` }
    },
  }),
  defineTool({
    name: 'month_calendar',
    title: 'Month calendar',
    description: 'Draw the calendar of a month with its weeks, Monday first. Use it to show or plan a month.',
    input: z.strictObject({ year: yearField, month: monthField }),
    output: z.object({
      weeks: z.array(z.array(z.int().nullable())).describe('Seven days a week; null outside the month.'),
      firstWeekday: z.string(),
      days: z.int(),
    }),
    example: { year: 2026, month: 2 },
    handle({ year, month }) {
      const weeks = monthGrid(year, month).map((week) => [...week])
      const days = Math.max(...weeks.flat().map((day) => day ?? 0))
      const lines = weeks.map((week) => week.map((day) => String(day ?? '').padStart(2)).join(' '))
      return {
        result: { weeks, firstWeekday: weekdayName({ year, month, day: 1 }), days },
        text: [`${monthNames[month - 1]} ${year}`, 'Mo Tu We Th Fr Sa Su', ...lines].join('\n'),
      }
    },
  }),
  defineTool({
    name: 'easter_date',
    title: 'Date of Easter',
    description:
      'Give Easter Sunday of a year, with Good Friday, Easter Monday, Ascension and Pentecost, by the western or the ' +
      'orthodox calendar.',
    input: z.strictObject({
      year: z.int().min(1583).max(9998).describe('Year, 1583 to 9998.'),
      tradition: z.enum(['western', 'orthodox']).default('western'),
    }),
    output: z.object({
      easterSunday: z.string(),
      goodFriday: z.string(),
      easterMonday: z.string(),
      ascension: z.string(),
      pentecost: z.string(),
    }),
    example: { year: 2026 },
    handle({ year, tradition }) {
      const easter = dayNumber(tradition === 'western' ? westernEaster(year) : orthodoxEaster(year))
      const at = (days: number) => writeDate(dateOfDay(easter + days))
      const result = {
        easterSunday: at(0),
        goodFriday: at(-2),
        easterMonday: at(1),
        ascension: at(39),
        pentecost: at(49),
      }
      return { result, text: `Easter Sunday ${year} (${tradition}): ${result.easterSunday}` }
    },
  }),
]
