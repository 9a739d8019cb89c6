// Dot products of one query with many int8 rows.

/**
 * out[i] = unit * scales[i] * (query . rows[i]), four rows at a time: each part of the query is loaded once for four.
 * `count` is a multiple of 4, `d` of 16. Four rows that `admitted` (one byte each; 0 for no filter) all leaves out are
 * passed over, and their scores are not written.
 */
export function scan(query: usize, rows: usize, scales: usize, admitted: usize, count: i32, d: i32, unit: f32, out: usize): void {
  const bytes = <usize>d;
  const units = f32x4.splat(unit);
  for (let i: usize = 0; i < <usize>count; i += 4) {
    if (admitted != 0 && load<u32>(admitted + i) == 0) continue;
    const row0 = rows + i * bytes;
    const row1 = row0 + bytes;
    const row2 = row1 + bytes;
    const row3 = row2 + bytes;
    let s0 = i32x4.splat(0);
    let s1 = i32x4.splat(0);
    let s2 = i32x4.splat(0);
    let s3 = i32x4.splat(0);
    for (let t: usize = 0; t < bytes; t += 16) {
      const q = query + (t << 1);
      const low = v128.load(q);
      const high = v128.load(q, 16);
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v128.load8x8_s(row0 + t), low));
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(v128.load8x8_s(row1 + t), low));
      s2 = i32x4.add(s2, i32x4.dot_i16x8_s(v128.load8x8_s(row2 + t), low));
      s3 = i32x4.add(s3, i32x4.dot_i16x8_s(v128.load8x8_s(row3 + t), low));
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v128.load8x8_s(row0 + t, 8), high));
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(v128.load8x8_s(row1 + t, 8), high));
      s2 = i32x4.add(s2, i32x4.dot_i16x8_s(v128.load8x8_s(row2 + t, 8), high));
      s3 = i32x4.add(s3, i32x4.dot_i16x8_s(v128.load8x8_s(row3 + t, 8), high));
    }
    // The four sums of each row, turned so that one addition per lane is left.
    const a = i32x4.add(v128.shuffle<i32>(s0, s1, 0, 4, 1, 5), v128.shuffle<i32>(s0, s1, 2, 6, 3, 7));
    const b = i32x4.add(v128.shuffle<i32>(s2, s3, 0, 4, 1, 5), v128.shuffle<i32>(s2, s3, 2, 6, 3, 7));
    const sums = i32x4.add(v128.shuffle<i32>(a, b, 0, 1, 4, 5), v128.shuffle<i32>(a, b, 2, 3, 6, 7));
    const scaled = f32x4.mul(v128.load(scales + (i << 2)), f32x4.mul(units, f32x4.convert_i32x4_s(sums)));
    v128.store(out + (i << 2), scaled);
  }
}

/**
 * Writes the numbers of the scores that are `bar` or more, ascending; NaN never is. `count` is a multiple of 4.
 *
 * @returns how many there are
 */
export function atLeast(scores: usize, count: i32, bar: f32, out: usize): i32 {
  const bars = f32x4.splat(bar);
  let end = out;
  for (let i = 0; i < count; i += 4) {
    let mask = i32x4.bitmask(f32x4.ge(v128.load(scores + (<usize>i << 2)), bars));
    for (; mask != 0; mask &= mask - 1) {
      store<u32>(end, i + ctz(mask));
      end += 4;
    }
  }
  return <i32>((end - out) >> 2);
}
