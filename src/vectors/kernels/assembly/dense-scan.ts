// Scores of one query over many rows: dot products with int8 rows, and sums of what its terms add.

/** query . row for four rows that follow each other: each part of the query is loaded once for four. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function fourSums(query: usize, row0: usize, bytes: usize): v128 {
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
  return i32x4.add(v128.shuffle<i32>(a, b, 0, 1, 4, 5), v128.shuffle<i32>(a, b, 2, 3, 6, 7));
}

/**
 * out[i] = unit * scales[i] * (query . rows[i]). `count` is a multiple of 4, `d` of 16. Four rows that `admitted` (one byte each;
 * 0 for no filter) all leaves out are passed over, and nothing is written for them.
 */
export function scan(query: usize, rows: usize, scales: usize, admitted: usize, count: i32, d: i32, unit: f32, out: usize): void {
  const bytes = <usize>d;
  const units = f32x4.splat(unit);
  for (let i: usize = 0; i < <usize>count; i += 4) {
    if (admitted != 0 && load<u32>(admitted + i) == 0) continue;
    const sums = fourSums(query, rows + i * bytes, bytes);
    v128.store(out + (i << 2), f32x4.mul(v128.load(scales + (i << 2)), f32x4.mul(units, f32x4.convert_i32x4_s(sums))));
  }
}

/**
 * The same over the first values of each row, which `sums` keeps; `out` gets the most that the whole can be when the rest of row i
 * adds at most reach * reaches[i].
 */
export function bound(query: usize, heads: usize, scales: usize, admitted: usize, count: i32, d: i32, unit: f32, reach: f32, reaches: usize, sums: usize, out: usize): void {
  const bytes = <usize>d;
  const units = f32x4.splat(unit);
  const reached = f32x4.splat(reach);
  // Sixteen times what rounding to 32 bits can make of a score.
  const rounding = f32x4.splat(0.00000095367431640625);
  for (let i: usize = 0; i < <usize>count; i += 4) {
    if (admitted != 0 && load<u32>(admitted + i) == 0) continue;
    const four = fourSums(query, heads + i * bytes, bytes);
    v128.store(sums + (i << 2), four);
    const scaled = f32x4.mul(v128.load(scales + (i << 2)), f32x4.mul(units, f32x4.convert_i32x4_s(four)));
    const rest = f32x4.mul(reached, v128.load(reaches + (i << 2)));
    const slack = f32x4.mul(rounding, f32x4.add(f32x4.abs(scaled), rest));
    v128.store(out + (i << 2), f32x4.add(f32x4.add(scaled, rest), slack));
  }
}

/**
 * Writes the numbers of the rows whose most, as `bound` tells it, is `bar` or more, ascending; none of it is kept.
 *
 * @returns how many there are
 */
export function above(query: usize, heads: usize, scales: usize, admitted: usize, count: i32, d: i32, unit: f32, reach: f32, reaches: usize, bar: f32, out: usize): i32 {
  const bytes = <usize>d;
  const units = f32x4.splat(unit);
  const reached = f32x4.splat(reach);
  const rounding = f32x4.splat(0.00000095367431640625);
  const bars = f32x4.splat(bar);
  let end = out;
  for (let i: usize = 0; i < <usize>count; i += 4) {
    if (admitted != 0 && load<u32>(admitted + i) == 0) continue;
    const four = fourSums(query, heads + i * bytes, bytes);
    const scaled = f32x4.mul(v128.load(scales + (i << 2)), f32x4.mul(units, f32x4.convert_i32x4_s(four)));
    const rest = f32x4.mul(reached, v128.load(reaches + (i << 2)));
    const slack = f32x4.mul(rounding, f32x4.add(f32x4.abs(scaled), rest));
    let mask = i32x4.bitmask(f32x4.ge(f32x4.add(f32x4.add(scaled, rest), slack), bars));
    for (; mask != 0; mask &= mask - 1) {
      const row = i + ctz(mask);
      if (admitted != 0 && load<u8>(admitted + row) == 0) continue;
      store<u32>(end, <u32>row);
      end += 4;
    }
  }
  return <i32>((end - out) >> 2);
}

/** query . row of one part of a row, of `d` values, a multiple of 16. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function oneSum(query: usize, row: usize, d: usize): i32 {
  let sum = i32x4.splat(0);
  for (let t: usize = 0; t < d; t += 16) {
    const q = query + (t << 1);
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load8x8_s(row + t), v128.load(q)));
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load8x8_s(row + t, 8), v128.load(q, 16)));
  }
  return i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3);
}

/** out[at] = the score of the row that `list` names there: of its head of `head` values and its tail of `tail`. */
export function whole(list: usize, count: i32, query: usize, heads: usize, head: i32, tails: usize, tail: i32, scales: usize, unit: f32, out: usize): void {
  const first = <usize>head;
  const rest = <usize>tail;
  for (let at: usize = 0; at < <usize>count; at++) {
    const i = <usize>load<u32>(list + (at << 2));
    const sum = oneSum(query, heads + i * first, first) + oneSum(query + (first << 1), tails + i * rest, rest);
    store<f32>(out + (at << 2), load<f32>(scales + (i << 2)) * (unit * <f32>sum));
  }
}

/** Completes the scores of the `count` rows that `list` names: what `bound` kept of each, and its rest of `d` values, a multiple of 16. */
export function finish(list: usize, count: i32, query: usize, tails: usize, scales: usize, d: i32, unit: f32, sums: usize, out: usize): void {
  const bytes = <usize>d;
  for (let at: usize = 0; at < <usize>count; at++) {
    const i = <usize>load<u32>(list + (at << 2));
    const whole = load<i32>(sums + (i << 2)) + oneSum(query, tails + i * bytes, bytes);
    store<f32>(out + (i << 2), load<f32>(scales + (i << 2)) * (unit * <f32>whole));
  }
}

/** scores[rows[i]] += weight * impacts[i], rounded to 32 bits each time. */
export function addUp(rows: usize, impacts: usize, count: i32, weight: f64, scores: usize): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    const at = scores + (<usize>load<u32>(rows + (i << 2)) << 2);
    store<f32>(at, <f32>(<f64>load<f32>(at) + weight * <f64>load<u16>(impacts + (i << 1))));
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
