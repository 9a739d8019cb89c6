// Dot products of one query with many int8 rows.

/**
 * out[i] = scales[i] * (query . rows[i]) for `count` rows of `d` int8 values, the query as int16; d a multiple of 8 and
 * sums below 2^31: |query| <= 32767 / 4 with d <= 1024 is safe.
 */
export function scan(query: usize, rows: usize, scales: usize, count: i32, d: i32, out: usize): void {
  const bytes = <usize>d;
  for (let i = 0; i < count; i++) {
    const row = rows + <usize>i * bytes;
    let s0 = i32x4.splat(0);
    let s1 = i32x4.splat(0);
    let t: usize = 0;
    for (; t + 16 <= bytes; t += 16) {
      const q = query + (t << 1);
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v128.load8x8_s(row + t), v128.load(q)));
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(v128.load8x8_s(row + t, 8), v128.load(q, 16)));
    }
    if (t < bytes) s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v128.load8x8_s(row + t), v128.load(query + (t << 1))));
    const s = i32x4.add(s0, s1);
    const sum = i32x4.extract_lane(s, 0) + i32x4.extract_lane(s, 1) + i32x4.extract_lane(s, 2) + i32x4.extract_lane(s, 3);
    store<f32>(out + (<usize>i << 2), load<f32>(scales + (<usize>i << 2)) * <f32>sum);
  }
}
