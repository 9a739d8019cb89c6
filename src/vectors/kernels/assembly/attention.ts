// Attention within one text.

import { softmax } from './row-functions';

/** Up to four rows times a matrix: a block of arguments in the scratch of each thread. */
@unmanaged
class Product {
  /** Rows of `count` values, so many bytes apart. */
  from: usize;
  fromStep: usize;
  /** How many there are beside the first: 0 to 3. */
  beside: i32;
  /** `count` rows of `columns` values, a multiple of 4, so many bytes apart. */
  matrix: usize;
  step: usize;
  count: i32;
  columns: i32;
  out: usize;
  outStep: usize;
}

/** Bytes of a block, and more. */
const blockBytes: usize = 64;

/**
 * Of each head: softmax(queries . keys / sqrt(width)) values, four queries at a time. Rows have `hidden` values, a multiple of 4 for
 * each head. `scratch` holds two blocks, the turned keys of a head and four rows of scores: 128 bytes, and 4 * (width + 4) for each
 * token, rounded up to a multiple of 4.
 */
export function attend(
  queries: usize, keys: usize, values: usize, tokens: i32, hidden: i32, heads: i32, scratch: usize, out: usize,
): void {
  const width = hidden / heads;
  const scale: f32 = 1 / sqrt<f32>(<f32>width);
  const padded = (tokens + 3) & ~3;
  const turned = scratch + 2 * blockBytes;
  const scores = turned + (<usize>(width * padded) << 2);
  const step = <usize>hidden << 2;
  const scoreStep = <usize>padded << 2;
  const byKeys = changetype<Product>(scratch);
  byKeys.fromStep = step;
  byKeys.matrix = turned;
  byKeys.step = scoreStep;
  byKeys.count = width;
  byKeys.columns = padded;
  byKeys.out = scores;
  byKeys.outStep = scoreStep;
  const byValues = changetype<Product>(scratch + blockBytes);
  byValues.from = scores;
  byValues.fromStep = scoreStep;
  byValues.step = step;
  byValues.count = tokens;
  byValues.columns = width;
  byValues.outStep = step;
  for (let head = 0; head < heads; head++) {
    const at = <usize>(head * width) << 2;
    turn(keys + at, tokens, step, width, turned, scoreStep);
    byValues.matrix = values + at;
    for (let i = 0; i < tokens; i += 4) {
      const beside = min(3, tokens - 1 - i);
      const place = <usize>i * step + at;
      byKeys.from = queries + place;
      byKeys.beside = beside;
      product(byKeys);
      for (let row = 0; row <= beside; row++) {
        const own = scores + <usize>row * scoreStep;
        // Beyond the text: so little that it adds nothing to the sum.
        for (let j = tokens; j < padded; j++) store<f32>(own + (<usize>j << 2), -3.0e38);
        softmax(own, padded, scale);
      }
      byValues.beside = beside;
      byValues.out = out + place;
      product(byValues);
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

/** Rows that are not there are the last one once more: the same is written again. */
function product(it: Product): void {
  const second = <usize>min(1, it.beside);
  const third = <usize>min(2, it.beside);
  const fourth = <usize>it.beside;
  const a0 = it.from;
  const a1 = a0 + second * it.fromStep;
  const a2 = a0 + third * it.fromStep;
  const a3 = a0 + fourth * it.fromStep;
  const out0 = it.out;
  const out1 = out0 + second * it.outStep;
  const out2 = out0 + third * it.outStep;
  const out3 = out0 + fourth * it.outStep;
  const matrix = it.matrix;
  const step = it.step;
  const end = <usize>it.count << 2;
  const width = <usize>it.columns << 2;
  for (let c: usize = 0; c < width; c += 16) {
    let s0 = f32x4.splat(0);
    let s1 = f32x4.splat(0);
    let s2 = f32x4.splat(0);
    let s3 = f32x4.splat(0);
    let row = matrix + c;
    for (let k: usize = 0; k < end; k += 4) {
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
