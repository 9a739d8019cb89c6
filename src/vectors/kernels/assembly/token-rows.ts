// Dot products of many int8 rows with many others of the same table.

import { laneSums } from './lane-sums';

/** Two lists of rows, and where their products go: a block of arguments in memory, which the caller writes. Each field has 32 bits. */
@unmanaged
class Lists {
  rows: usize;
  /** Values of a row, in int8; a multiple of 16. */
  values: i32;
  tokens: usize;
  tokenCount: i32;
  others: usize;
  otherCount: i32;
  /** Scratch for the rows of the others in int16, rounded up to a multiple of four rows. */
  wide: usize;
  out: usize;
  stride: i32;
}

/**
 * out[i * stride + j] = row `tokens[i]` . row `others[j]`, two rows of the one list by four of the other at a time: what is
 * loaded is used again.
 */
export function dots(lists: Lists): void {
  const rows = lists.rows;
  const tokens = lists.tokens;
  const tokenCount = lists.tokenCount;
  const otherCount = lists.otherCount;
  const wide = lists.wide;
  const out = lists.out;
  const bytes = <usize>lists.values;
  const wideBytes = bytes << 1;
  for (let j = 0; j < otherCount; j++) {
    const row = rows + <usize>load<u32>(lists.others + (<usize>j << 2)) * bytes;
    const target = wide + <usize>j * wideBytes;
    for (let t: usize = 0; t < bytes; t += 8) v128.store(target + (t << 1), v128.load8x8_s(row + t));
  }
  const rowStep = <usize>lists.stride << 2;
  for (let i = 0; i < tokenCount; i += 2) {
    // The last of an odd number is its own neighbour: the same is written twice.
    const second = i + 1 < tokenCount ? i + 1 : i;
    const rowA = rows + <usize>load<u32>(tokens + (<usize>i << 2)) * bytes;
    const rowB = rows + <usize>load<u32>(tokens + (<usize>second << 2)) * bytes;
    const outA = out + <usize>i * rowStep;
    const outB = out + <usize>second * rowStep;
    for (let j = 0; j < otherCount; j += 4) {
      const q0 = wide + <usize>j * wideBytes;
      const q1 = q0 + wideBytes;
      const q2 = q1 + wideBytes;
      const q3 = q2 + wideBytes;
      let a0 = i32x4.splat(0);
      let a1 = i32x4.splat(0);
      let a2 = i32x4.splat(0);
      let a3 = i32x4.splat(0);
      let b0 = i32x4.splat(0);
      let b1 = i32x4.splat(0);
      let b2 = i32x4.splat(0);
      let b3 = i32x4.splat(0);
      for (let t: usize = 0; t < bytes; t += 8) {
        const a = v128.load8x8_s(rowA + t);
        const b = v128.load8x8_s(rowB + t);
        const at = t << 1;
        const w0 = v128.load(q0 + at);
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(a, w0));
        b0 = i32x4.add(b0, i32x4.dot_i16x8_s(b, w0));
        const w1 = v128.load(q1 + at);
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(a, w1));
        b1 = i32x4.add(b1, i32x4.dot_i16x8_s(b, w1));
        const w2 = v128.load(q2 + at);
        a2 = i32x4.add(a2, i32x4.dot_i16x8_s(a, w2));
        b2 = i32x4.add(b2, i32x4.dot_i16x8_s(b, w2));
        const w3 = v128.load(q3 + at);
        a3 = i32x4.add(a3, i32x4.dot_i16x8_s(a, w3));
        b3 = i32x4.add(b3, i32x4.dot_i16x8_s(b, w3));
      }
      const left = otherCount - j;
      keep(f32x4.convert_i32x4_s(laneSums(a0, a1, a2, a3)), outA + (<usize>j << 2), left);
      keep(f32x4.convert_i32x4_s(laneSums(b0, b1, b2, b3)), outB + (<usize>j << 2), left);
    }
  }
}

/** Writes the first of four values, as many as are left. */
// @ts-ignore: decorator
@inline
function keep(values: v128, at: usize, left: i32): void {
  if (left >= 4) {
    v128.store(at, values);
    return;
  }
  store<f32>(at, f32x4.extract_lane(values, 0));
  if (left > 1) store<f32>(at, f32x4.extract_lane(values, 1), 4);
  if (left > 2) store<f32>(at, f32x4.extract_lane(values, 2), 8);
}

/**
 * out[c] = the sum over the tokens of factors[i] * row `tokens[i]`, column `c`, in the order of the tokens, in 64-bit floating
 * point. `out` holds `values` zeros.
 */
export function weightedSum(
  rows: usize, tokens: usize, count: i32, values: i32, factors: usize, out: usize,
): void {
  for (let i = 0; i < count; i++) {
    const row = rows + <usize>load<u32>(tokens + (<usize>i << 2)) * <usize>values;
    const factor = f64x2.splat(load<f64>(factors + (<usize>i << 3)));
    let to = out;
    for (let t: usize = 0; t < <usize>values; t += 8) {
      const wide = v128.load8x8_s(row + t);
      const low = i32x4.extend_low_i16x8_s(wide);
      const high = i32x4.extend_high_i16x8_s(wide);
      addPair(to, factor, low);
      addPair(to + 16, factor, v128.shuffle<i32>(low, low, 2, 3, 0, 1));
      addPair(to + 32, factor, high);
      addPair(to + 48, factor, v128.shuffle<i32>(high, high, 2, 3, 0, 1));
      to += 64;
    }
  }
}

/** Adds the first two of four integers, times a factor, to two sums. */
// @ts-ignore: decorator
@inline
function addPair(at: usize, factor: v128, values: v128): void {
  v128.store(at, f64x2.add(v128.load(at), f64x2.mul(factor, f64x2.convert_low_i32x4_s(values))));
}
