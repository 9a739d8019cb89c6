/** Numbers that are learned, in rows, with what Adam remembers of them. */
export type Parameter = {
  readonly values: Float32Array
  readonly gradients: Float32Array
  readonly width: number
  readonly first: Float32Array
  readonly second: Float32Array
  /** Rows with a gradient. */
  readonly touched: Set<number>
}

const beta1 = 0.9
const beta2 = 0.999
const epsilon = 1e-8

/** @param values - rows of `width` numbers; changed by each step */
export const parameter = (values: Float32Array, width: number): Parameter => ({
  values,
  gradients: new Float32Array(values.length),
  width,
  first: new Float32Array(values.length),
  second: new Float32Array(values.length),
  touched: new Set(),
})

/**
 * One step of Adam over the rows that have a gradient, which is emptied.
 *
 * @param step - counted from 1
 * @see Kingma & Ba, ICLR 2015
 */
export function adamStep(
  { values, gradients, width, first, second, touched }: Parameter,
  step: number,
  learningRate: number,
): void {
  const rate = (learningRate * Math.sqrt(1 - beta2 ** step)) / (1 - beta1 ** step)
  for (const row of touched)
    for (let at = row * width, end = at + width; at < end; at += 1) {
      const gradient = gradients[at]!
      const m = beta1 * first[at]! + (1 - beta1) * gradient
      const v = beta2 * second[at]! + (1 - beta2) * gradient * gradient
      first[at] = m
      second[at] = v
      values[at]! -= (rate * m) / (Math.sqrt(v) + epsilon)
      gradients[at] = 0
    }
  touched.clear()
}
