import type { SparseRows } from '../features/sparse-rows.ts'
import { parameter } from '../tower/adam.ts'
import { addBag, backBag } from '../tower/layers.ts'
import { smallNumbers } from './bpr.ts'

/** What the nodes of a graph begin with: the sum of the vectors of their features, which are learned. */
export function openStart(features: SparseRows, width: number, random: () => number) {
  const table = parameter(smallNumbers(features.width * width, random), width)
  const nodes = Array.from({ length: features.starts.length - 1 }, (_, node) => node)
  return {
    table,
    forward(): Float32Array {
      const values = new Float32Array(nodes.length * width)
      addBag(table, features, nodes, { values })
      return values
    },
    /** Gathers gradients. @param by - what the nodes begin with; the table itself, or one that shares its values */
    backward(by: Float32Array, into = table): void {
      backBag(into, features, nodes, { values: by })
    },
  }
}
