import { InputError } from '../shared/input-error.ts'

/** A date of the Gregorian calendar, extended backwards, years 1 to 9999. Months and days count from 1. */
export type CivilDate = { readonly year: number; readonly month: number; readonly day: number }

/** English names, January first. */
export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** English names, Monday first: weekday 1 is Monday, as in ISO 8601. */
export const weekdayNames = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

export const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

export const daysInMonth = (year: number, month: number): number =>
  month === 2 ? (isLeapYear(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

/** Days since 1970-01-01, negative before. @see Howard Hinnant, "chrono-compatible low-level date algorithms" */
export function dayNumber({ year, month, day }: CivilDate): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The inverse of {@link dayNumber}. @throws InputError outside the years 1 to 9999 */
export function dateOfDay(number: number): CivilDate {
  const shifted = number + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch + (monthFromMarch < 10 ? 3 : -9)
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  if (!(year >= 1 && year <= 9999)) {
    throw new InputError(`The result falls in the year ${year}, outside 1 to 9999. Send a smaller step.`)
  }
  return { year, month, day }
}

/** 1 is Monday, 7 is Sunday. */
export const weekdayNumber = (date: CivilDate): number => ((((dayNumber(date) + 3) % 7) + 7) % 7) + 1

/** The weekday in English. */
export const weekdayName = (date: CivilDate): string => weekdayNames[weekdayNumber(date) - 1]!

/** `2026-03-09`. */
export const writeDate = ({ year, month, day }: CivilDate): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** Reads `YYYY-MM-DD`. @throws InputError that names the field */
export function readDate(text: string, field: string): CivilDate {
  const parts = /^\s*(\d{4})-(\d{2})-(\d{2})\s*$/.exec(text)
  if (!parts) {
    throw new InputError(
      `"${field}": "${text}" is no date in the form YYYY-MM-DD. Send for example "2026-03-09"; parse_date reads other forms.`,
    )
  }
  return checkedDate({ year: Number(parts[1]), month: Number(parts[2]), day: Number(parts[3]) }, field)
}

/** The date, if there is such a day. @throws InputError that names the field */
export function checkedDate(date: CivilDate, field: string): CivilDate {
  const { year, month, day } = date
  if (year < 1 || year > 9999)
    throw new InputError(`"${field}": year ${year} is outside 1 to 9999. Send another date.`)
  if (month < 1 || month > 12)
    throw new InputError(`"${field}": there is no month ${month}. Send a month from 1 to 12.`)
  if (day < 1 || day > daysInMonth(year, month)) {
    throw new InputError(
      `"${field}": ${monthNames[month - 1]} ${year} has ${daysInMonth(year, month)} days, not ${day}. Send a day that exists.`,
    )
  }
  return date
}
