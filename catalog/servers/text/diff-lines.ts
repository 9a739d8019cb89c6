import { InputError } from '../shared/input-error.ts'

/** A line of a comparison. */
export type LineChange = { readonly change: 'same' | 'added' | 'removed'; readonly text: string }

/** Cells of the table of common lengths; beyond it the comparison would take seconds. */
const mostCells = 9_000_000

/**
 * The shortest set of lines to remove and add that turns one text into the other; removals come before additions.
 *
 * The table holds at [i][j] the length of the longest common subsequence of before[i..] and after[j..], so that a walk
 * from the top left corner that follows the larger neighbour spells the comparison in order.
 *
 * @throws InputError when what differs is thousands of lines on both sides
 */
export function diffLines(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  const head = commonPrefix(before, after)
  const tail = commonPrefix(before.slice(head).reverse(), after.slice(head).reverse())
  const left = before.slice(head, before.length - tail)
  const right = after.slice(head, after.length - tail)
  const width = right.length + 1
  if ((left.length + 1) * width > mostCells) {
    throw new InputError(
      `The texts differ in ${left.length} and ${right.length} lines, too many to align. Send parts of at most 3000 lines.`,
    )
  }
  const common = new Uint32Array((left.length + 1) * width)
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        left[i] === right[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
    }
  }
  const changes: LineChange[] = before.slice(0, head).map(same)
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    const removable = i < left.length
    const addable = j < right.length
    if (removable && addable && left[i] === right[j]) {
      changes.push(same(left[i]!))
      i += 1
      j += 1
    } else if (removable && (!addable || common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      changes.push({ change: 'removed', text: left[i]! })
      i += 1
    } else {
      changes.push({ change: 'added', text: right[j]! })
      j += 1
    }
  }
  return [...changes, ...before.slice(before.length - tail).map(same)]
}

const same = (text: string): LineChange => ({ change: 'same', text })

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}
