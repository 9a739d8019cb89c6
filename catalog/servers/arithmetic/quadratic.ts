import { InputError } from '../shared/input-error.ts'
import { tidy } from '../shared/rounding.ts'

/** A root `real + imaginary * i`. */
export type Root = { readonly real: number; readonly imaginary: number }

/** Roots of `a x^2 + b x + c = 0`: real ones ascending, or a complex pair. @throws InputError when a is 0 */
export function solveQuadratic(a: number, b: number, c: number) {
  if (a === 0) throw new InputError('"a" is 0, so this is no quadratic equation. Send "a" other than 0.')
  const discriminant = tidy(b * b - 4 * a * c)
  const middle = -b / (2 * a)
  if (discriminant < 0) {
    const size = Math.abs(Math.sqrt(-discriminant) / (2 * a))
    return { discriminant, roots: [root(middle, -size), root(middle, size)] }
  }
  if (discriminant === 0) return { discriminant, roots: [root(middle, 0)] }
  // Adding like signs keeps the digits that (-b + sqrt) would cancel when b is large.
  const stable = -(b + (b < 0 ? -1 : 1) * Math.sqrt(discriminant)) / 2
  const values = [stable / a, c / stable].sort((left, right) => left - right)
  return { discriminant, roots: values.map((value) => root(value, 0)) }
}

const root = (real: number, imaginary: number): Root => ({
  real: tidy(real) + 0,
  imaginary: tidy(imaginary) + 0,
})
