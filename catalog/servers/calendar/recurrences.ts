import type { CivilDate } from './civil-date.ts'
import { addDuration } from './durations.ts'

/** The step between dates of a series. */
export type Interval = { readonly every: number; readonly unit: 'days' | 'weeks' | 'months' | 'years' }

/** Dates of a series, its start first. Monthly series from the 31st keep to month ends instead of drifting. */
export const datesOf = (start: CivilDate, { every, unit }: Interval, count: number): readonly CivilDate[] =>
  Array.from({ length: count }, (_, index) => addDuration(start, { [unit]: every * index }))
