// Dot products of a query in 16 bits with rows in 8. Rows have a multiple of 16 values, `bytes` of one each.

import { laneSums } from './lane-sums';

/** query . row for four rows, `step` bytes apart: each part of the query is loaded once for four. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function sumsOf(query: usize, bytes: usize, row: usize, step: usize): v128 {
  const second = row + step;
  const third = row + 2 * step;
  const fourth = row + 3 * step;
  let s0 = i32x4.splat(0);
  let s1 = i32x4.splat(0);
  let s2 = i32x4.splat(0);
  let s3 = i32x4.splat(0);
  for (let t: usize = 0; t < bytes; t += 16) {
    const q = query + (t << 1);
    const low = v128.load(q);
    const high = v128.load(q, 16);
    s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v128.load8x8_s(row + t), low));
    s1 = i32x4.add(s1, i32x4.dot_i16x8_s(v128.load8x8_s(second + t), low));
    s2 = i32x4.add(s2, i32x4.dot_i16x8_s(v128.load8x8_s(third + t), low));
    s3 = i32x4.add(s3, i32x4.dot_i16x8_s(v128.load8x8_s(fourth + t), low));
    s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v128.load8x8_s(row + t, 8), high));
    s1 = i32x4.add(s1, i32x4.dot_i16x8_s(v128.load8x8_s(second + t, 8), high));
    s2 = i32x4.add(s2, i32x4.dot_i16x8_s(v128.load8x8_s(third + t, 8), high));
    s3 = i32x4.add(s3, i32x4.dot_i16x8_s(v128.load8x8_s(fourth + t, 8), high));
  }
  return laneSums(s0, s1, s2, s3);
}

/** The same for two queries: each part of a row is loaded once for both. Written to `out`, and 64 bytes behind. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function sumsOfBoth(query: usize, other: usize, bytes: usize, row: usize, step: usize, out: usize): void {
  const second = row + step;
  const third = row + 2 * step;
  const fourth = row + 3 * step;
  let s0 = i32x4.splat(0);
  let s1 = i32x4.splat(0);
  let s2 = i32x4.splat(0);
  let s3 = i32x4.splat(0);
  let t0 = i32x4.splat(0);
  let t1 = i32x4.splat(0);
  let t2 = i32x4.splat(0);
  let t3 = i32x4.splat(0);
  for (let t: usize = 0; t < bytes; t += 8) {
    const q = v128.load(query + (t << 1));
    const p = v128.load(other + (t << 1));
    let values = v128.load8x8_s(row + t);
    s0 = i32x4.add(s0, i32x4.dot_i16x8_s(values, q));
    t0 = i32x4.add(t0, i32x4.dot_i16x8_s(values, p));
    values = v128.load8x8_s(second + t);
    s1 = i32x4.add(s1, i32x4.dot_i16x8_s(values, q));
    t1 = i32x4.add(t1, i32x4.dot_i16x8_s(values, p));
    values = v128.load8x8_s(third + t);
    s2 = i32x4.add(s2, i32x4.dot_i16x8_s(values, q));
    t2 = i32x4.add(t2, i32x4.dot_i16x8_s(values, p));
    values = v128.load8x8_s(fourth + t);
    s3 = i32x4.add(s3, i32x4.dot_i16x8_s(values, q));
    t3 = i32x4.add(t3, i32x4.dot_i16x8_s(values, p));
  }
  v128.store(out, laneSums(s0, s1, s2, s3));
  v128.store(out, laneSums(t0, t1, t2, t3), 64);
}

/** query . row of one row, of `d` values. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function oneSum(query: usize, row: usize, d: usize): i32 {
  let sum = i32x4.splat(0);
  for (let t: usize = 0; t < d; t += 16) {
    const q = query + (t << 1);
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load8x8_s(row + t), v128.load(q)));
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load8x8_s(row + t, 8), v128.load(q, 16)));
  }
  return i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3);
}
