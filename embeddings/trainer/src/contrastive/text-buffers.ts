import type { SharedArena } from '../shared-arena.ts'
import type { TokenTexts } from './texts.ts'

/** Where one tower's texts of a batch lie in the shared memory, as byte offsets. */
type TextBuffers = ReturnType<typeof textBuffers>

/**
 * @param rows - texts at most
 * @param most - tokens of a text at most
 * @param d - length of a vector
 */
export const textBuffers = (arena: SharedArena, rows: number, most: number, d: number) => ({
  rows,
  capacity: rows * most,
  tokens: arena.take(rows * most),
  fields: arena.take(rows * most, 1),
  starts: arena.take(rows + 1),
  vectors: arena.take(rows * d),
  gradients: arena.take(rows * d),
  norms: arena.take(rows),
})

/** Copies texts into the buffers, each token kept with probability `keep`, at least one of each text; the rest is empty. */
export function fillTexts(
  arena: SharedArena,
  tower: TextBuffers,
  texts: TokenTexts,
  lists: readonly ArrayLike<number>[],
  limit: number,
  keep: number,
  random: () => number,
): void {
  const tokens = arena.u32(tower.tokens, tower.capacity)
  const fields = arena.u8(tower.fields, tower.capacity)
  const starts = arena.u32(tower.starts, tower.rows + 1)
  let row = 0
  let size = 0
  for (const list of lists) {
    for (let index = 0; index < list.length; index++) {
      const text = list[index]!
      const from = texts.starts[text]!
      const to = Math.min(texts.starts[text + 1]!, from + limit)
      const before = size
      for (let at = from; at < to; at++) {
        if (keep < 1 && random() >= keep) continue
        tokens[size] = texts.tokens[at]!
        fields[size] = texts.fields[at]!
        size += 1
      }
      if (size === before && to > from) {
        tokens[size] = texts.tokens[from]!
        fields[size] = texts.fields[from]!
        size += 1
      }
      row += 1
      starts[row] = size
    }
  }
  starts.fill(size, row + 1)
}
