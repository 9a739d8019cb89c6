import { InputError } from '../shared/input-error.ts'
import { type CivilDate, checkedDate, monthNames, weekdayName, weekdayNames } from './civil-date.ts'

/** How `03/04/2026` is meant: the third of April, or March the fourth. */
export type DateOrder = 'dayFirst' | 'monthFirst'

const month = `(${monthNames.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')}|Sept)\\.?`
const weekday = `(?:(${weekdayNames.map((name) => `${name.slice(0, 3)}(?:[a-z]*day)?`).join('|')})\\.?,?\\s+)?`
const day = '(\\d{1,2})(?:st|nd|rd|th)?'
const isoForm = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\d{2}:\d{2}.*)?$/
const compactForm = /^(\d{4})(\d{2})(\d{2})$/
const numberForm = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/
const dayNameForm = new RegExp(
  `^${weekday}(?:the\\s+)?${day}\\s*(?:of\\s+)?[-\\s]?${month},?[-\\s]+(\\d{4})$`,
  'i',
)
const nameDayForm = new RegExp(`^${weekday}${month}\\s+(?:the\\s+)?${day},?\\s+(\\d{4})$`, 'i')

/**
 * Reads a date as people write it: `2026-03-09`, `9 March 2026`, `March 9th, 2026`, `Mon, 9 Mar 2026`, `20260309`,
 * and `09.03.2026` or `3/9/2026` when the order is given or the numbers leave no choice.
 *
 * @throws InputError for anything else, for days that do not exist, and for a weekday that is not that date's
 */
export function parseDate(text: string, order?: DateOrder): CivilDate {
  const written = text.trim().replace(/\s+/g, ' ')
  const iso = isoForm.exec(written) ?? compactForm.exec(written)
  if (iso) return dateFrom(iso[1]!, iso[2]!, iso[3]!)
  const numbers = numberForm.exec(written)
  if (numbers)
    return dateFromNumbers(Number(numbers[1]), Number(numbers[3]), Number(numbers[4]), written, order)
  const named = dayNameForm.exec(written)
  if (named) return ofWeekday(dateFrom(named[4]!, monthOf(named[3]!), named[2]!), named[1])
  const american = nameDayForm.exec(written)
  if (american) return ofWeekday(dateFrom(american[4]!, monthOf(american[2]!), american[3]!), american[1])
  throw new InputError(
    `"text": "${text}" was not understood. Send one date with day, month and year, such as "2026-03-09" or "9 March 2026".`,
  )
}

function dateFromNumbers(
  first: number,
  second: number,
  year: number,
  text: string,
  order?: DateOrder,
): CivilDate {
  const meant =
    order ?? (first > 12 ? 'dayFirst' : second > 12 ? 'monthFirst' : first === second ? 'dayFirst' : null)
  if (meant === null) {
    throw new InputError(
      `"text": "${text}" may be ${first} ${monthNames[second - 1]} or ${second} ${monthNames[first - 1]}. ` +
        'Send "order": "dayFirst" or "monthFirst".',
    )
  }
  const [dayOfMonth, monthOfYear] = meant === 'dayFirst' ? [first, second] : [second, first]
  return checkedDate({ year, month: monthOfYear, day: dayOfMonth }, 'text')
}

function ofWeekday(date: CivilDate, name: string | undefined): CivilDate {
  if (name !== undefined && !weekdayName(date).toLowerCase().startsWith(name.slice(0, 3).toLowerCase())) {
    throw new InputError(
      `"text": that day is a ${weekdayName(date)}, not a ${name}. Send the date without its weekday.`,
    )
  }
  return date
}

const monthOf = (name: string): string =>
  String(
    monthNames.findIndex((full) => full.slice(0, 3).toLowerCase() === name.slice(0, 3).toLowerCase()) + 1,
  )

const dateFrom = (year: string, monthOfYear: string, dayOfMonth: string): CivilDate =>
  checkedDate({ year: Number(year), month: Number(monthOfYear), day: Number(dayOfMonth) }, 'text')
