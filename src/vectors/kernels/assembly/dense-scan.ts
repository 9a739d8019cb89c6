// Scores of one query over many rows: dot products with int8 rows, and sums of what its terms add.

import { laneSums } from './lane-sums';

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
  return laneSums(s0, s1, s2, s3);
}

/** The same for two queries: each part of a row is loaded once for both. Written to `out` and `secondOut`. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function sumsOfBoth(query: usize, second: usize, bytes: usize, row0: usize, row1: usize, row2: usize, row3: usize, out: usize, secondOut: usize): void {
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
    const p = v128.load(second + (t << 1));
    let row = v128.load8x8_s(row0 + t);
    s0 = i32x4.add(s0, i32x4.dot_i16x8_s(row, q));
    t0 = i32x4.add(t0, i32x4.dot_i16x8_s(row, p));
    row = v128.load8x8_s(row1 + t);
    s1 = i32x4.add(s1, i32x4.dot_i16x8_s(row, q));
    t1 = i32x4.add(t1, i32x4.dot_i16x8_s(row, p));
    row = v128.load8x8_s(row2 + t);
    s2 = i32x4.add(s2, i32x4.dot_i16x8_s(row, q));
    t2 = i32x4.add(t2, i32x4.dot_i16x8_s(row, p));
    row = v128.load8x8_s(row3 + t);
    s3 = i32x4.add(s3, i32x4.dot_i16x8_s(row, q));
    t3 = i32x4.add(t3, i32x4.dot_i16x8_s(row, p));
  }
  v128.store(out, laneSums(s0, s1, s2, s3));
  v128.store(secondOut, laneSums(t0, t1, t2, t3));
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
function atBar(four: v128, scales: usize, reaches: usize, unit: f32, reach: f32, bar: f32): i32 {
  const scaled = f32x4.mul(v128.load(scales), f32x4.mul(f32x4.splat(unit), f32x4.convert_i32x4_s(four)));
  const rest = f32x4.mul(f32x4.splat(reach), v128.load(reaches));
  const slack = f32x4.mul(f32x4.splat(0.00000095367431640625), f32x4.add(f32x4.abs(scaled), rest));
  return i32x4.bitmask(f32x4.ge(f32x4.add(f32x4.add(scaled, rest), slack), f32x4.splat(bar)));
}

/** Writes the numbers of those of four rows that the mask tells and `admitted` lets through. @returns where they end */
function noted(mask: i32, row: usize, admitted: usize, end: usize): usize {
  for (; mask != 0; mask &= mask - 1) {
    const one = row + ctz(mask);
    if (admitted != 0 && load<u8>(admitted + one) == 0) continue;
    store<u32>(end, <u32>one);
    end += 4;
  }
  return end;
}

/** Four places in the rows, a quarter of them apart: memory is read ahead in each, and the core waits less for it. */
const quarters: usize = 4;

/** Begins the lists of rows that are found in each quarter: `part` rows each. */
function begin(ends: usize, part: usize, out: usize): void {
  for (let at: usize = 0; at < quarters; at++) store<usize>(ends + (at << 2), out + at * (part << 2));
}

