import { expect, test } from 'vitest'
import { argumentBlock, blockBytes } from '../../../src/vectors/kernels/argument-block.ts'
import { writeQuery } from '../../../src/vectors/kernels/dense-scan.wasm.ts'
import { webAssembly } from '../../../src/vectors/kernels/web-assembly.ts'

test('a block holds its fields one after the other, each as its kind has it, and leaves what is beside it alone', () => {
  const memory = new webAssembly.Memory({ initial: 1 })
  const [one, other] = [1, 2].map((place) => argumentBlock(memory, place * blockBytes))
  const fields = {
    values: 2 ** 32 - 64,
    unit: 0.1,
    reach: 2,
    bar: Number.NEGATIVE_INFINITY,
    list: 3,
    sums: 4,
    scores: 5,
  }
  writeQuery(other!, { ...fields, unit: -0.5, scores: 6 })
  writeQuery(one!, fields)
  const view = new DataView(memory.buffer)
  const heldAt = (at: number) => [
    view.getUint32(at, true),
    view.getFloat32(at + 4, true),
    view.getFloat32(at + 8, true),
    view.getFloat32(at + 12, true),
    view.getUint32(at + 16, true),
    view.getUint32(at + 20, true),
    view.getUint32(at + 24, true),
  ]
  expect(heldAt(one!.at)).toEqual([2 ** 32 - 64, Math.fround(0.1), 2, Number.NEGATIVE_INFINITY, 3, 4, 5])
  expect(heldAt(other!.at)).toEqual([2 ** 32 - 64, -0.5, 2, Number.NEGATIVE_INFINITY, 3, 4, 6])
  expect(view.getUint32(one!.at + 28, true)).toBe(0)
})
