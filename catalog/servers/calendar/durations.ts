import { type CivilDate, dateOfDay, dayNumber, daysInMonth } from './civil-date.ts'

/** A duration; parts may be negative. */
export type Duration = {
  readonly years?: number
  readonly months?: number
  readonly weeks?: number
  readonly days?: number
}

/**
 * Adds years and months first, then weeks and days. A day that the month lacks becomes its last: 31 January plus
 * one month is 28 or 29 February.
 */
export function addDuration(
  date: CivilDate,
  { years = 0, months = 0, weeks = 0, days = 0 }: Duration,
): CivilDate {
  const monthsSinceZero = (date.year + years) * 12 + (date.month - 1) + months
  const year = Math.floor(monthsSinceZero / 12)
  const month = monthsSinceZero - year * 12 + 1
  const day = Math.min(date.day, daysInMonth(year, month))
  return dateOfDay(dayNumber({ year, month, day }) + weeks * 7 + days)
}

/** Time between two dates, told in several ways. Signs follow `to - from`. */
export type Difference = {
  readonly days: number
  readonly wholeWeeks: number
  readonly years: number
  readonly months: number
  readonly remainingDays: number
}

/** Whole years, then whole months, then days, as people count them. */
export function differenceBetween(from: CivilDate, to: CivilDate): Difference {
  const days = dayNumber(to) - dayNumber(from)
  const [early, late, sign] = days < 0 ? [to, from, -1] : [from, to, 1]
  let wholeMonths = (late.year - early.year) * 12 + late.month - early.month
  if (dayNumber(addDuration(early, { months: wholeMonths })) > dayNumber(late)) wholeMonths -= 1
  const rest = dayNumber(late) - dayNumber(addDuration(early, { months: wholeMonths }))
  return {
    days,
    wholeWeeks: sign * Math.floor(Math.abs(days) / 7) + 0,
    years: sign * Math.floor(wholeMonths / 12) + 0,
    months: sign * (wholeMonths % 12) + 0,
    remainingDays: sign * rest + 0,
  }
}
