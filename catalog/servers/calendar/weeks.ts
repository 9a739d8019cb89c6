import { InputError } from '../shared/input-error.ts'
import {
  type CivilDate,
  dateOfDay,
  dayNumber,
  daysInMonth,
  monthNames,
  weekdayNames,
  weekdayNumber,
} from './civil-date.ts'

/** A week as ISO 8601 counts: weeks begin on Monday, week 1 holds the year's first Thursday. */
export type IsoWeek = { readonly year: number; readonly week: number; readonly weekday: number }

export function isoWeekOf(date: CivilDate): IsoWeek {
  const weekday = weekdayNumber(date)
  const thursday = dateOfDay(dayNumber(date) + 4 - weekday)
  const week =
    Math.floor((dayNumber(thursday) - dayNumber({ year: thursday.year, month: 1, day: 1 })) / 7) + 1
  return { year: thursday.year, week, weekday }
}

/** Monday of an ISO week. @throws InputError when the year has no such week */
export function mondayOfIsoWeek(year: number, week: number): CivilDate {
  const fourth: CivilDate = { year, month: 1, day: 4 }
  const monday = dateOfDay(dayNumber(fourth) - weekdayNumber(fourth) + 1 + (week - 1) * 7)
  if (isoWeekOf(monday).year !== year) {
    throw new InputError(`${year} has 52 weeks, so there is no week ${week}. Send a week from 1 to 52.`)
  }
  return monday
}

/**
 * The next date that falls on a weekday.
 *
 * @param from - `sameDay` lets the start itself count, `nextDay` begins after it
 */
export function nextWeekday(start: CivilDate, weekday: number, from: 'sameDay' | 'nextDay'): CivilDate {
  const ahead = (weekday - weekdayNumber(start) + 7) % 7
  return dateOfDay(dayNumber(start) + (ahead === 0 && from === 'nextDay' ? 7 : ahead))
}

/**
 * The so-manieth weekday of a month, such as its third Thursday.
 *
 * @param nth - 1..5, or -1 for the last
 * @throws InputError when the month has no fifth one
 */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): CivilDate {
  if (nth === -1) {
    const last = { year, month, day: daysInMonth(year, month) }
    return { ...last, day: last.day - ((weekdayNumber(last) - weekday + 7) % 7) }
  }
  const day = 1 + ((weekday - weekdayNumber({ year, month, day: 1 }) + 7) % 7) + (nth - 1) * 7
  if (day > daysInMonth(year, month)) {
    throw new InputError(
      `${monthNames[month - 1]} ${year} has only four ${weekdayNames[weekday - 1]}s. Send "nth" 1 to 4, or -1 for the last.`,
    )
  }
  return { year, month, day }
}

/** Weeks of a month, Monday first, with null for days of other months. */
export function monthGrid(year: number, month: number): readonly (readonly (number | null)[])[] {
  const lead = weekdayNumber({ year, month, day: 1 }) - 1
  const cells = Array.from({ length: Math.ceil((lead + daysInMonth(year, month)) / 7) * 7 }, (_, index) => {
    const day = index - lead + 1
    return day >= 1 && day <= daysInMonth(year, month) ? day : null
  })
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}
