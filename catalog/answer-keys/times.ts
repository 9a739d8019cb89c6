import { type AnswerKey, type Draws, known } from './answer-key.ts'
import { nameOf } from './days.ts'

/** Minutes ahead of UTC in the middle of January and of July, 2021 to 2026, by the time-zone database. */
const zones: readonly (readonly [zone: string, january: number, july: number])[] = [
  ['UTC', 0, 0],
  ['Europe/London', 0, 60],
  ['Europe/Berlin', 60, 120],
  ['America/New_York', -300, -240],
  ['America/Chicago', -360, -300],
  ['America/Los_Angeles', -480, -420],
  ['America/Sao_Paulo', -180, -180],
  ['Asia/Tokyo', 540, 540],
  ['Asia/Kolkata', 330, 330],
  ['Asia/Dubai', 240, 240],
  ['Australia/Sydney', 660, 600],
  ['Africa/Nairobi', 180, 180],
]

function someMoment(random: Draws) {
  const [season, year, day] = [random.pick([1, 2] as const), random.whole(2021, 2026), random.whole(10, 20)]
  const [hour, minute] = [random.whole(0, 23), random.whole(0, 59)]
  return { season, second: Date.UTC(year, season === 1 ? 0 : 6, day, hour, minute) / 1000 }
}

const clock = (second: number): string => new Date(second * 1000).toISOString().slice(0, 19)
const weekday = (second: number): string => nameOf(Math.floor(second / 86_400))

/** Time zones and timestamps. */
export const timeKeys: readonly AnswerKey[] = [
  {
    tool: 'convert_time_zone',
    draw(random) {
      const { season, second } = someMoment(random)
      const [source, ...targets] = random.shuffled(zones).slice(0, random.whole(2, 4))
      const there = targets.map((target) => second + (target[season] - source![season]) * 60)
      const time = clock(second).slice(0, 16)
      const to = targets.map(([zone]) => zone)
      return known(
        `It is ${time} in ${source![0]}. What do clocks show in ${to.join(', ')}?`,
        { time, from: source![0], to },
        { '$.to[*].time': there.map(clock) },
      )
    },
  },
  {
    tool: 'unix_time_to_date',
    draw(random) {
      const { season, second } = someMoment(random)
      const zone = random.pick(zones)
      const unit = random.pick(['seconds', 'milliseconds'] as const)
      const timestamp = unit === 'seconds' ? second : second * 1000 + random.whole(0, 999)
      const local = second + zone[season] * 60
      const text = `Which date and time is the Unix timestamp ${timestamp} (${unit}) in ${zone[0]}?`
      return known(text, { timestamp, unit, zone: zone[0] }, { time: clock(local), weekday: weekday(local) })
    },
  },
  {
    tool: 'date_to_unix_time',
    draw(random) {
      const { season, second } = someMoment(random)
      const zone = random.pick(zones)
      const time = clock(second).slice(0, 16)
      const seconds = second - zone[season] * 60
      return known(
        `What is ${time} in ${zone[0]} as a Unix timestamp?`,
        { time, zone: zone[0] },
        { seconds, milliseconds: seconds * 1000 },
      )
    },
  },
]