/** Of four rows from `i` on in each quarter, lists those whose most is the bar or more. `sums` holds one of each quarter, then the next ones. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function list(sums: usize, i: usize, part: usize, scales: usize, reaches: usize, admitted: usize, unit: f32, reach: f32, bar: f32, ends: usize): void {
  const a = v128.load(sums);
  const b = v128.load(sums, 16);
  const c = v128.load(sums, 32);
  const d = v128.load(sums, 48);
  const ab = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
  const cd = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
  const abRest = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
  const cdRest = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
  const i1 = i + part;
  const i2 = i1 + part;
  const i3 = i2 + part;
  const mask0 = atBar(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), scales + (i << 2), reaches + (i << 2), unit, reach, bar);
  const mask1 = atBar(v128.shuffle<i32>(ab, cd, 2, 3, 6, 7), scales + (i1 << 2), reaches + (i1 << 2), unit, reach, bar);
  const mask2 = atBar(v128.shuffle<i32>(abRest, cdRest, 0, 1, 4, 5), scales + (i2 << 2), reaches + (i2 << 2), unit, reach, bar);
  const mask3 = atBar(v128.shuffle<i32>(abRest, cdRest, 2, 3, 6, 7), scales + (i3 << 2), reaches + (i3 << 2), unit, reach, bar);
  if ((mask0 | mask1 | mask2 | mask3) == 0) return;
  store<usize>(ends, noted(mask0, i, admitted, load<usize>(ends)));
  store<usize>(ends, noted(mask1, i1, admitted, load<usize>(ends, 4)), 4);
  store<usize>(ends, noted(mask2, i2, admitted, load<usize>(ends, 8)), 8);
  store<usize>(ends, noted(mask3, i3, admitted, load<usize>(ends, 12)), 12);
}

/** Puts the lists of all quarters behind each other. @returns where they end */
function joined(ends: usize, part: usize, out: usize): usize {
  let end = load<usize>(ends);
  for (let at: usize = 1; at < quarters; at++) {
    const from = out + at * (part << 2);
    const bytes = load<usize>(ends + (at << 2)) - from;
    memory.copy(end, from, bytes);
    end += bytes;
  }
  return end;
}

/** Whether `admitted` lets none of the rows from `i` on in each quarter through. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function leavesOut(admitted: usize, i: usize, part: usize): bool {
  if (admitted == 0) return false;
  const at = admitted + i;
  return (load<u32>(at) | load<u32>(at + part) | load<u32>(at + 2 * part) | load<u32>(at + 3 * part)) == 0;
}

/**
 * Writes the numbers of the rows whose most, as `bound` tells it, is `bar` or more, ascending; none of it is kept. `scratch` is room for
 * 160 bytes.
 *
 * @returns how many there are
 */
export function above(query: usize, heads: usize, scales: usize, admitted: usize, count: i32, d: i32, unit: f32, reach: f32, reaches: usize, bar: f32, out: usize, scratch: usize): i32 {
  const bytes = <usize>d;
  const part = (<usize>count >> 4) << 2;
  const next = part * bytes;
  const ends = scratch + 128;
  begin(ends, part, out);
  for (let i: usize = 0; i < part; i += 4) {
    if (leavesOut(admitted, i, part)) continue;
    let row = heads + i * bytes;
    for (let at = scratch; at < scratch + 64; at += 16) {
      v128.store(at, sumsOf(query, bytes, row, row + next, row + 2 * next, row + 3 * next));
      row += bytes;
    }
    list(scratch, i, part, scales, reaches, admitted, unit, reach, bar, ends);
  }
  let end = joined(ends, part, out);
  for (let i = part << 2; i < <usize>count; i += 4) {
    if (admitted != 0 && load<u32>(admitted + i) == 0) continue;
    const four = fourSums(query, heads + i * bytes, bytes);
    end = noted(atBar(four, scales + (i << 2), reaches + (i << 2), unit, reach, bar), i, admitted, end);
  }
  return <i32>((end - out) >> 2);
}

