import type { Parameter } from '../tower/adam.ts'
import { backNormalise, denseLayer, normaliseRows } from '../tower/layers.ts'
import type { Matrices, Matrix } from '../tower/matrices.ts'
import { type Edges, handOn } from './edges.ts'
import { layerStart } from './bpr.ts'

/** How much of a negative number is let through. */
const leak = 0.2

/**
 * Layers that hand vectors along the edges of a graph by their sums and by their products: `leaky(W1 (e + n)) + leaky(W2 (e * n))`, n being
 * what the neighbours send. What came in and each layer's unit vectors stand beside each other in what comes out.
 *
 * @see Wang et al., SIGIR 2019 (NGCF, equation 7) and KDD 2019 (KGAT, equation 8)
 */
export function openBiInteraction(
  matrices: Matrices,
  { nodes, width, layers }: { readonly nodes: number; readonly width: number; readonly layers: number },
  random: () => number,
) {
  const take = (): Matrix => matrices.take(nodes, width)
  const dense = () =>
    denseLayer(
      matrices,
      { inputs: width, outputs: width, batch: nodes },
      { weights: layerStart(width, width, random), bias: new Float32Array(width) },
    )
  const stack = Array.from({ length: layers }, () => ({
    bySum: dense(),
    byProduct: dense(),
    sum: take(),
    product: take(),
    ofSum: take(),
    ofProduct: take(),
    /** What comes out, as it goes on and as unit vectors, and what of it was let through. */
    out: take(),
    unit: take(),
    kept: new Float32Array(nodes * width),
    lengths: new Float32Array(nodes) as Float32Array,
    sent: new Float32Array(nodes * width) as Float32Array,
  }))
  const first = take()
  const [backSum, backProduct, byOfSum, byOfProduct] = [take(), take(), take(), take()]
  const wide = width * (layers + 1)
  return {
    wide,
    parameters: stack.flatMap(({ bySum, byProduct }) =>
      [bySum, byProduct].flatMap(({ learned, bias }): Parameter[] => [learned, bias!]),
    ),
    /** @param keep - by what each number of a layer's vectors is multiplied; 1 but in training */
    forward(start: Float32Array, edges: Edges, keep: () => number = () => 1): Float32Array {
      first.values.set(start)
      const joined = new Float32Array(nodes * wide)
      place(joined, first.values, 0)
      for (const [turn, layer] of stack.entries()) {
        const from = turn === 0 ? first.values : stack[turn - 1]!.out.values
        layer.sent = handOn(from, edges, width)
        for (let at = 0; at < from.length; at += 1) {
          layer.sum.values[at] = from[at]! + layer.sent[at]!
          layer.product.values[at] = from[at]! * layer.sent[at]!
        }
        layer.bySum.forward(layer.sum, layer.ofSum)
        layer.byProduct.forward(layer.product, layer.ofProduct)
        for (let at = 0; at < from.length; at += 1) {
          layer.kept[at] = keep()
          layer.out.values[at] =
            layer.kept[at]! * (leaky(layer.ofSum.values[at]!) + leaky(layer.ofProduct.values[at]!))
        }
        layer.unit.values.set(layer.out.values)
        layer.lengths = normaliseRows(layer.unit)
        place(joined, layer.unit.values, turn + 1)
      }
      return joined
    },
    /**
     * Gathers gradients of the layers.
     *
     * @param gradient - by what came out
     * @param turned - the edges the other way
     * @returns the gradient by what came in
     */
    backward(gradient: Float32Array, turned: Edges): Float32Array {
      let on: Float32Array = new Float32Array(nodes * width)
      for (let turn = layers - 1; turn >= 0; turn -= 1) {
        const layer = stack[turn]!
        const from = turn === 0 ? first.values : stack[turn - 1]!.out.values
        const byUnit = { values: piece(gradient, turn + 1), columns: width }
        backNormalise(layer.unit, layer.lengths, byUnit)
        for (let at = 0; at < on.length; at += 1) {
          const by = layer.kept[at]! * (on[at]! + byUnit.values[at]!)
          byOfSum.values[at] = layer.ofSum.values[at]! > 0 ? by : leak * by
          byOfProduct.values[at] = layer.ofProduct.values[at]! > 0 ? by : leak * by
        }
        layer.bySum.backward(layer.sum, byOfSum, backSum)
        layer.byProduct.backward(layer.product, byOfProduct, backProduct)
        const bySent = new Float32Array(on.length)
        const next = new Float32Array(on.length)
        for (let at = 0; at < on.length; at += 1) {
          bySent[at] = backSum.values[at]! + backProduct.values[at]! * from[at]!
          next[at] = backSum.values[at]! + backProduct.values[at]! * layer.sent[at]!
        }
        const back = handOn(bySent, turned, width)
        on = next.map((value, at) => value + back[at]!)
      }
      const own = piece(gradient, 0)
      return on.map((value, at) => value + own[at]!)
    },
  }

  function place(joined: Float32Array, values: Float32Array, column: number): void {
    for (let node = 0; node < nodes; node += 1)
      joined.set(values.subarray(node * width, (node + 1) * width), node * wide + column * width)
  }

  function piece(joined: Float32Array, column: number): Float32Array {
    const values = new Float32Array(nodes * width)
    for (let node = 0; node < nodes; node += 1) {
      const from = node * wide + column * width
      values.set(joined.subarray(from, from + width), node * width)
    }
    return values
  }
}

const leaky = (value: number): number => (value > 0 ? value : leak * value)
