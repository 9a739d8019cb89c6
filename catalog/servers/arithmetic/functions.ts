import { roundTo } from '../shared/rounding.ts'

/** A function an expression may call, with the least and the most arguments it takes. */
export type NumericFunction = {
  readonly least: number
  readonly most: number
  apply(values: readonly number[]): number
}

const of = (most: number, apply: (...values: number[]) => number, least = most): NumericFunction => ({
  least,
  most,
  apply: (values) => apply(...values),
})
const any = Number.POSITIVE_INFINITY
const degrees = Math.PI / 180

/** Every function of the expression language. Angles are in radians; `deg(90)` turns degrees into radians. */
export const functions: ReadonlyMap<string, NumericFunction> = new Map([
  ['sqrt', of(1, Math.sqrt)],
  ['cbrt', of(1, Math.cbrt)],
  ['abs', of(1, Math.abs)],
  ['sign', of(1, Math.sign)],
  [
    'round',
    of(2, (value, decimals = 0) => roundTo(value, Math.min(12, Math.max(0, Math.trunc(decimals)))), 1),
  ],
  ['floor', of(1, Math.floor)],
  ['ceil', of(1, Math.ceil)],
  ['trunc', of(1, Math.trunc)],
  ['exp', of(1, Math.exp)],
  ['ln', of(1, Math.log)],
  ['log2', of(1, Math.log2)],
  ['log10', of(1, Math.log10)],
  ['sin', of(1, Math.sin)],
  ['cos', of(1, Math.cos)],
  ['tan', of(1, Math.tan)],
  ['asin', of(1, Math.asin)],
  ['acos', of(1, Math.acos)],
  ['atan', of(1, Math.atan)],
  ['atan2', of(2, Math.atan2)],
  ['deg', of(1, (angle) => angle * degrees)],
  ['pow', of(2, Math.pow)],
  ['mod', of(2, (value, divisor) => value - divisor * Math.floor(value / divisor))],
  ['hypot', of(any, Math.hypot, 1)],
  ['min', of(any, Math.min, 1)],
  ['max', of(any, Math.max, 1)],
  ['sum', of(any, (...values) => values.reduce((total, value) => total + value, 0), 1)],
  ['avg', of(any, (...values) => values.reduce((total, value) => total + value, 0) / values.length, 1)],
])

/** Names with a fixed value. */
export const constants: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
  ['tau', 2 * Math.PI],
])
