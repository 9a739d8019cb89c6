import { sharedArena } from '../../shared-arena.ts'
import { webAssembly } from '../../../../../src/vectors/kernels/web-assembly.ts'
import { wasm } from '../../contrastive/contrastive.wasm.ts'

/** Numbers in rows, in the memory of the kernels. Rows and columns are multiples of 8. */
export type Matrix = {
  readonly at: number
  readonly rows: number
  readonly columns: number
  readonly values: Float32Array
}

type Kernels = {
  multiply(
    g: number,
    from: number,
    to: number,
    n: number,
    b: number,
    d: number,
    panel: number,
    out: number,
  ): void
  transpose(g: number, rows: number, n: number, from: number, to: number, out: number): void
}

/** Matrices that are multiplied by the kernels of the contrastive trainer, on one thread. */
export type Matrices = {
  take(rows: number, columns: number): Matrix
  /** out = a b. */
  multiply(a: Matrix, b: Matrix, out: Matrix): void
  /** out = the transpose of a. */
  transpose(a: Matrix, out: Matrix): void
}

/**
 * @param numbers - that will be taken in all, at most
 * @param longest - most rows of a second factor
 */
export function openMatrices(numbers: number, longest: number): Matrices {
  const arena = sharedArena(4 * (numbers + 8 * longest) + (1 << 16))
  const module = new webAssembly.Module(Uint8Array.from(Buffer.from(wasm, 'base64')))
  const instance = new webAssembly.Instance(module, { env: { memory: arena.memory } })
  const kernels = instance.exports as unknown as Kernels
  const panel = arena.take(8 * longest)
  return {
    take(rows, columns) {
      if (rows % 8 > 0 || columns % 8 > 0) throw new RangeError(`${rows} x ${columns}: not multiples of 8`)
      const at = arena.take(rows * columns)
      return { at, rows, columns, values: arena.f32(at, rows * columns) }
    },
    multiply(a, b, out) {
      if (a.columns !== b.rows || a.rows !== out.rows || b.columns !== out.columns || b.rows > longest)
        throw new RangeError(`${a.rows} x ${a.columns} and ${b.rows} x ${b.columns} cannot be multiplied`)
      kernels.multiply(a.at, 0, a.rows, a.columns, b.at, b.columns, panel, out.at)
    },
    transpose(a, out) {
      kernels.transpose(a.at, a.rows, a.columns, 0, a.columns, out.at)
    },
  }
}
