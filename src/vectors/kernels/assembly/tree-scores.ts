// Sums of regression trees over rows, by the leaves that each split rules out.

/**
 * out[row] = initial + the values of the leaves that row `row` reaches, tree after tree. Rows stand in columns: feature `f` of row
 * `r` at `columns + f * stride + 4 * r`; eight rows are read at a time, so that a column holds a multiple of eight.
 *
 * A split is 12 bytes: offset of its column in bytes (u32), threshold (f32), and the leaves of its left side as bits (u32), which
 * a value above the threshold rules out. NaN is above nothing. Of the leaves that no split ruled out, the lowest is the row's.
 * A tree is 8 bytes: where its splits end, and number of its first leaf in `values` (f32), both u32.
 *
 * @see Lucchese et al., "Exploiting CPU SIMD Extensions to Speed-up Document Scoring with Tree Ensembles", SIGIR 2016
 */
export function score(
  columns: usize, splits: usize, trees: usize, treeCount: i32, values: usize, initial: f64, rows: i32, out: usize,
): void {
  for (let row = 0; row < rows; row += 8) {
    const cells = columns + (<usize>row << 2);
    let s0 = initial;
    let s1 = initial;
    let s2 = initial;
    let s3 = initial;
    let s4 = initial;
    let s5 = initial;
    let s6 = initial;
    let s7 = initial;
    let split = splits;
    for (let t = 0; t < treeCount; t++) {
      const tree = trees + (<usize>t << 3);
      const end = splits + <usize>load<u32>(tree);
      const leaves = values + (<usize>load<u32>(tree, 4) << 2);
      let low = i32x4.splat(-1);
      let high = i32x4.splat(-1);
      for (; split < end; split += 12) {
        const cell = cells + <usize>load<u32>(split);
        const threshold = f32x4.splat(load<f32>(split, 4));
        const left = v128.load32_splat(split, 8);
        low = v128.andnot(low, v128.and(f32x4.gt(v128.load(cell), threshold), left));
        high = v128.andnot(high, v128.and(f32x4.gt(v128.load(cell, 16), threshold), left));
      }
      s0 += leafOf(leaves, i32x4.extract_lane(low, 0));
      s1 += leafOf(leaves, i32x4.extract_lane(low, 1));
      s2 += leafOf(leaves, i32x4.extract_lane(low, 2));
      s3 += leafOf(leaves, i32x4.extract_lane(low, 3));
      s4 += leafOf(leaves, i32x4.extract_lane(high, 0));
      s5 += leafOf(leaves, i32x4.extract_lane(high, 1));
      s6 += leafOf(leaves, i32x4.extract_lane(high, 2));
      s7 += leafOf(leaves, i32x4.extract_lane(high, 3));
    }
    const target = out + (<usize>row << 3);
    store<f64>(target, s0);
    store<f64>(target, s1, 8);
    store<f64>(target, s2, 16);
    store<f64>(target, s3, 24);
    store<f64>(target, s4, 32);
    store<f64>(target, s5, 40);
    store<f64>(target, s6, 48);
    store<f64>(target, s7, 56);
  }
}

// @ts-ignore: decorator
@inline
function leafOf(leaves: usize, remaining: i32): f64 {
  return <f64>load<f32>(leaves + (<usize>ctz(remaining) << 2));
}
