import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ageAt } from '../../catalog/servers/calendar/age.ts'
import {
  addBusinessDays,
  countBusinessDays,
  isBusinessDay,
  saturdayAndSunday,
} from '../../catalog/servers/calendar/business-days.ts'
import {
  type CivilDate,
  dateOfDay,
  dayNumber,
  monthNames,
  readDate,
  weekdayName,
  weekdayNumber,
  writeDate,
} from '../../catalog/servers/calendar/civil-date.ts'
import { addDuration, differenceBetween } from '../../catalog/servers/calendar/durations.ts'
import { orthodoxEaster, westernEaster } from '../../catalog/servers/calendar/easter.ts'
import { parseDate } from '../../catalog/servers/calendar/parse-date.ts'
import {
  instantOf,
  readLocalTime,
  timeInZone,
  writeLocalTime,
} from '../../catalog/servers/calendar/time-zones.ts'
import {
  isoWeekOf,
  mondayOfIsoWeek,
  monthGrid,
  nextWeekday,
  nthWeekday,
} from '../../catalog/servers/calendar/weeks.ts'

const day = (text: string): CivilDate => readDate(text, 'date')
const anyDate = fc
  .integer({ min: dayNumber(day('1600-01-01')), max: dayNumber(day('2400-12-31')) })
  .map(dateOfDay)
const modernDate = fc
  .integer({ min: dayNumber(day('1950-01-01')), max: dayNumber(day('2099-12-31')) })
  .map(dateOfDay)

test('dates, day numbers and weekdays agree with the runtime', () => {
  fc.assert(
    fc.property(anyDate, (date) => {
      const runtime = new Date(dayNumber(date) * 86_400_000)
      expect(writeDate(date)).toBe(runtime.toISOString().slice(0, 10))
      expect(weekdayNumber(date)).toBe(runtime.getUTCDay() || 7)
      expect(day(writeDate(date))).toEqual(date)
    }),
  )
  expect(writeDate(dateOfDay(dayNumber(day('0001-01-01'))))).toBe('0001-01-01')
  expect(() => dateOfDay(dayNumber(day('0001-01-01')) - 1)).toThrow('outside 1 to 9999')
})

describe('durations', () => {
  test('adding days and taking them off again gives the same date', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: -100_000, max: 100_000 }), (date, days) => {
        expect(addDuration(addDuration(date, { days }), { days: -days })).toEqual(date)
      }),
    )
  })

  test('the difference leads from one date to the other', () => {
    fc.assert(
      fc.property(anyDate, anyDate, (from, to) => {
        const difference = differenceBetween(from, to)
        expect(addDuration(from, { days: difference.days })).toEqual(to)
        const [early, late] = difference.days < 0 ? [to, from] : [from, to]
        const { years, months, remainingDays } = differenceBetween(early, late)
        expect(addDuration(addDuration(early, { years, months }), { days: remainingDays })).toEqual(late)
        expect(months).toBeLessThan(12)
        expect(remainingDays).toBeLessThan(31)
      }),
    )
  })

  test.each([
    { why: 'months end early', date: '2026-01-31', duration: { months: 1 }, sum: '2026-02-28' },
    { why: 'leap days fall back', date: '2024-02-29', duration: { years: 1 }, sum: '2025-02-28' },
    { why: 'months go back over New Year', date: '2026-01-15', duration: { months: -2 }, sum: '2025-11-15' },
    {
      why: 'months come before days',
      date: '2026-01-31',
      duration: { months: 1, days: 1 },
      sum: '2026-03-01',
    },
  ])('$date plus $duration is $sum since $why', ({ date, duration, sum }) => {
    expect(writeDate(addDuration(day(date), duration))).toBe(sum)
  })
})

