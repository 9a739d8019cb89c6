import { type CivilDate, weekdayName, writeDate } from '../../../servers/calendar/civil-date.ts'
import type { Closures } from '../../../servers/calendar/business-days.ts'
import { InputError } from '../../../servers/shared/input-error.ts'
import { findAmounts } from './find-amounts.ts'
import { type FoundDate, findDates, withoutDates } from './find-dates.ts'

/** How an agent counts. */
export type DeadlineArithmetic = {
  /** Business days from first to last, both included. */
  count(first: CivilDate, last: CivilDate, closures: Closures): number
  /** The date so many business days after the start, or before it when negative. */
  add(start: CivilDate, days: number, closures: Closures): CivilDate
}

const holidayWords =
  /\b(?:holidays?|except(?:ing)?|excluding|without|not counting|closed|day off|days off)\b/i
const backwards = /\b(?:before|prior to|earlier|preceding|back from|ahead of)\b/i

/** Answers questions on business days: how many lie between two dates, or which date is so many away. */
export function answerDeadline(task: string, arithmetic: DeadlineArithmetic): string {
  const { dates, closures } = datesAndHolidays(task)
  const [first, second] = dates
  if (first === undefined) {
    throw new InputError('I found no full date. Write one or two dates such as 2026-03-09 or 9 March 2026.')
  }
  if (second !== undefined) {
    const [start, end] =
      writeDate(first.date) <= writeDate(second.date) ? [first.date, second.date] : [second.date, first.date]
    const days = arithmetic.count(start, end, closures)
    return `There are ${days} business days from ${named(start)} to ${named(end)}, both days included.`
  }
  const days = findAmounts(withoutDates(task)).find(
    ({ value }) => Number.isInteger(value) && value >= 0,
  )?.value
  if (days === undefined || days > 5000) {
    throw new InputError(
      'Write a second date, or how many business days to add (at most 5000), such as "10 business days".',
    )
  }
  const isBefore = backwards.test(task)
  const date = arithmetic.add(first.date, isBefore ? -days : days, closures)
  return `${days} business days ${isBefore ? 'before' : 'after'} ${named(first.date)} is ${named(date)}.`
}

/** Dates after words such as "holiday" or "except" are days off, if a date comes before those words. */
function datesAndHolidays(task: string): {
  readonly dates: readonly FoundDate[]
  readonly closures: Closures
} {
  const found = findDates(task)
  const firstEnd = found[0]?.end ?? task.length
  const words = holidayWords.exec(task.slice(firstEnd))
  const from = words ? firstEnd + words.index : task.length
  const holidays = found.filter(({ start }) => start >= from).map(({ date }) => writeDate(date))
  return {
    dates: found.filter(({ start }) => start < from),
    closures: { weekend: [6, 7], holidays: new Set(holidays) },
  }
}

const named = (date: CivilDate): string => `${weekdayName(date)} ${writeDate(date)}`
