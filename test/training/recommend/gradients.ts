import { expect } from 'vitest'
import type { Parameter } from '../../../embeddings/trainer/src/recommend/tower/adam.ts'

type Learned = Pick<Parameter, 'values' | 'gradients'>

/** Gradients that were gathered are those that differences of the loss show; `loss` adds no gradients. */
export function expectGradients(
  parameters: { readonly [name: string]: Learned },
  {
    loss,
    side = '',
    step = 1e-2,
  }: { readonly loss: () => number; readonly side?: string; readonly step?: number },
): void {
  for (const [name, { values, gradients }] of Object.entries(parameters)) {
    const gathered = Float32Array.from(gradients)
    const measured = Array.from(values, (value, at) => {
      values[at] = value + step
      const above = loss()
      values[at] = value - step
      const below = loss()
      values[at] = value
      return (above - below) / (2 * step)
    })
    const error = Math.sqrt(measured.reduce((sum, value, at) => sum + (value - gathered[at]!) ** 2, 0))
    const size = Math.sqrt(measured.reduce((sum, value) => sum + value ** 2, 0))
    expect(size, `${side} ${name}`).toBeGreaterThan(0.001)
    expect(error / size, `${side} ${name}`).toBeLessThan(0.02)
  }
}