describe('business days', () => {
  test('a count is what walking day by day finds, and splits where the span splits', () => {
    fc.assert(
      fc.property(
        modernDate,
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 60 }),
        (start, first, second) => {
          const middle = addDuration(start, { days: first })
          const end = addDuration(middle, { days: second + 1 })
          const whole = countBusinessDays(start, end, saturdayAndSunday)
          const parts =
            countBusinessDays(start, middle, saturdayAndSunday) +
            countBusinessDays(addDuration(middle, { days: 1 }), end, saturdayAndSunday)
          expect(parts).toBe(whole)
        },
      ),
    )
  })

  test('adding lands on a business day, as many counted days ahead as were added', () => {
    const closures = { weekend: [6, 7], holidays: new Set(['2026-12-25', '2026-12-28']) }
    fc.assert(
      fc.property(modernDate, fc.integer({ min: 1, max: 200 }), (start, days) => {
        const end = addBusinessDays(start, days, closures)
        expect(isBusinessDay(end, closures)).toBe(true)
        expect(countBusinessDays(addDuration(start, { days: 1 }), end, closures)).toBe(days)
      }),
    )
  })

  test.each([
    { why: 'Monday follows Friday', start: '2026-03-13', days: 1, end: '2026-03-16' },
    { why: 'a weekend is no day one', start: '2026-03-14', days: 1, end: '2026-03-16' },
    { why: 'negative days go back', start: '2026-03-16', days: -3, end: '2026-03-11' },
    { why: 'zero stays', start: '2026-03-14', days: 0, end: '2026-03-14' },
  ])('$days after $start is $end since $why', ({ start, days, end }) => {
    expect(writeDate(addBusinessDays(day(start), days, saturdayAndSunday))).toBe(end)
  })

  test('a span against the order of time is refused', () => {
    expect(() => countBusinessDays(day('2026-03-02'), day('2026-03-01'), saturdayAndSunday)).toThrow(
      'earlier date',
    )
  })
})

describe('weeks', () => {
  test('a date lies in its own ISO week, and that week begins on a Monday', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const { year, week, weekday } = isoWeekOf(date)
        const monday = mondayOfIsoWeek(year, week)
        expect(weekdayName(monday)).toBe('Monday')
        expect(addDuration(monday, { days: weekday - 1 })).toEqual(date)
      }),
    )
  })

  test.each([
    ['2025-12-29', 2026, 1],
    ['2021-01-03', 2020, 53],
    ['2026-12-31', 2026, 53],
    ['2024-12-30', 2025, 1],
  ])('%s lies in week %i-W%i', (date, year, week) => {
    expect(isoWeekOf(day(date))).toMatchObject({ year, week })
  })

  test('the next weekday is the wanted one within a week, and nth weekdays are counted from the first', () => {
    fc.assert(
      fc.property(
        modernDate,
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 4 }),
        (date, weekday, nth) => {
          const next = nextWeekday(date, weekday, 'nextDay')
          expect(weekdayNumber(next)).toBe(weekday)
          expect(dayNumber(next) - dayNumber(date)).toBeGreaterThanOrEqual(1)
          expect(dayNumber(next) - dayNumber(date)).toBeLessThanOrEqual(7)
          const found = nthWeekday(date.year, date.month, weekday, nth)
          expect(weekdayNumber(found)).toBe(weekday)
          expect(Math.ceil(found.day / 7)).toBe(nth)
          const last = nthWeekday(date.year, date.month, weekday, -1)
          expect(addDuration(last, { days: 7 }).month).not.toBe(date.month)
        },
      ),
    )
    expect(monthGrid(2026, 3)).toEqual([
      [null, null, null, null, null, null, 1],
      [2, 3, 4, 5, 6, 7, 8],
      [9, 10, 11, 12, 13, 14, 15],
      [16, 17, 18, 19, 20, 21, 22],
      [23, 24, 25, 26, 27, 28, 29],
      [30, 31, null, null, null, null, null],
    ])
  })
})

describe('Easter', () => {
  test.each([
    [1818, '1818-03-22', '1818-04-26'],
    [1943, '1943-04-25', '1943-04-25'],
    [2000, '2000-04-23', '2000-04-30'],
    [2016, '2016-03-27', '2016-05-01'],
    [2024, '2024-03-31', '2024-05-05'],
    [2025, '2025-04-20', '2025-04-20'],
    [2026, '2026-04-05', '2026-04-12'],
    [2038, '2038-04-25', '2038-04-25'],
  ])('%i: western %s, orthodox %s', (year, western, orthodox) => {
    expect(writeDate(westernEaster(year))).toBe(western)
    expect(writeDate(orthodoxEaster(year))).toBe(orthodox)
  })

  test('it is a Sunday between 22 March and 25 April, and the orthodox one never earlier', () => {
    for (let year = 1600; year <= 2400; year += 1) {
      const easter = westernEaster(year)
      expect(weekdayName(easter)).toBe('Sunday')
      expect(weekdayName(orthodoxEaster(year))).toBe('Sunday')
      expect(easter.month * 100 + easter.day).toBeGreaterThanOrEqual(322)
      expect(easter.month * 100 + easter.day).toBeLessThanOrEqual(425)
      expect(dayNumber(orthodoxEaster(year))).toBeGreaterThanOrEqual(dayNumber(easter))
    }
  })
})

