import type { Draws } from './answer-key.ts'

/** Days as JavaScript counts them: whole days since 1970-01-01, UTC. */
export const dayOf = (year: number, month: number, day: number): number =>
  Date.UTC(year, month - 1, day) / 86_400_000

/** `2026-03-09`. */
export const isoOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

/** 0 for Monday to 6 for Sunday. */
export const weekdayOf = (day: number): number => (new Date(day * 86_400_000).getUTCDay() + 6) % 7

export const nameOf = (day: number): string => weekdays[weekdayOf(day)]!

export const months = [
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
]

/** A date of these years that every month has. */
export function someDate(random: Draws, first = 1990, last = 2040) {
  const [year, month, day] = [random.whole(first, last), random.whole(1, 12), random.whole(1, 28)]
  return { year, month, day, number: dayOf(year, month, day), iso: isoOf(dayOf(year, month, day)) }
}
