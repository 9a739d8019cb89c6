// Linear layers: activations in 12 bits by weights in 8, summed in 32.

import { laneSums } from './lane-sums';

/** int8 rows, one per output, with what each is multiplied by, and what is added. */
@unmanaged
export class Linear {
  weight: usize;
  scale: usize;
  bias: usize;
  /** A multiple of 8. */
  inputs: i32;
  /** A multiple of 4. */
  outputs: i32;
}

/** Rows of activations as whole numbers, and room for weights. */
@unmanaged
export class Quantised {
  /** Two rows side by side: 8 values of the one, 8 of the other, and so on. */
  pairs: usize;
  /** What each row is multiplied by. */
  units: usize;
  /** Four rows of weights side by side, in 16 bits. */
  weights: usize;
}

/** The most that 12 bits and a sign hold. */
const most: f32 = 2047;
/** Added to a small number, it leaves the nearest whole one in the low bits. */
const rounding: f32 = 12582912;
const roundingBits: i32 = 0x4b400000;

/** The largest of each row becomes 2047. `values` is a multiple of 8. */
export function quantise(from: usize, rows: i32, values: i32, to: Quantised): void {
  const bytes = <usize>values << 2;
  for (let row = 0; row < rows; row++) {
    let peaks = f32x4.splat(0);
    for (let c: usize = 0; c < bytes; c += 16) peaks = f32x4.pmax(peaks, f32x4.abs(v128.load(from + c)));
    peaks = f32x4.pmax(peaks, v128.shuffle<i32>(peaks, peaks, 2, 3, 0, 1));
    const peak: f32 = f32x4.extract_lane(f32x4.pmax(peaks, v128.shuffle<i32>(peaks, peaks, 1, 0, 3, 2)), 0);
    store<f32>(to.units + (<usize>row << 2), peak / most);
    const factor = f32x4.splat(peak < 1e-30 ? 0 : most / peak);
    let out = to.pairs + <usize>(row >> 1) * bytes + (<usize>(row & 1) << 4);
    for (let c: usize = 0; c < bytes; c += 32) {
      v128.store(out, i16x8.narrow_i32x4_s(whole(v128.load(from + c), factor), whole(v128.load(from + c, 16), factor)));
      out += 32;
    }
    from += bytes;
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function whole(values: v128, factor: v128): v128 {
  return i32x4.sub(f32x4.add(f32x4.mul(values, factor), f32x4.splat(rounding)), i32x4.splat(roundingBits));
}

/**
 * out = rows of `it.outputs` values, by two rows and four outputs at a time: what is loaded is used again, and all sums stay in
 * registers. An odd row computes a neighbour that nobody reads.
 */
export function linear(it: Linear, from: Quantised, rows: i32, out: usize): void {
  const inputs = <usize>it.inputs;
  const stride = <usize>it.outputs << 2;
  const weights = from.weights;
  const end = weights + (inputs << 3);
  for (let o: usize = 0; o < stride; o += 16) {
    widen(it.weight + (o >> 2) * inputs, inputs, weights);
    const scale = v128.load(it.scale + o);
    const bias = v128.load(it.bias + o);
    let a = from.pairs;
    let to = out + o;
    for (let row: usize = 0; row < <usize>rows; row += 2) {
      let s0 = i32x4.splat(0);
      let s1 = i32x4.splat(0);
      let s2 = i32x4.splat(0);
      let s3 = i32x4.splat(0);
      let t0 = i32x4.splat(0);
      let t1 = i32x4.splat(0);
      let t2 = i32x4.splat(0);
      let t3 = i32x4.splat(0);
      for (let w = weights; w < end; w += 64) {
        const s = v128.load(a);
        const t = v128.load(a, 16);
        const w0 = v128.load(w);
        s0 = i32x4.add(s0, i32x4.dot_i16x8_s(s, w0));
        t0 = i32x4.add(t0, i32x4.dot_i16x8_s(t, w0));
        const w1 = v128.load(w, 16);
        s1 = i32x4.add(s1, i32x4.dot_i16x8_s(s, w1));
        t1 = i32x4.add(t1, i32x4.dot_i16x8_s(t, w1));
        const w2 = v128.load(w, 32);
        s2 = i32x4.add(s2, i32x4.dot_i16x8_s(s, w2));
        t2 = i32x4.add(t2, i32x4.dot_i16x8_s(t, w2));
        const w3 = v128.load(w, 48);
        s3 = i32x4.add(s3, i32x4.dot_i16x8_s(s, w3));
        t3 = i32x4.add(t3, i32x4.dot_i16x8_s(t, w3));
        a += 32;
      }
      const units = from.units + (row << 2);
      v128.store(to, scaled(laneSums(s0, s1, s2, s3), load<f32>(units), scale, bias));
      v128.store(to + stride, scaled(laneSums(t0, t1, t2, t3), load<f32>(units, 4), scale, bias));
      to += stride << 1;
    }
  }
}

/** Four rows of weights side by side: 8 values of each in turn. */
function widen(rows: usize, inputs: usize, to: usize): void {
  const end = rows + inputs;
  const second = inputs;
  const third = inputs << 1;
  const fourth = third + inputs;
  for (; rows < end; rows += 8) {
    v128.store(to, v128.load8x8_s(rows));
    v128.store(to, v128.load8x8_s(rows + second), 16);
    v128.store(to, v128.load8x8_s(rows + third), 32);
    v128.store(to, v128.load8x8_s(rows + fourth), 48);
    to += 64;
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function scaled(sums: v128, unit: f32, scale: v128, bias: v128): v128 {
  return f32x4.add(f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(sums), f32x4.splat(unit)), scale), bias);
}