describe('parseDate', () => {
  test('reads a date in every form it is written in', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const name = monthNames[date.month - 1]!
        for (const written of [
          writeDate(date),
          `${date.day} ${name} ${date.year}`,
          `${name} ${date.day}, ${date.year}`,
          `${weekdayName(date)}, ${date.day} ${name.slice(0, 3)}. ${date.year}`,
          `the ${date.day}th of ${name.toLowerCase()} ${date.year}`,
          writeDate(date).replaceAll('-', ''),
        ]) {
          expect(parseDate(written)).toEqual(date)
        }
        expect(parseDate(`${date.day}.${date.month}.${date.year}`, 'dayFirst')).toEqual(date)
        expect(parseDate(`${date.month}/${date.day}/${date.year}`, 'monthFirst')).toEqual(date)
      }),
    )
  })

  test.each(['', 'soon', '2026-13-01', '31 April 2026', '1/2/26', '5th of Juno 2026'])(
    'refuses "%s"',
    (text) => {
      expect(() => parseDate(text)).toThrow(/Send/)
    },
  )
})

test.each([
  { birth: '2000-02-29', on: '2026-02-28', years: 25, next: '2026-03-01' },
  { birth: '2000-02-29', on: '2026-03-01', years: 26, next: '2026-03-01' },
  { birth: '1990-06-15', on: '2026-06-15', years: 36, next: '2026-06-15' },
  { birth: '1990-06-15', on: '2026-06-16', years: 36, next: '2027-06-15' },
])('born $birth, on $on: $years years, next birthday $next', ({ birth, on, years, next }) => {
  const age = ageAt(day(birth), day(on))
  expect({ years: age.years, next: writeDate(age.nextBirthday) }).toEqual({ years, next })
})

describe('time zones', () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Pacific/Auckland',
    'UTC',
  ]

  test('an instant shown in a zone leads back to the instant, unless its local time comes twice', () => {
    const second = fc.integer({ min: 0, max: 4_000_000_000 })
    fc.assert(
      fc.property(second, fc.constantFrom(...zones), (epochSecond, zone) => {
        const back = instantOf(timeInZone(epochSecond, zone).local, zone)
        expect(back.occurs).not.toBe('skipped')
        if (back.occurs === 'usual') expect(back.epochSecond).toBe(epochSecond)
        else expect(epochSecond - back.epochSecond).toBeLessThanOrEqual(7200)
      }),
      { numRuns: 300 },
    )
  })

  test.each([
    {
      why: 'summer time',
      time: '2026-07-01T12:00',
      from: 'Europe/Berlin',
      to: 'UTC',
      there: '2026-07-01T10:00:00',
      occurs: 'usual',
    },
    {
      why: 'winter time',
      time: '2026-01-01T12:00',
      from: 'Europe/Berlin',
      to: 'UTC',
      there: '2026-01-01T11:00:00',
      occurs: 'usual',
    },
    {
      why: 'the date line',
      time: '2026-01-01T20:00',
      from: 'Pacific/Auckland',
      to: 'Pacific/Honolulu',
      there: '2025-12-31T21:00:00',
      occurs: 'usual',
    },
    {
      why: 'a skipped hour moves on',
      time: '2026-03-29T02:30',
      from: 'Europe/Berlin',
      to: 'Europe/Berlin',
      there: '2026-03-29T03:30:00',
      occurs: 'skipped',
    },
    {
      why: 'a doubled hour means the first',
      time: '2026-10-25T02:30',
      from: 'Europe/Berlin',
      to: 'UTC',
      there: '2026-10-25T00:30:00',
      occurs: 'twice',
    },
  ])('$time in $from is $there in $to: $why', ({ time, from, to, there, occurs }) => {
    const instant = instantOf(readLocalTime(time, 'time'), from)
    expect(instant.occurs).toBe(occurs)
    expect(writeLocalTime(timeInZone(instant.epochSecond, to).local)).toBe(there)
  })
})
