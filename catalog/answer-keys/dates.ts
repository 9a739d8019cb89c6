import { dayOf, isoOf, months, nameOf, someDate, weekdayOf } from './days.ts'
import { known, type AnswerKey } from './answer-key.ts'

/** Dates and the time between them. Dates are of days 1 to 28, so that no rule for ends of months is needed. */
export const dateKeys: readonly AnswerKey[] = [
  {
    tool: 'parse_date',
    draw(random) {
      const { year, month, day, number, iso } = someDate(random)
      const name = months[month - 1]!
      const two = (value: number) => String(value).padStart(2, '0')
      const [text, order] = random.pick<readonly [string, string?]>([
        [`${day} ${name} ${year}`],
        [`${name} ${day}, ${year}`],
        [`${name.slice(0, 3)} ${day}, ${year}`],
        [`${two(day)}.${two(month)}.${year}`, 'dayFirst'],
        [`${month}/${day}/${year}`, 'monthFirst'],
        [`${nameOf(number).slice(0, 3)}, ${day} ${name.slice(0, 3)} ${year}`],
      ])
      const given = { text, ...(order === undefined ? {} : { order }) }
      return known(
        `Write the date "${text}"${order === undefined ? '' : ` (${order})`} as YYYY-MM-DD.`,
        given,
        { date: iso, weekday: nameOf(number) },
      )
    },
  },
  {
    tool: 'add_to_date',
    draw(random) {
      const { year, month, day, iso } = someDate(random)
      const parts = {
        years: random.whole(-5, 9),
        months: random.whole(-14, 14),
        weeks: random.whole(-3, 6),
        days: random.whole(-20, 40),
      }
      const sum = dayOf(year + parts.years, month + parts.months, day) + parts.weeks * 7 + parts.days
      const text = `Which date is ${iso} plus ${parts.years} years, ${parts.months} months, ${parts.weeks} weeks and ${parts.days} days?`
      return known(text, { date: iso, ...parts }, { date: isoOf(sum), weekday: nameOf(sum) })
    },
  },
  {
    tool: 'date_difference',
    draw(random) {
      const { year, month, day, number, iso } = someDate(random)
      const [years, monthsBetween, remainingDays] = [
        random.whole(0, 12),
        random.whole(0, 11),
        random.whole(0, 27),
      ]
      const end = dayOf(year + years, month + monthsBetween, day) + remainingDays
      const days = end - number
      const expected = { days, wholeWeeks: Math.floor(days / 7), years, months: monthsBetween, remainingDays }
      return known(
        `How long is it from ${iso} to ${isoOf(end)}, in days, and in years, months and days?`,
        { from: iso, to: isoOf(end) },
        expected,
      )
    },
  },
  {
    tool: 'age_at',
    draw(random) {
      const { year, month, day, number, iso } = someDate(random, 1930, 2010)
      const [years, extraMonths, extraDays] = [random.whole(1, 60), random.whole(0, 11), random.whole(0, 27)]
      const on = dayOf(year + years, month + extraMonths, day) + extraDays
      const birthday = dayOf(year + years + (extraMonths + extraDays === 0 ? 0 : 1), month, day)
      const expected = {
        years,
        totalMonths: years * 12 + extraMonths,
        totalDays: on - number,
        nextBirthday: isoOf(birthday),
        daysToBirthday: birthday - on,
      }
      return known(
        `Someone was born on ${iso}. How old is she on ${isoOf(on)}, and when is the next birthday?`,
        { birthDate: iso, onDate: isoOf(on) },
        expected,
      )
    },
  },
  {
    tool: 'weekday_of',
    draw(random) {
      const { year, month, number, iso } = someDate(random, 1900, 2100)
      const expected = {
        weekday: nameOf(number),
        weekdayNumber: weekdayOf(number) + 1,
        dayOfYear: number - dayOf(year, 1, 1) + 1,
        quarter: Math.ceil(month / 3),
      }
      return known(`Which weekday and which day of the year is ${iso}?`, { date: iso }, expected)
    },
  },
  {
    tool: 'leap_year',
    draw(random) {
      const year = random.whole(1600, 2400)
      const daysInYear = dayOf(year + 1, 1, 1) - dayOf(year, 1, 1)
      const expected = {
        isLeapYear: daysInYear === 366,
        daysInFebruary: dayOf(year, 3, 1) - dayOf(year, 2, 1),
        daysInYear,
      }
      return known(`Is ${year} a leap year, and how many days has its February?`, { year }, expected)
    },
  },
  {
    tool: 'recurring_dates',
    draw(random) {
      const { year, month, day, number, iso } = someDate(random)
      const [every, count] = [random.whole(1, 6), random.whole(2, 8)]
      const [unit, at] = random.pick<readonly [string, (step: number) => number]>([
        ['days', (step) => number + step],
        ['weeks', (step) => number + 7 * step],
        ['months', (step) => dayOf(year, month + step, day)],
        ['years', (step) => dayOf(year + step, month, day)],
      ])
      const dates = Array.from({ length: count }, (_, index) => isoOf(at(index * every)))
      return known(
        `List ${count} dates from ${iso} on, every ${every} ${unit}.`,
        { start: iso, every, unit, count },
        { '$.dates[*].date': dates },
      )
    },
  },
]
