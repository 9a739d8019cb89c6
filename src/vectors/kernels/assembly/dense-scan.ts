// Scores of one query over many rows: dot products with int8 rows, and sums of what its terms add.

/** query . row for four rows: each part of the query is loaded once for four. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function sumsOf(query: usize, bytes: usize, row0: usize, row1: usize, row2: usize, row3: usize): v128 {
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

/** The same for four rows that follow each other. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function fourSums(query: usize, row: usize, bytes: usize): v128 {
  return sumsOf(query, bytes, row, row + bytes, row + 2 * bytes, row + 3 * bytes);
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

/** A bit for each of four rows whose most, as `bound` tells it, is the bar or more. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function atBar(four: v128, scales: usize, reaches: usize, units: v128, reached: v128, bars: v128): i32 {
  const scaled = f32x4.mul(v128.load(scales), f32x4.mul(units, f32x4.convert_i32x4_s(four)));
  const rest = f32x4.mul(reached, v128.load(reaches));
  const slack = f32x4.mul(f32x4.splat(0.00000095367431640625), f32x4.add(f32x4.abs(scaled), rest));
  return i32x4.bitmask(f32x4.ge(f32x4.add(f32x4.add(scaled, rest), slack), bars));
}

/** Writes the number and the sum of those of four rows that the mask tells and `admitted` lets through. @returns where it ends */
function noted(mask: i32, four: v128, row: usize, admitted: usize, end: usize): usize {
  for (; mask != 0; mask &= mask - 1) {
    const lane = ctz(mask);
    if (admitted != 0 && load<u8>(admitted + row + lane) == 0) continue;
    store<u32>(end, <u32>(row + lane));
    store<i32>(end, lane < 2 ? (lane == 0 ? i32x4.extract_lane(four, 0) : i32x4.extract_lane(four, 1)) : (lane == 2 ? i32x4.extract_lane(four, 2) : i32x4.extract_lane(four, 3)), 4);
    end += 8;
  }
  return end;
}

/** Puts what was written from `from` to `end` behind what was written before. @returns where it ends then */
// @ts-ignore: a decorator of AssemblyScript
@inline
function moved(before: usize, from: usize, end: usize): usize {
  memory.copy(before, from, end - from);
  return before + (end - from);
}

/**
 * Writes the number of each row whose most, as `bound` tells it, is `bar` or more, and the sum of its head; ascending. Four quarters of the
 * rows are gone through side by side: so memory is read ahead in four places, and the cores wait less for it.
 *
 * @returns how many there are
 */
export function above(query: usize, heads: usize, scales: usize, admitted: usize, count: i32, d: i32, unit: f32, reach: f32, reaches: usize, bar: f32, out: usize): i32 {
  const bytes = <usize>d;
  const units = f32x4.splat(unit);
  const reached = f32x4.splat(reach);
  const bars = f32x4.splat(bar);
  const part = (<usize>count >> 4) << 2;
  const next = part * bytes;
  const out1 = out + (part << 3);
  const out2 = out1 + (part << 3);
  const out3 = out2 + (part << 3);
  let end0 = out;
  let end1 = out1;
  let end2 = out2;
  let end3 = out3;
  for (let i: usize = 0; i < part; i += 4) {
    const i1 = i + part;
    const i2 = i1 + part;
    const i3 = i2 + part;
    if (admitted != 0 && (load<u32>(admitted + i) | load<u32>(admitted + i1) | load<u32>(admitted + i2) | load<u32>(admitted + i3)) == 0) continue;
    let row = heads + i * bytes;
    const a = sumsOf(query, bytes, row, row + next, row + 2 * next, row + 3 * next);
    row += bytes;
    const b = sumsOf(query, bytes, row, row + next, row + 2 * next, row + 3 * next);
    row += bytes;
    const c = sumsOf(query, bytes, row, row + next, row + 2 * next, row + 3 * next);
    row += bytes;
    const e = sumsOf(query, bytes, row, row + next, row + 2 * next, row + 3 * next);
    const ab = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
    const ce = v128.shuffle<i32>(c, e, 0, 4, 1, 5);
    const AB = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
    const CE = v128.shuffle<i32>(c, e, 2, 6, 3, 7);
    const four0 = v128.shuffle<i32>(ab, ce, 0, 1, 4, 5);
    const four1 = v128.shuffle<i32>(ab, ce, 2, 3, 6, 7);
    const four2 = v128.shuffle<i32>(AB, CE, 0, 1, 4, 5);
    const four3 = v128.shuffle<i32>(AB, CE, 2, 3, 6, 7);
    const mask0 = atBar(four0, scales + (i << 2), reaches + (i << 2), units, reached, bars);
    const mask1 = atBar(four1, scales + (i1 << 2), reaches + (i1 << 2), units, reached, bars);
    const mask2 = atBar(four2, scales + (i2 << 2), reaches + (i2 << 2), units, reached, bars);
    const mask3 = atBar(four3, scales + (i3 << 2), reaches + (i3 << 2), units, reached, bars);
    if ((mask0 | mask1 | mask2 | mask3) == 0) continue;
    end0 = noted(mask0, four0, i, admitted, end0);
    end1 = noted(mask1, four1, i1, admitted, end1);
    end2 = noted(mask2, four2, i2, admitted, end2);
    end3 = noted(mask3, four3, i3, admitted, end3);
  }
  let end = moved(moved(moved(end0, out1, end1), out2, end2), out3, end3);
  for (let i = part << 2; i < <usize>count; i += 4) {
    if (admitted != 0 && load<u32>(admitted + i) == 0) continue;
    const four = fourSums(query, heads + i * bytes, bytes);
    end = noted(atBar(four, scales + (i << 2), reaches + (i << 2), units, reached, bars), four, i, admitted, end);
  }
  return <i32>((end - out) >> 3);
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

/**
 * Completes the scores of the `count` rows that `above` found, by their rests of `d` values, a multiple of 16: those that reach the bar are
 * kept, their numbers where the first of what was found lies, their scores in `out`.
 *
 * @returns how many there are
 */
export function kept(found: usize, count: i32, query: usize, tails: usize, d: i32, scales: usize, unit: f32, bar: f32, out: usize): i32 {
  const bytes = <usize>d;
  let many: usize = 0;
  for (let at: usize = 0; at < <usize>count; at++) {
    const i = <usize>load<u32>(found + (at << 3));
    const sum = load<i32>(found + (at << 3), 4) + oneSum(query, tails + i * bytes, bytes);
    const score = load<f32>(scales + (i << 2)) * (unit * <f32>sum);
    if (score < bar) continue;
    store<u32>(found + (many << 2), <u32>i);
    store<f32>(out + (many << 2), score);
    many++;
  }
  return <i32>many;
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
