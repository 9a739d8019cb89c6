import * as z from 'zod'
import { InputError } from '../shared/input-error.ts'
import { defineTool } from '../shared/tool.ts'
import { weekdayName } from './civil-date.ts'
import {
  instantOf,
  readLocalTime,
  timeInZone,
  writeLocalTime,
  writeOffset,
  type ZonedTime,
} from './time-zones.ts'

const zone = z.string().max(100)
const localTime = z.string().describe('Local time, YYYY-MM-DDTHH:MM on a 24-hour clock, without an offset.')
const zonedTime = z.object({
  time: z.string().describe('Local time.'),
  offset: z.string().describe('Ahead of UTC, for example +01:00.'),
  weekday: z.string(),
})
const asZoned = ({ local, offsetMinutes }: ZonedTime) => ({
  time: writeLocalTime(local),
  offset: writeOffset(offsetMinutes),
  weekday: weekdayName(local.date),
})
const earliest = -2_208_988_800
const latest = 7_258_118_399

/** Time zones and timestamps, 1900 to 2199. */
export const timeTools = [
  defineTool({
    name: 'convert_time_zone',
    title: 'Convert time zone',
    description:
      'Tell what the clocks show in other places at a given local time, daylight saving included. Use it for calls and ' +
      'meetings across time zones. Wants IANA names such as Europe/Berlin.',
    input: z.strictObject({
      time: localTime,
      from: zone.describe('Time zone of "time", for example "America/New_York".'),
      to: z.array(zone).min(1).max(50).describe('Time zones wanted.'),
    }),
    output: z.object({
      from: zonedTime,
      to: z.array(zonedTime.extend({ zone: z.string() })),
      occurs: z
        .enum(['usual', 'twice', 'skipped'])
        .describe(
          'Whether clocks were changed then: a time that comes twice means the first, a skipped one moves on.',
        ),
    }),
    example: { time: '2026-03-09T09:00', from: 'America/New_York', to: ['Europe/Berlin', 'Asia/Tokyo'] },
    handle({ time, from, to }) {
      const { epochSecond, occurs } = instantOf(readLocalTime(time, 'time'), from)
      const there = to.map((name) => ({ zone: name, ...asZoned(timeInZone(epochSecond, name)) }))
      const result = { from: asZoned(timeInZone(epochSecond, from)), to: there, occurs }
      const lines = there.map((place) => `${place.zone}: ${place.time} (${place.offset}), ${place.weekday}`)
      return { result, text: [`${time} in ${from} is`, ...lines].join('\n') }
    },
  }),
  defineTool({
    name: 'unix_time_to_date',
    title: 'Unix time to date',
    description:
      'Turn a Unix timestamp from a log or database, in seconds or milliseconds, into date and time in a time zone.',
    input: z.strictObject({
      timestamp: z.number().describe('The timestamp.'),
      unit: z.enum(['seconds', 'milliseconds']).default('seconds'),
      zone: zone.default('UTC').describe('Time zone to show it in.'),
    }),
    output: zonedTime,
    example: { timestamp: 1_767_225_600 },
    handle({ timestamp, unit, zone: name }) {
      const second = Math.floor(unit === 'milliseconds' ? timestamp / 1000 : timestamp)
      if (second < earliest || second > latest) {
        throw new InputError(
          `"timestamp": ${timestamp} ${unit} is not between 1900 and 2199. Send "unit": "milliseconds" if it has 13 digits.`,
        )
      }
      const result = asZoned(timeInZone(second, name))
      return { result, text: `${result.time}${result.offset} (${name}), ${result.weekday}` }
    },
  }),
  defineTool({
    name: 'date_to_unix_time',
    title: 'Date to Unix time',
    description:
      'Turn a local date and time in a time zone into a Unix timestamp in seconds and milliseconds.',
    input: z.strictObject({ time: localTime, zone: zone.default('UTC').describe('Time zone of "time".') }),
    output: z.object({ seconds: z.int(), milliseconds: z.int() }),
    example: { time: '2026-01-01T00:00', zone: 'UTC' },
    handle({ time, zone: name }) {
      const { epochSecond } = instantOf(readLocalTime(time, 'time'), name)
      return {
        result: { seconds: epochSecond, milliseconds: epochSecond * 1000 },
        text: `${epochSecond} seconds since 1970`,
      }
    },
  }),
]
