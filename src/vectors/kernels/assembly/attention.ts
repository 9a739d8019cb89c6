// Attention within one text.

import { softmax } from './row-functions';

/**
 * Of each head: softmax(queries . keys / sqrt(width)) values, four queries at a time. Rows have `hidden` values, a multiple of 4 for
 * each head. `scratch` holds the turned keys of a head and four rows of scores: (width + 4) * tokens, rounded up to a multiple of 4.
 */
export function attend(
  queries: usize, keys: usize, values: usize, tokens: i32, hidden: i32, heads: i32, scratch: usize, out: usize,
): void {
  const width = hidden / heads;
  const scale: f32 = 1 / sqrt<f32>(<f32>width);
  const padded = (tokens + 3) & ~3;
  const scores = scratch + (<usize>(width * padded) << 2);
  const step = <usize>hidden << 2;
  const scoreStep = <usize>padded << 2;
  for (let head = 0; head < heads; head++) {
    const at = <usize>(head * width) << 2;
    turn(keys + at, tokens, step, width, scratch, scoreStep);
    for (let i = 0; i < tokens; i += 4) {
      // The last rows are their own neighbours: the same is written again.
      const q1 = <usize>min(i + 1, tokens - 1) * step + at;
      const q2 = <usize>min(i + 2, tokens - 1) * step + at;
      const q3 = <usize>min(i + 3, tokens - 1) * step + at;
      const q0 = <usize>i * step + at;
      product(queries + q0, queries + q1, queries + q2, queries + q3, width, scratch, scoreStep, padded,
        scores, scores + scoreStep, scores + 2 * scoreStep, scores + 3 * scoreStep);
      for (let row: usize = 0; row < 4; row++) {
        const own = scores + row * scoreStep;
        // Beyond the text: so little that it adds nothing to the sum.
        for (let j = tokens; j < padded; j++) store<f32>(own + (<usize>j << 2), -3.0e38);
        softmax(own, padded, scale);
      }
      product(scores, scores + scoreStep, scores + 2 * scoreStep, scores + 3 * scoreStep, tokens, values + at, step, width,
        out + q0, out + q1, out + q2, out + q3);
    }
  }
}

/** Columns become rows; what is beyond the tokens becomes 0. */
function turn(rows: usize, tokens: i32, step: usize, width: i32, to: usize, toStep: usize): void {
  for (let c = 0; c < width; c++) {
    let from = rows + (<usize>c << 2);
    let at = to + <usize>c * toStep;
    const end = at + toStep;
    for (let j = 0; j < tokens; j++) {
      store<f32>(at, load<f32>(from));
      from += step;
      at += 4;
    }
    for (; at < end; at += 4) store<f32>(at, 0);
  }
}

/** Four rows of `count` values by `count` rows of `columns` values, a multiple of 4. */
function product(
  a0: usize, a1: usize, a2: usize, a3: usize, count: i32, rows: usize, step: usize, columns: i32,
  out0: usize, out1: usize, out2: usize, out3: usize,
): void {
  for (let c: usize = 0; c < <usize>columns << 2; c += 16) {
    let s0 = f32x4.splat(0);
    let s1 = f32x4.splat(0);
    let s2 = f32x4.splat(0);
    let s3 = f32x4.splat(0);
    let row = rows + c;
    for (let k: usize = 0; k < <usize>count << 2; k += 4) {
      const value = v128.load(row);
      s0 = f32x4.add(s0, f32x4.mul(v128.load32_splat(a0 + k), value));
      s1 = f32x4.add(s1, f32x4.mul(v128.load32_splat(a1 + k), value));
      s2 = f32x4.add(s2, f32x4.mul(v128.load32_splat(a2 + k), value));
      s3 = f32x4.add(s3, f32x4.mul(v128.load32_splat(a3 + k), value));
      row += step;
    }
    v128.store(out0 + c, s0);
    v128.store(out1 + c, s1);
    v128.store(out2 + c, s2);
    v128.store(out3 + c, s3);
  }
}
