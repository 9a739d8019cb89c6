// Scores of one query over many rows: dot products with int8 rows, and sums of what its terms add.

import { oneSum, sumsOf, sumsOfBoth } from './row-products';
import { Query, Rows } from './scan-blocks';

/** query . row for the heads of four rows from `i` on. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function fourSums(query: usize, heads: usize, bytes: usize, i: usize): v128 {
  return sumsOf(query, bytes, heads + i * bytes, bytes);
}

/** Whether `admitted` lets none of four rows through. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function leavesFourOut(admitted: usize, i: usize): bool {
  return admitted != 0 && load<u32>(admitted + i) == 0;
}

/**
 * scores[i] = unit * scales[i] * (query . rows[i]), of rows without tails. Four rows that `admitted` all leaves out are passed over,
 * and nothing is written for them.
 */
export function scan(rows: Rows, query: Query): void {
  const values = query.values;
  const heads = rows.heads;
  const scales = rows.scales;
  const admitted = rows.admitted;
  const count = <usize>rows.count;
  const bytes = <usize>rows.head;
  const units = f32x4.splat(query.unit);
  const out = query.scores;
  for (let i: usize = 0; i < count; i += 4) {
    if (leavesFourOut(admitted, i)) continue;
    const sums = fourSums(values, heads, bytes, i);
    v128.store(out + (i << 2), f32x4.mul(v128.load(scales + (i << 2)), f32x4.mul(units, f32x4.convert_i32x4_s(sums))));
  }
}

/** The same over the heads, which `sums` keeps; `scores` gets the most that the whole can be. */
export function bound(rows: Rows, query: Query): void {
  const values = query.values;
  const heads = rows.heads;
  const scales = rows.scales;
  const reaches = rows.reaches;
  const admitted = rows.admitted;
  const count = <usize>rows.count;
  const bytes = <usize>rows.head;
  const units = f32x4.splat(query.unit);
  const reached = f32x4.splat(query.reach);
  const sums = query.sums;
  const out = query.scores;
  // Sixteen times what rounding to 32 bits can make of a score.
  const rounding = f32x4.splat(0.00000095367431640625);
  for (let i: usize = 0; i < count; i += 4) {
    if (leavesFourOut(admitted, i)) continue;
    const four = fourSums(values, heads, bytes, i);
    v128.store(sums + (i << 2), four);
    const scaled = f32x4.mul(v128.load(scales + (i << 2)), f32x4.mul(units, f32x4.convert_i32x4_s(four)));
    const rest = f32x4.mul(reached, v128.load(reaches + (i << 2)));
    const slack = f32x4.mul(rounding, f32x4.add(f32x4.abs(scaled), rest));
    v128.store(out + (i << 2), f32x4.add(f32x4.add(scaled, rest), slack));
  }
}

/** A bit for each of four rows from `i` on whose most, as `bound` tells it, is the bar or more. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function atBar(four: v128, i: usize, rows: Rows, query: Query): i32 {
  const at = i << 2;
  const scaled = f32x4.mul(v128.load(rows.scales + at), f32x4.mul(f32x4.splat(query.unit), f32x4.convert_i32x4_s(four)));
  const rest = f32x4.mul(f32x4.splat(query.reach), v128.load(rows.reaches + at));
  const slack = f32x4.mul(f32x4.splat(0.00000095367431640625), f32x4.add(f32x4.abs(scaled), rest));
  return i32x4.bitmask(f32x4.ge(f32x4.add(f32x4.add(scaled, rest), slack), f32x4.splat(query.bar)));
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
function list(sums: usize, i: usize, part: usize, rows: Rows, query: Query, ends: usize): void {
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
  const mask0 = atBar(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), i, rows, query);
  const mask1 = atBar(v128.shuffle<i32>(ab, cd, 2, 3, 6, 7), i1, rows, query);
  const mask2 = atBar(v128.shuffle<i32>(abRest, cdRest, 0, 1, 4, 5), i2, rows, query);
  const mask3 = atBar(v128.shuffle<i32>(abRest, cdRest, 2, 3, 6, 7), i3, rows, query);
  if ((mask0 | mask1 | mask2 | mask3) == 0) return;
  const admitted = rows.admitted;
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
 * Lists the rows whose most, as `bound` tells it, is the bar or more, ascending; none of it is kept. `scratch` is room for 160 bytes.
 *
 * @returns how many there are
 */
