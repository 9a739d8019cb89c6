// What a transformer does to rows of 32-bit numbers. Only operations that round alike everywhere.

/** What a normed row is multiplied by, and what is added. */
@unmanaged
export class Norm {
  weight: usize;
  bias: usize;
  epsilon: f32;
}

/** Each row at mean 0 and variance 1, times weight, plus bias. `values` is a multiple of 4. */
export function norm(it: Norm, rows: usize, count: i32, values: i32): void {
  const bytes = <usize>values << 2;
  const share: f32 = 1 / <f32>values;
  for (let i = 0; i < count; i++) {
    let all = f32x4.splat(0);
    for (let c: usize = 0; c < bytes; c += 16) all = f32x4.add(all, v128.load(rows + c));
    const mean = f32x4.splat(lanes(all) * share);
    let squares = f32x4.splat(0);
    for (let c: usize = 0; c < bytes; c += 16) {
      const value = f32x4.sub(v128.load(rows + c), mean);
      squares = f32x4.add(squares, f32x4.mul(value, value));
    }
    const unit = f32x4.splat(1 / sqrt<f32>(lanes(squares) * share + it.epsilon));
    for (let c: usize = 0; c < bytes; c += 16) {
      const value = f32x4.mul(f32x4.sub(v128.load(rows + c), mean), unit);
      v128.store(rows + c, f32x4.add(f32x4.mul(value, v128.load(it.weight + c)), v128.load(it.bias + c)));
    }
    rows += bytes;
  }
}

/** rows = norm(rows + others) */
export function addAndNorm(it: Norm, rows: usize, others: usize, count: i32, values: i32): void {
  const bytes = <usize>(count * values) << 2;
  for (let c: usize = 0; c < bytes; c += 16)
    v128.store(rows + c, f32x4.add(v128.load(rows + c), v128.load(others + c)));
  norm(it, rows, count, values);
}

/** x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))), which is x / (1 + exp(-2 * what stands in tanh)). */
export function gelu(values: usize, count: i32): void {
  const end = values + (<usize>count << 2);
  const one = f32x4.splat(1);
  for (; values < end; values += 16) {
    const x = v128.load(values);
    const slope = f32x4.add(f32x4.splat(-1.5957691216057308), f32x4.mul(f32x4.splat(-0.07135481627159881), f32x4.mul(x, x)));
    v128.store(values, f32x4.div(x, f32x4.add(one, exp(f32x4.mul(x, slope)))));
  }
}

/** Makes `count` numbers, a multiple of 4, probabilities: exp(scale * (x - the greatest)) over the sum of all. */
export function softmax(values: usize, count: i32, scale: f32): void {
  const end = values + (<usize>count << 2);
  let peaks = v128.load(values);
  for (let at = values + 16; at < end; at += 16) peaks = f32x4.pmax(peaks, v128.load(at));
  peaks = f32x4.pmax(peaks, v128.shuffle<i32>(peaks, peaks, 2, 3, 0, 1));
  peaks = f32x4.pmax(peaks, v128.shuffle<i32>(peaks, peaks, 1, 0, 3, 2));
  const factor = f32x4.splat(scale);
  let all = f32x4.splat(0);
  for (let at = values; at < end; at += 16) {
    const power = exp(f32x4.mul(f32x4.sub(v128.load(at), peaks), factor));
    v128.store(at, power);
    all = f32x4.add(all, power);
  }
  const unit = f32x4.splat(1 / lanes(all));
  for (let at = values; at < end; at += 16) v128.store(at, f32x4.mul(v128.load(at), unit));
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function lanes(values: v128): f32 {
  return (f32x4.extract_lane(values, 0) + f32x4.extract_lane(values, 1)) + (f32x4.extract_lane(values, 2) + f32x4.extract_lane(values, 3));
}

/** Within two units of the last place, from exp(-87) to exp(88); beyond, what these give. As in Cephes, `expf`. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function exp(x: v128): v128 {
  const within = f32x4.pmax(f32x4.splat(-87), f32x4.pmin(f32x4.splat(88), x));
  // Its low bits are the power of two.
  const shifted = f32x4.add(f32x4.mul(within, f32x4.splat(1.44269504088896341)), f32x4.splat(12582912));
  const powers = f32x4.sub(shifted, f32x4.splat(12582912));
  const rest = f32x4.add(
    f32x4.sub(within, f32x4.mul(powers, f32x4.splat(0.693359375))),
    f32x4.mul(powers, f32x4.splat(2.12194440e-4)),
  );
  let sum = f32x4.splat(1.9875691500e-4);
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(1.3981999507e-3));
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(8.3334519073e-3));
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(4.1665795894e-2));
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(1.6666665459e-1));
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(5.0000001201e-1));
  sum = f32x4.add(f32x4.add(f32x4.mul(f32x4.mul(sum, rest), rest), rest), f32x4.splat(1));
  return i32x4.add(sum, i32x4.shl(shifted, 23));
}