/** The same for two queries in one pass. How many each has found is written to `scratch`. */
export function aboveBoth(query: usize, heads: usize, scales: usize, admitted: usize, count: i32, d: i32, unit: f32, reach: f32, reaches: usize, bar: f32, out: usize, scratch: usize, second: usize, secondUnit: f32, secondReach: f32, secondBar: f32, secondOut: usize): void {
  const bytes = <usize>d;
  const part = (<usize>count >> 4) << 2;
  const next = part * bytes;
  const sums = scratch + 64;
  const ends = scratch + 128;
  const secondEnds = scratch + 144;
  begin(ends, part, out);
  begin(secondEnds, part, secondOut);
  for (let i: usize = 0; i < part; i += 4) {
    if (leavesOut(admitted, i, part)) continue;
    let row = heads + i * bytes;
    for (let at: usize = 0; at < 64; at += 16) {
      sumsOfBoth(query, second, bytes, row, row + next, row + 2 * next, row + 3 * next, scratch + at, sums + at);
      row += bytes;
    }
    list(scratch, i, part, scales, reaches, admitted, unit, reach, bar, ends);
    list(sums, i, part, scales, reaches, admitted, secondUnit, secondReach, secondBar, secondEnds);
  }
  let end = joined(ends, part, out);
  let secondEnd = joined(secondEnds, part, secondOut);
  for (let i = part << 2; i < <usize>count; i += 4) {
    if (admitted != 0 && load<u32>(admitted + i) == 0) continue;
    const rows = heads + i * bytes;
    const at = i << 2;
    sumsOfBoth(query, second, bytes, rows, rows + bytes, rows + 2 * bytes, rows + 3 * bytes, scratch, sums);
    end = noted(atBar(v128.load(scratch), scales + at, reaches + at, unit, reach, bar), i, admitted, end);
    secondEnd = noted(atBar(v128.load(sums), scales + at, reaches + at, secondUnit, secondReach, secondBar), i, admitted, secondEnd);
  }
  store<u32>(scratch, <u32>((end - out) >> 2));
  store<u32>(scratch, <u32>((secondEnd - secondOut) >> 2), 4);
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

/** The score of row i: of its head of `head` values and its tail of `tail`. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function scoreOf(i: usize, query: usize, heads: usize, head: usize, tails: usize, tail: usize, scales: usize, unit: f32): f32 {
  const sum = oneSum(query, heads + i * head, head) + oneSum(query + (head << 1), tails + i * tail, tail);
  return load<f32>(scales + (i << 2)) * (unit * <f32>sum);
}

export function one(row: i32, query: usize, heads: usize, head: i32, tails: usize, tail: i32, scales: usize, unit: f32): f32 {
  return scoreOf(<usize>row, query, heads, <usize>head, tails, <usize>tail, scales, unit);
}

/** Rows whose tails are asked of memory before they are scored: they lie far apart, and come at the same time so. */
const atOnce: usize = 32;
/** Keeps what was asked for from being taken for nothing. */
let touched: i32 = 0;

/** Asks for the rests, of `rest` bytes, of the rows that are named from `from` to `to`. */
function ask(from: usize, to: usize, tails: usize, rest: usize): void {
  if (rest == 0) return;
  for (let at = from; at < to; at += 4) {
    const row = tails + <usize>load<u32>(at) * rest;
    touched ^= load<u8>(row) + load<u8>(row + rest - 1);
  }
}

/**
 * Scores the rows that `found` names, heads and tails: those that reach the bar are kept there, their scores in `out`.
 *
 * @returns how many there are
 */
export function kept(found: usize, count: i32, query: usize, heads: usize, head: i32, tails: usize, tail: i32, scales: usize, unit: f32, bar: f32, out: usize): i32 {
  const first = <usize>head;
  const rest = <usize>tail;
  const end = found + (<usize>count << 2);
  let many: usize = 0;
  for (let from = found; from < end; from += atOnce << 2) {
    const to = min(end, from + (atOnce << 2));
    ask(from, to, tails, rest);
    for (let at = from; at < to; at += 4) {
      const i = <usize>load<u32>(at);
      const score = scoreOf(i, query, heads, first, tails, rest, scales, unit);
      if (score < bar) continue;
      store<u32>(found + (many << 2), <u32>i);
      store<f32>(out + (many << 2), score);
      many++;
    }
  }
  return <i32>many;
}

/** Completes the scores of the `count` rows that `list` names: what `bound` kept of each, and its rest of `d` values, a multiple of 16. */
export function finish(list: usize, count: i32, query: usize, tails: usize, scales: usize, d: i32, unit: f32, sums: usize, out: usize): void {
  const bytes = <usize>d;
  const end = list + (<usize>count << 2);
  for (let from = list; from < end; from += atOnce << 2) {
    const to = min(end, from + (atOnce << 2));
    ask(from, to, tails, bytes);
    for (let at = from; at < to; at += 4) {
      const i = <usize>load<u32>(at);
      const whole = load<i32>(sums + (i << 2)) + oneSum(query, tails + i * bytes, bytes);
      store<f32>(out + (i << 2), load<f32>(scales + (i << 2)) * (unit * <f32>whole));
    }
  }
}

/** Makes so many bytes 0. */
export function clear(from: usize, bytes: i32): void {
  memory.fill(from, 0, <usize>bytes);
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
