/** Removes the noise of binary floating point: 0.1 + 0.2 gives 0.3. Keeps 15 significant digits. */
export const tidy = (value: number): number => Number(value.toPrecision(15))

/**
 * Rounds half away from zero on the decimal digits as written, so that 1.005 gives 1.01 and -2.5 gives -3.
 *
 * @param decimals - integer 0..12
 */
export function roundTo(value: number, decimals: number): number {
  const shifted = shiftDecimalPoint(tidy(Math.abs(value)), decimals)
  const rounded = shiftDecimalPoint(Math.round(shifted), -decimals)
  return value < 0 && rounded !== 0 ? -rounded : rounded
}

/** Moves the decimal point in the written number: multiplying by 100 would make 1.005 into 100.49999999999999. */
function shiftDecimalPoint(value: number, places: number): number {
  const [mantissa, exponent] = value.toExponential().split('e')
  return Number(`${mantissa}e${Number(exponent) + places}`)
}

/** A sum of money with two decimals, for example `1234.50`. */
export const money = (value: number): string => roundTo(value, 2).toFixed(2)
