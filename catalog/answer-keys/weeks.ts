import { dayOf, isoOf, months, nameOf, someDate, weekdayOf, weekdays } from './days.ts'
import { known, type AnswerKey } from './answer-key.ts'

/** Easter Sundays as published in almanacs. */
const westernEaster = [
  '2010-04-04',
  '2011-04-24',
  '2012-04-08',
  '2013-03-31',
  '2014-04-20',
  '2015-04-05',
  '2016-03-27',
  '2017-04-16',
  '2018-04-01',
  '2019-04-21',
  '2020-04-12',
  '2021-04-04',
  '2022-04-17',
  '2023-04-09',
  '2024-03-31',
  '2025-04-20',
  '2026-04-05',
  '2027-03-28',
  '2028-04-16',
  '2029-04-01',
  '2030-04-21',
]
const orthodoxEaster = [
  '2016-05-01',
  '2017-04-16',
  '2018-04-08',
  '2019-04-28',
  '2020-04-19',
  '2021-05-02',
  '2022-04-24',
  '2023-04-16',
  '2024-05-05',
  '2025-04-20',
  '2026-04-12',
  '2027-05-02',
  '2028-04-16',
]

const dayOfIso = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 86_400_000
const isWorked = (day: number, holidays: readonly string[]): boolean =>
  weekdayOf(day) < 5 && !holidays.includes(isoOf(day))
const span = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
const except = (holidays: readonly string[]): string =>
  holidays.length === 0 ? '' : `, with holidays on ${holidays.join(', ')}`

/** Weeks, business days, months and feasts. */
export const weekKeys: readonly AnswerKey[] = [
  {
    tool: 'count_business_days',
    draw(random) {
      const { number, iso: first } = someDate(random)
      const end = number + random.whole(3, 60)
      const holidays = random.some(span(number, end), random.whole(0, 2)).map(isoOf)
      const businessDays = span(number, end).filter((day) => isWorked(day, holidays)).length
      const text = `How many working days are there from ${first} to ${isoOf(end)}, both included${except(holidays)}?`
      return known(
        text,
        { first, last: isoOf(end), holidays },
        { businessDays, calendarDays: end - number + 1 },
      )
    },
  },
  {
    tool: 'add_business_days',
    draw(random) {
      const { number, iso: date } = someDate(random)
      const days = random.pick([1, -1]) * random.whole(1, 30)
      const holidays = random.some(span(number - 30, number + 30), random.whole(0, 2)).map(isoOf)
      let [day, left] = [number, Math.abs(days)]
      while (left > 0) {
        day += Math.sign(days)
        if (isWorked(day, holidays)) left -= 1
      }
      const text = `Which date is ${Math.abs(days)} working days ${days > 0 ? 'after' : 'before'} ${date}${except(holidays)}?`
      return known(text, { date, days, holidays }, { date: isoOf(day), weekday: nameOf(day) })
    },
  },
  {
    tool: 'iso_week',
    draw(random) {
      const { number, iso } = someDate(random)
      const thursday = number - weekdayOf(number) + 3 // the year and week of a date are those of its Thursday
      const year = new Date(thursday * 86_400_000).getUTCFullYear()
      const week = span(dayOf(year, 1, 1), thursday).filter((day) => weekdayOf(day) === 3).length
      return known(
        `Which ISO calendar week does ${iso} fall in?`,
        { date: iso },
        { year, week, weekday: weekdayOf(number) + 1 },
      )
    },
  },
  {
    tool: 'dates_of_week',
    draw(random) {
      const [year, week] = [random.whole(1990, 2040), random.whole(1, 52)]
      const firstThursday = span(dayOf(year, 1, 1), dayOf(year, 1, 7)).find((day) => weekdayOf(day) === 3)!
      const monday = firstThursday - 3 + (week - 1) * 7
      const dates = span(monday, monday + 6).map(isoOf)
      return known(
        `Which dates has ISO week ${week} of ${year}?`,
        { year, week },
        { monday: dates[0]!, sunday: dates[6]!, dates },
      )
    },
  },
  {
    tool: 'next_weekday',
    draw(random) {
      const { number, iso } = someDate(random)
      const [weekday, from] = [random.pick(weekdays), random.pick(['nextDay', 'sameDay'] as const)]
      let day = from === 'sameDay' ? number : number + 1
      while (nameOf(day) !== weekday) day += 1
      const text = `Which date is the next ${weekday} ${from === 'sameDay' ? 'on or after' : 'after'} ${iso}?`
      return known(text, { date: iso, weekday, from }, { date: isoOf(day), daysAhead: day - number })
    },
  },
  {
    tool: 'nth_weekday_of_month',
    draw(random) {
      const [year, month, weekday, nth] = [
        random.whole(1990, 2040),
        random.whole(1, 12),
        random.pick(weekdays),
        random.pick([1, 2, 3, 4, -1]),
      ]
      const days = span(dayOf(year, month, 1), dayOf(year, month + 1, 1) - 1).filter(
        (day) => nameOf(day) === weekday,
      )
      const which = ['first', 'second', 'third', 'fourth'][nth - 1] ?? 'last'
      return known(
        `Which date is the ${which} ${weekday} of ${months[month - 1]} ${year}?`,
        { year, month, weekday, nth },
        { date: isoOf(days.at(nth > 0 ? nth - 1 : nth)!) },
      )
    },
  },
  {
    tool: 'month_calendar',
    draw(random) {
      const [year, month] = [random.whole(1990, 2040), random.whole(1, 12)]
      const first = dayOf(year, month, 1)
      const days = dayOf(year, month + 1, 1) - first
      const cells = [
        ...new Array<null>(weekdayOf(first)).fill(null),
        ...Array.from({ length: days }, (_, index) => index + 1),
      ]
      while (cells.length % 7 !== 0) cells.push(null)
      const weeks = Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
      return known(
        `Draw the calendar of ${months[month - 1]} ${year}.`,
        { year, month },
        { weeks, firstWeekday: nameOf(first), days },
      )
    },
  },
  {
    tool: 'easter_date',
    draw(random) {
      const tradition = random.pick(['western', 'orthodox'] as const)
      const easterSunday = random.pick(tradition === 'western' ? westernEaster : orthodoxEaster)
      const at = (days: number) => isoOf(dayOfIso(easterSunday) + days)
      const year = Number(easterSunday.slice(0, 4))
      const expected = {
        easterSunday,
        goodFriday: at(-2),
        easterMonday: at(1),
        ascension: at(39),
        pentecost: at(49),
      }
      return known(
        `When is Easter ${year} (${tradition}), with the feasts that depend on it?`,
        { year, tradition },
        expected,
      )
    },
  },
]
