import { InputError } from '../shared/input-error.ts'
import { tidy } from '../shared/rounding.ts'

/** A change between two amounts. */
export type Change = { readonly percent: number; readonly difference: number; readonly factor: number }

/** The change from one amount to another, in percent of the size of the first. @throws InputError from zero */
export function percentageChange(from: number, to: number): Change {
  if (from === 0) {
    throw new InputError(
      '"from" is 0, and no percentage leads away from zero. Send a starting amount that is not 0.',
    )
  }
  return {
    percent: tidy(((to - from) / Math.abs(from)) * 100),
    difference: tidy(to - from),
    factor: tidy(to / from),
  }
}

/** `percent` percent of `amount`, and the amount raised and lowered by it. */
export function percentOf(percent: number, amount: number) {
  const part = tidy((percent / 100) * amount)
  return { part, increased: tidy(amount + part), decreased: tidy(amount - part) }
}

/** What percentage of `whole` is `part`. @throws InputError when the whole is zero */
export function shareOf(part: number, whole: number): number {
  if (whole === 0) throw new InputError('"whole" is 0. Send a total that is not 0.')
  return tidy((part / whole) * 100)
}