export function above(rows: Rows, query: Query, scratch: usize): i32 {
  const values = query.values;
  const heads = rows.heads;
  const admitted = rows.admitted;
  const count = <usize>rows.count;
  const bytes = <usize>rows.head;
  const out = query.list;
  const part = (count >> 4) << 2;
  const next = part * bytes;
  const ends = scratch + 128;
  begin(ends, part, out);
  for (let i: usize = 0; i < part; i += 4) {
    if (leavesOut(admitted, i, part)) continue;
    let row = heads + i * bytes;
    for (let at = scratch; at < scratch + 64; at += 16) {
      v128.store(at, sumsOf(values, bytes, row, next));
      row += bytes;
    }
    list(scratch, i, part, rows, query, ends);
  }
  let end = joined(ends, part, out);
  for (let i = part << 2; i < count; i += 4) {
    if (leavesFourOut(admitted, i)) continue;
    end = noted(atBar(fourSums(values, heads, bytes, i), i, rows, query), i, admitted, end);
  }
  return <i32>((end - out) >> 2);
}

/** The same for two queries in one pass. How many each has found is written to `scratch`. */
export function aboveBoth(rows: Rows, query: Query, other: Query, scratch: usize): void {
  const values = query.values;
  const otherValues = other.values;
  const heads = rows.heads;
  const admitted = rows.admitted;
  const count = <usize>rows.count;
  const bytes = <usize>rows.head;
  const part = (count >> 4) << 2;
  const next = part * bytes;
  const sums = scratch + 64;
  const ends = scratch + 128;
  const otherEnds = scratch + 144;
  begin(ends, part, query.list);
  begin(otherEnds, part, other.list);
  for (let i: usize = 0; i < part; i += 4) {
    if (leavesOut(admitted, i, part)) continue;
    let row = heads + i * bytes;
    for (let at = scratch; at < sums; at += 16) {
      sumsOfBoth(values, otherValues, bytes, row, next, at);
      row += bytes;
    }
    list(scratch, i, part, rows, query, ends);
    list(sums, i, part, rows, other, otherEnds);
  }
  let end = joined(ends, part, query.list);
  let otherEnd = joined(otherEnds, part, other.list);
  for (let i = part << 2; i < count; i += 4) {
    if (leavesFourOut(admitted, i)) continue;
    sumsOfBoth(values, otherValues, bytes, heads + i * bytes, bytes, scratch);
    end = noted(atBar(v128.load(scratch), i, rows, query), i, admitted, end);
    otherEnd = noted(atBar(v128.load(sums), i, rows, other), i, admitted, otherEnd);
  }
  store<u32>(scratch, <u32>((end - query.list) >> 2));
  store<u32>(scratch, <u32>((otherEnd - other.list) >> 2), 4);
}

/** The score of row i: of its head of `head` values and its tail of `tail`. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function scoreOf(i: usize, query: usize, heads: usize, head: usize, tails: usize, tail: usize, scales: usize, unit: f32): f32 {
  const sum = oneSum(query, heads + i * head, head) + oneSum(query + (head << 1), tails + i * tail, tail);
  return load<f32>(scales + (i << 2)) * (unit * <f32>sum);
}

/** Called row by row: so it is told all, and reads no blocks. */
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
 * Scores the first `count` rows that the list names, heads and tails: those that reach the bar are kept there, their scores in `scores`.
 *
 * @returns how many there are
 */
export function kept(rows: Rows, query: Query, count: i32): i32 {
  const list = query.list;
  const bar = query.bar;
  const unit = query.unit;
  const values = query.values;
  const out = query.scores;
  const heads = rows.heads;
  const head = <usize>rows.head;
  const tails = rows.tails;
  const tail = <usize>rows.tail;
  const scales = rows.scales;
  const end = list + (<usize>count << 2);
  let many: usize = 0;
  for (let from = list; from < end; from += atOnce << 2) {
    const to = min(end, from + (atOnce << 2));
    ask(from, to, tails, tail);
    for (let at = from; at < to; at += 4) {
      const i = <usize>load<u32>(at);
      const score = scoreOf(i, values, heads, head, tails, tail, scales, unit);
      if (score < bar) continue;
      store<u32>(list + (many << 2), <u32>i);
      store<f32>(out + (many << 2), score);
      many++;
    }
  }
  return <i32>many;
}

/** Completes the scores of the first `count` rows that the list names: what `bound` kept of each, and its tail. */
export function finish(rows: Rows, query: Query, count: i32): void {
  const list = query.list;
  const sums = query.sums;
  const scales = rows.scales;
  const out = query.scores;
  const unit = query.unit;
  const tails = rows.tails;
  const bytes = <usize>rows.tail;
  const values = query.values + (<usize>rows.head << 1);
  const end = list + (<usize>count << 2);
  for (let from = list; from < end; from += atOnce << 2) {
    const to = min(end, from + (atOnce << 2));
    ask(from, to, tails, bytes);
    for (let at = from; at < to; at += 4) {
      const i = <usize>load<u32>(at);
      const whole = load<i32>(sums + (i << 2)) + oneSum(values, tails + i * bytes, bytes);
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
