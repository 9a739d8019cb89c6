import { printableLine } from '../../domain/text/printable.ts'

/** ISO 8601 to the minute, in UTC as it is stored. */
export const timeText = (time: string | null): string =>
  time === null ? 'never' : printableLine(time).slice(0, 16).replace('T', ' ')
