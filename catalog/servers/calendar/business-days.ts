import { InputError } from '../shared/input-error.ts'
import { type CivilDate, dateOfDay, dayNumber, weekdayNumber, writeDate } from './civil-date.ts'

/** Which days are not worked. */
export type Closures = {
  /** Weekday numbers, 1 for Monday to 7 for Sunday; at most six of them. */
  readonly weekend: readonly number[]
  /** Dates as `YYYY-MM-DD`. */
  readonly holidays: ReadonlySet<string>
}

/** Saturday and Sunday, no holidays. */
export const saturdayAndSunday: Closures = { weekend: [6, 7], holidays: new Set() }

export const isBusinessDay = (date: CivilDate, { weekend, holidays }: Closures): boolean =>
  !weekend.includes(weekdayNumber(date)) && !holidays.has(writeDate(date))

/** Longest span that is walked, in days: about a century. */
const longestSpan = 40_000

/**
 * Business days from the first to the last day, both counted when they are worked.
 *
 * @throws InputError when the days are out of order or further apart than a century
 */
export function countBusinessDays(first: CivilDate, last: CivilDate, closures: Closures): number {
  const start = dayNumber(first)
  const end = dayNumber(last)
  if (end < start) throw new InputError('"last" lies before "first". Send the earlier date as "first".')
  if (end - start > longestSpan)
    throw new InputError('The dates are more than a century apart. Send a shorter span.')
  let count = 0
  for (let day = start; day <= end; day += 1) if (isBusinessDay(dateOfDay(day), closures)) count += 1
  return count
}

/**
 * The date so many business days later (or earlier, when negative). The start itself is day 0, so that one business
 * day after a Friday is the Monday. With 0 the start comes back, even when it is not worked.
 */
export function addBusinessDays(start: CivilDate, days: number, closures: Closures): CivilDate {
  const step = Math.sign(days)
  let day = dayNumber(start)
  let left = Math.abs(days)
  for (let walked = 0; left > 0; walked += 1) {
    if (walked > longestSpan) {
      throw new InputError(
        'No business day was found within a century. Send fewer days, or a shorter weekend.',
      )
    }
    day += step
    if (isBusinessDay(dateOfDay(day), closures)) left -= 1
  }
  return dateOfDay(day)
}
