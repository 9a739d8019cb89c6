import { weekdayName } from '../../../servers/calendar/civil-date.ts'
import { type LocalTime, writeLocalTime } from '../../../servers/calendar/time-zones.ts'
import { InputError } from '../../../servers/shared/input-error.ts'
import { findDates, withoutDates } from './find-dates.ts'
import { places } from './places.ts'

/** How an agent turns the time of one zone into that of another. */
export type ClockArithmetic = (local: LocalTime, from: string, to: string) => LocalTime

type Place = { readonly name: string; readonly zone: string; readonly at: number }

/** Answers questions such as "When it is 9:00 in New York on 2026-07-01, what time is it in Tokyo?" */
export function answerClock(task: string, convert: ClockArithmetic): string {
  const date = findDates(task)[0]?.date
  if (date === undefined) {
    throw new InputError('I found no date, and clocks change during the year. Add one such as 2026-07-01.')
  }
  const text = withoutDates(task)
  const time = timeIn(text)
  const mentioned = placesIn(task)
  if (mentioned.length < 2) {
    throw new InputError('I need two places: name two large cities, or zones such as Europe/Berlin or UTC.')
  }
  const [from, to] = fromAndTo(text, mentioned, time)
  const there = convert({ date, second: time.second }, from.zone, to.zone)
  const [day, clock] = writeLocalTime(there).split('T')
  return `In ${to.name} it is then ${clock?.slice(0, 5)} on ${weekdayName(there.date)} ${day}.`
}

/** Words that may stand between a time and its place: "9:00 local time in Oslo", "9:00 on (date) in Oslo". */
const linkWords = /^[\s,(]*(?:(?:local|time|on|in|at|for|the)\s+)*$/i

/** The time belongs to the place that follows it at once, or else to the nearest one. */
function fromAndTo(text: string, mentioned: readonly Place[], time: Time): readonly [Place, Place] {
  const gap = ({ at, name }: Place) => (at > time.at ? at - time.end : time.at - at - name.length)
  const following = mentioned.find(({ at }) => at >= time.end && linkWords.test(text.slice(time.end, at)))
  const from = following ?? [...mentioned].sort((a, b) => gap(a) - gap(b))[0]!
  const to = mentioned.find(({ zone, name }) => zone !== from.zone || name !== from.name)
  if (to === undefined) throw new InputError('Both places are the same. Name two different ones.')
  return [from, to]
}

type Time = { readonly second: number; readonly at: number; readonly end: number }

function timeIn(text: string): Time {
  const clock = /\b(\d{1,2})(?:[:.](\d{2}))?\s*(a\.?m\.?|p\.?m\.?)(?![a-z])|\b(\d{1,2}):(\d{2})\b/i.exec(text)
  const word = /\b(noon|midday|midnight)\b/i.exec(text)
  if (clock === null) {
    if (word === null)
      throw new InputError('I found no time of day. Write one such as 14:30, 2:30 pm or noon.')
    return {
      second: word[1]!.toLowerCase() === 'midnight' ? 0 : 12 * 3600,
      at: word.index,
      end: word.index + word[0].length,
    }
  }
  const half = clock[3]?.toLowerCase().charAt(0)
  const hour = Number(clock[1] ?? clock[4])
  const minute = Number(clock[2] ?? clock[5] ?? 0)
  const isReal = half === undefined ? hour < 24 : hour >= 1 && hour <= 12
  if (!isReal || minute > 59)
    throw new InputError(`There is no time "${clock[0]}". Write one such as 14:30 or 2:30 pm.`)
  const hourOfDay = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0)
  return { second: hourOfDay * 3600 + minute * 60, at: clock.index, end: clock.index + clock[0].length }
}

/** Places in the order they stand in the text; "New Delhi" wins over a "Delhi" inside it. */
function placesIn(task: string): readonly Place[] {
  const zones = [...task.matchAll(/\b[A-Z][A-Za-z]+\/[A-Z][A-Za-z_]+(?:\/[A-Z][A-Za-z_]+)?\b/g)].map(
    (match): Place => ({ name: match[0], zone: match[0], at: match.index }),
  )
  const names = [...places.keys()].sort((a, b) => b.length - a.length)
  const cities = [
    ...task.matchAll(new RegExp(`(?<![\\p{L}/_])(?:${names.join('|')})(?![\\p{L}/_])`, 'giu')),
  ].map(
    (match): Place => ({
      name: match[0],
      zone: places.get(match[0].toLowerCase()) ?? 'UTC',
      at: match.index,
    }),
  )
  return [...zones, ...cities].sort((a, b) => a.at - b.at)
}
