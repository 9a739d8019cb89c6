// A transformer that turns lists of tokens into unit vectors: BERT with its norms behind each part, mean pooled.

import { attend } from './attention';
import { Linear, linear, quantise, Quantised } from './quantised-linear';
import { addAndNorm, gelu, Norm, norm } from './row-functions';

/** Tables and sizes of all; a place holds 32 bits. */
@unmanaged
class Encoder {
  hidden: i32;
  heads: i32;
  intermediate: i32;
  layers: i32;
  /** A row per token, in int8; or two values in a byte, low four bits first, each the place of a level. */
  words: usize;
  /** 16 values in int8; 0 where words are no places of them. */
  levels: usize;
  /** What each row is multiplied by. */
  wordScales: usize;
  positions: usize;
  norm: Norm;
  first: Layer;
}

@unmanaged
class Layer {
  query: Linear;
  key: Linear;
  value: Linear;
  output: Linear;
  norm: Norm;
  widen: Linear;
  narrow: Linear;
  lastNorm: Norm;
}

/** What one thread reads and writes. */
@unmanaged
class Room {
  /** Tokens of all texts, one text after the other. */
  tokens: usize;
  /** Where each text ends among the tokens. */
  ends: usize;
  texts: i32;
  /** Texts are computed together as long as they have no more tokens than this; one alone may have more. */
  mostRows: i32;
  /** A unit vector per text. */
  vectors: usize;
  /** Rows of `hidden` values. */
  states: usize;
  sums: usize;
  context: usize;
  /** Queries, keys and values; then the wide rows in their place. */
  wide: usize;
  attention: usize;
  quantised: Quantised;
}

/** Writes a unit vector for each text of the room. A text's vector is the same whatever stands beside it. */
export function encode(encoder: Encoder, room: Room): void {
  let text = 0;
  let from = 0;
  while (text < room.texts) {
    const first = text;
    let to = endOf(room, text++);
    while (text < room.texts && endOf(room, text) - from <= room.mostRows) to = endOf(room, text++);
    embed(encoder, room, from, first, text);
    for (let l = 0; l < encoder.layers; l++) {
      const layer = load<usize>(changetype<usize>(encoder) + offsetof<Encoder>('first') + (<usize>l << 2));
      transform(encoder, changetype<Layer>(layer), room, from, first, text);
    }
    for (let t = first; t < text; t++) pool(encoder, room, t, from);
    from = to;
  }
}

function endOf(room: Room, text: i32): i32 {
  return load<i32>(room.ends + (<usize>text << 2));
}

function beginOf(room: Room, text: i32): i32 {
  return text == 0 ? 0 : endOf(room, text - 1);
}

/** Eight values of the words from one on, in int8. */
// @ts-ignore: decorator
@inline
function wordAt(encoder: Encoder, value: usize): v128 {
  if (encoder.levels == 0) return v128.load64_zero(encoder.words + value);
  const pairs = v128.load32_zero(encoder.words + (value >> 1));
  const low = v128.and(pairs, i8x16.splat(15));
  const places = v128.shuffle<i8>(low, i8x16.shr_u(pairs, 4), 0, 16, 1, 17, 2, 18, 3, 19, 0, 16, 1, 17, 2, 18, 3, 19);
  return v128.swizzle(v128.load(encoder.levels), places);
}

/** out = values * scale + added */
// @ts-ignore: decorator
@inline
function place(out: usize, values: v128, scale: v128, added: usize): void {
  v128.store(out, f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(values), scale), v128.load(added)));
}

/** states = norm(word + position) */
function embed(encoder: Encoder, room: Room, from: i32, first: i32, last: i32): void {
  const hidden = encoder.hidden;
  const bytes = <usize>hidden << 2;
  let out = room.states;
  for (let text = first; text < last; text++) {
    let position = encoder.positions;
    const end = endOf(room, text);
    for (let i = beginOf(room, text); i < end; i++) {
      const token = <usize>load<u32>(room.tokens + (<usize>i << 2));
      const scale = f32x4.splat(load<f32>(encoder.wordScales + (token << 2)));
      for (let c: usize = 0; c < <usize>hidden; c += 8) {
        const values = i16x8.extend_low_i8x16_s(wordAt(encoder, token * <usize>hidden + c));
        const at = c << 2;
        place(out + at, i32x4.extend_low_i16x8_s(values), scale, position + at);
        place(out + at + 16, i32x4.extend_high_i16x8_s(values), scale, position + at + 16);
      }
      position += bytes;
      out += bytes;
    }
  }
  norm(encoder.norm, room.states, endOf(room, last - 1) - from, hidden);
}

function transform(encoder: Encoder, layer: Layer, room: Room, from: i32, first: i32, last: i32): void {
  const hidden = encoder.hidden;
  const rows = endOf(room, last - 1) - from;
  // Rows are computed by twos.
  const size = <usize>(((rows + 1) & ~1) * hidden) << 2;
  const queries = room.wide;
  const keys = queries + size;
  const values = keys + size;
  quantise(room.states, rows, hidden, room.quantised);
  linear(layer.query, room.quantised, rows, queries);
  linear(layer.key, room.quantised, rows, keys);
  linear(layer.value, room.quantised, rows, values);
  for (let text = first; text < last; text++) {
    const begin = beginOf(room, text);
    const at = <usize>((begin - from) * hidden) << 2;
    attend(queries + at, keys + at, values + at, endOf(room, text) - begin, hidden, encoder.heads, room.attention, room.context + at);
  }
  quantise(room.context, rows, hidden, room.quantised);
  linear(layer.output, room.quantised, rows, room.sums);
  addAndNorm(layer.norm, room.states, room.sums, rows, hidden);
  quantise(room.states, rows, hidden, room.quantised);
  linear(layer.widen, room.quantised, rows, room.wide);
  gelu(room.wide, rows * encoder.intermediate);
  quantise(room.wide, rows, encoder.intermediate, room.quantised);
  linear(layer.narrow, room.quantised, rows, room.sums);
  addAndNorm(layer.lastNorm, room.states, room.sums, rows, hidden);
}

/** The mean of a text's rows, at length 1: of the sum that is the same. */
function pool(encoder: Encoder, room: Room, text: i32, from: i32): void {
  const bytes = <usize>encoder.hidden << 2;
  const out = room.vectors + <usize>text * bytes;
  const begin = room.states + <usize>(beginOf(room, text) - from) * bytes;
  const end = room.states + <usize>(endOf(room, text) - from) * bytes;
  let squares = f32x4.splat(0);
  for (let c: usize = 0; c < bytes; c += 16) {
    let sum = f32x4.splat(0);
    for (let row = begin; row < end; row += bytes) sum = f32x4.add(sum, v128.load(row + c));
    v128.store(out + c, sum);
    squares = f32x4.add(squares, f32x4.mul(sum, sum));
  }
  const length: f32 = f32x4.extract_lane(squares, 0) + f32x4.extract_lane(squares, 1) + f32x4.extract_lane(squares, 2) + f32x4.extract_lane(squares, 3);
  const unit = f32x4.splat(1 / sqrt<f32>(length));
  for (let c: usize = 0; c < bytes; c += 16) v128.store(out + c, f32x4.mul(v128.load(out + c), unit));
}
