import type { SparseRows } from '../features/sparse-rows.ts'
import { type Parameter, parameter } from './adam.ts'
import { addBag, backBag, backNormalise, denseLayer, normaliseRows } from './layers.ts'
import type { Matrices, Matrix } from './matrices.ts'

/** One side of a two-tower model: sparse rows to unit vectors. */
export type Tower = {
  readonly parameters: { readonly [name: string]: Parameter }
  /** Unit vectors of a batch of rows; overwritten by the next call. */
  forward(items: ArrayLike<number>): Matrix
  /** Gathers gradients of the last batch. @param gradient - by its vectors; overwritten */
  backward(items: ArrayLike<number>, gradient: Matrix): void
}

export type TowerShape = {
  /** `linear`: one table; `mlp`: a table, ReLU, and two dense layers. */
  readonly depth: 'linear' | 'mlp'
  readonly width: number
  readonly batch: number
}

/** Starting values: tables and, for `mlp`, the two dense layers. */
export type TowerStart = {
  readonly content: Float32Array
  readonly dense: readonly Float32Array[]
  /** @defaultValue zeros: an id says nothing before it was learned */
  readonly ids?: Float32Array
}

/**
 * @param content - rows that go through all layers
 * @param ids - rows whose table is added to what comes out; null where a side has none
 */
export function openTower(
  matrices: Matrices,
  shape: TowerShape,
  {
    content,
    ids,
    start,
  }: { readonly content: SparseRows; readonly ids: SparseRows | null; readonly start: TowerStart },
): Tower {
  const { width, batch } = shape
  const table = parameter(start.content, width)
  const idTable = ids && parameter(start.ids ?? new Float32Array(ids.width * width), width)
  const layers =
    shape.depth === 'mlp'
      ? start.dense.map((weights) =>
          denseLayer(matrices, { inputs: width, outputs: width, batch }, { weights }),
        )
      : []
  const between = [0, ...layers].map(() => matrices.take(batch, width))
  const back = layers.map(() => matrices.take(batch, width))
  let lengths: Float32Array = new Float32Array(batch)
  return {
    parameters: {
      table,
      ...(idTable ? { ids: idTable } : {}),
      ...Object.fromEntries(layers.map(({ learned }, place) => [`dense${place}`, learned])),
    },
    forward(items) {
      const first = between[0]!
      first.values.fill(0)
      addBag(table, content, items, first)
      if (layers.length > 0)
        for (let at = 0; at < first.values.length; at += 1) if (first.values[at]! < 0) first.values[at] = 0
      for (const [place, layer] of layers.entries()) layer.forward(between[place]!, between[place + 1]!)
      const last = between.at(-1)!
      if (ids && idTable) addBag(idTable, ids, items, last)
      lengths = normaliseRows(last)
      return last
    },
    backward(items, gradient) {
      backNormalise(between.at(-1)!, lengths, gradient)
      if (ids && idTable) backBag(idTable, ids, items, gradient)
      let by = gradient
      for (let place = layers.length - 1; place >= 0; place -= 1) {
        layers[place]!.backward(between[place]!, by, back[place]!)
        by = back[place]!
      }
      const first = between[0]!
      if (layers.length > 0)
        for (let at = 0; at < first.values.length; at += 1) if (first.values[at] === 0) by.values[at] = 0
      backBag(table, content, items, by)
    },
  }
}
