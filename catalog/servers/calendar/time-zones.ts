import { InputError } from '../shared/input-error.ts'
import { type CivilDate, checkedDate, dateOfDay, dayNumber, writeDate } from './civil-date.ts'

/** A date and time of day on the clocks of some place. */
export type LocalTime = {
  readonly date: CivilDate
  /** Seconds since midnight, 0..86399. */
  readonly second: number
}

/** An instant as a place's clocks show it. */
export type ZonedTime = { readonly local: LocalTime; readonly offsetMinutes: number; readonly zone: string }

const daySeconds = 86_400

/** Reads `2026-03-09T14:30`, with or without seconds, `T` or a space. @throws InputError */
export function readLocalTime(text: string, field: string): LocalTime {
  const parts = /^\s*(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?\s*$/.exec(text)
  const [hour, minute, second] = [Number(parts?.[4]), Number(parts?.[5]), Number(parts?.[6] ?? 0)]
  if (!parts || hour > 23 || minute > 59 || second > 59) {
    throw new InputError(
      `"${field}": "${text}" is no local time. Send YYYY-MM-DDTHH:MM on a 24-hour clock, without an offset, for example "2026-03-09T14:30".`,
    )
  }
  const date = checkedDate({ year: Number(parts[1]), month: Number(parts[2]), day: Number(parts[3]) }, field)
  if (date.year < 1900 || date.year > 2199) {
    throw new InputError(`"${field}": time zones are known for 1900 to 2199. Send a time within.`)
  }
  return { date, second: hour * 3600 + minute * 60 + second }
}

/** `2026-03-09T14:30:00`. */
export function writeLocalTime({ date, second }: LocalTime): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${writeDate(date)}T${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`
}

/** `+05:30`. */
export function writeOffset(minutes: number): string {
  const size = Math.abs(minutes)
  const hours = String(Math.floor(size / 60)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${hours}:${String(size % 60).padStart(2, '0')}`
}

/** Seconds since 1970-01-01T00:00Z as clocks in a zone show them. @throws InputError for an unknown zone */
export function timeInZone(epochSecond: number, zone: string): ZonedTime {
  const offset = offsetSeconds(epochSecond, zone)
  return { local: localTimeOf(epochSecond + offset), offsetMinutes: Math.round(offset / 60), zone }
}

/**
 * The instant at which clocks in a zone show a local time. A time that comes twice (clocks set back) means the first;
 * one that is skipped (clocks set forward) is moved forward by the gap, as phones do.
 *
 * @returns seconds since 1970-01-01T00:00Z, and whether the time was `usual`, came `twice` or was `skipped`
 */
export function instantOf(local: LocalTime, zone: string) {
  const asIfUtc = dayNumber(local.date) * daySeconds + local.second
  const before = offsetSeconds(asIfUtc - daySeconds, zone)
  const after = offsetSeconds(asIfUtc + daySeconds, zone)
  const fits = [...new Set([before, after])]
    .map((offset) => asIfUtc - offset)
    .filter((instant) => instant + offsetSeconds(instant, zone) === asIfUtc)
  if (fits.length === 0) return { epochSecond: asIfUtc - before, occurs: 'skipped' as const }
  return { epochSecond: Math.min(...fits), occurs: fits.length > 1 ? ('twice' as const) : ('usual' as const) }
}

function localTimeOf(second: number): LocalTime {
  const day = Math.floor(second / daySeconds)
  return { date: dateOfDay(day), second: second - day * daySeconds }
}

/** How far a zone's clocks are ahead of UTC at an instant, by the time-zone database of the runtime. */
function offsetSeconds(epochSecond: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(epochSecond * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  const day = dayNumber({ year: part('year'), month: part('month'), day: part('day') })
  return day * daySeconds + part('hour') * 3600 + part('minute') * 60 + part('second') - epochSecond
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  try {
    const made = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, made)
    return made
  } catch (cause) {
    throw new InputError(
      `Unknown time zone "${zone}". Send an IANA name such as "Europe/Berlin", "America/New_York", "Asia/Kolkata" or "UTC".`,
      { cause },
    )
  }
}
