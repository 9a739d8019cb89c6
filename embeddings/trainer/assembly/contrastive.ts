// Inner loops of contrastive training over one shared memory. All pointers are byte offsets; all matrices are row-major
// float32 whose rows hold a multiple of 8 values. Nothing here allocates, and no two threads may be given one output row.

/** sum of a[i] * b[i] over n values. */
@inline
function dot(a: usize, b: usize, n: i32): f32 {
  let s0 = f32x4.splat(0);
  let s1 = f32x4.splat(0);
  for (let i: usize = 0, end = <usize>n << 2; i < end; i += 32) {
    s0 = f32x4.add(s0, f32x4.mul(v128.load(a + i), v128.load(b + i)));
    s1 = f32x4.add(s1, f32x4.mul(v128.load(a + i, 16), v128.load(b + i, 16)));
  }
  return total(f32x4.add(s0, s1));
}

@inline
function total(s: v128): f32 {
  return (
    f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + (f32x4.extract_lane(s, 2) + f32x4.extract_lane(s, 3))
  );
}

/** y += weight * x over n values. */
@inline
function addScaled(y: usize, x: usize, weight: f32, n: i32): void {
  const w = f32x4.splat(weight);
  for (let i: usize = 0, end = <usize>n << 2; i < end; i += 16) {
    v128.store(y + i, f32x4.add(v128.load(y + i), f32x4.mul(w, v128.load(x + i))));
  }
}

/**
 * Texts `from`..`to` to unit vectors: sum over each text's tokens of exp(tokenWeight + fieldWeight) * embedding, then
 * divided by its length, which `norms` keeps. A text without length becomes the zero vector.
 */
export function pool(
  tokens: usize, fields: usize, starts: usize, from: i32, to: i32,
  table: usize, tokenWeights: usize, fieldWeights: usize, d: i32, out: usize, norms: usize,
): void {
  const bytes = <usize>d << 2;
  for (let text = from; text < to; text++) {
    const row = out + <usize>text * bytes;
    memory.fill(row, 0, bytes);
    const end = load<u32>(starts + ((<usize>text + 1) << 2));
    for (let at = load<u32>(starts + (<usize>text << 2)); at < end; at++) {
      const token = <usize>load<u32>(tokens + (<usize>at << 2));
      addScaled(row, table + token * bytes, amount(token, at, fields, tokenWeights, fieldWeights), d);
    }
    const norm = Mathf.sqrt(dot(row, row, d));
    store<f32>(norms + (<usize>text << 2), norm);
    if (norm > 0) {
      const inverse = f32x4.splat(1 / norm);
      for (let i: usize = 0; i < bytes; i += 16) v128.store(row + i, f32x4.mul(inverse, v128.load(row + i)));
    }
  }
}

@inline
function amount(token: usize, at: u32, fields: usize, tokenWeights: usize, fieldWeights: usize): f32 {
  const field = <usize>load<u8>(fields + <usize>at);
  return Mathf.exp(load<f32>(tokenWeights + (token << 2)) + load<f32>(fieldWeights + (field << 2)));
}

/** values *= factor for rows `from`..`to` of n values, n a multiple of 4. */
export function scaleRows(values: usize, from: i32, to: i32, n: i32, factor: f32): void {
  const f = f32x4.splat(factor);
  const end = values + ((<usize>to * <usize>n) << 2);
  for (let at = values + ((<usize>from * <usize>n) << 2); at < end; at += 16) {
    v128.store(at, f32x4.mul(f, v128.load(at)));
  }
}

/** Log of the sum of exp over each row `from`..`to` of n values. */
export function rowLogSums(scores: usize, from: i32, to: i32, n: i32, out: usize): void {
  for (let i = from; i < to; i++) {
    const row = scores + ((<usize>i * <usize>n) << 2);
    let high: f32 = -3.0e38;
    for (let j = 0; j < n; j++) high = max(high, load<f32>(row + (<usize>j << 2)));
    let sum: f32 = 0;
    for (let j = 0; j < n; j++) sum += Mathf.exp(load<f32>(row + (<usize>j << 2)) - high);
    store<f32>(out + (<usize>i << 2), high + Mathf.log(sum));
  }
}

/** Log of the sum of exp over each column `from`..`to` of the first `rows` rows; rows are n wide. `high` is scratch. */
export function columnLogSums(
  scores: usize, from: i32, to: i32, rows: i32, n: i32, high: usize, out: usize,
): void {
  for (let j = from; j < to; j++) {
    store<f32>(high + (<usize>j << 2), -3.0e38);
    store<f32>(out + (<usize>j << 2), 0);
  }
  for (let i = 0; i < rows; i++) {
    const row = scores + ((<usize>i * <usize>n) << 2);
    for (let j = from; j < to; j++) {
      const at = high + (<usize>j << 2);
      store<f32>(at, max(load<f32>(at), load<f32>(row + (<usize>j << 2))));
    }
  }
  for (let i = 0; i < rows; i++) {
    const row = scores + ((<usize>i * <usize>n) << 2);
    for (let j = from; j < to; j++) {
      const at = out + (<usize>j << 2);
      const shifted = load<f32>(row + (<usize>j << 2)) - load<f32>(high + (<usize>j << 2));
      store<f32>(at, load<f32>(at) + Mathf.exp(shifted));
    }
  }
  for (let j = from; j < to; j++) {
    const at = out + (<usize>j << 2);
    store<f32>(at, load<f32>(high + (<usize>j << 2)) + Mathf.log(load<f32>(at)));
  }
}

/**
 * Similarities to the gradient of the loss by the dot products, in place, for rows `from`..`to`. The loss is the mean over
 * rows of rowWeight * (row cross-entropy over all n columns + column cross-entropy of the row's own column over the first
 * `rows` columns) / 2. Returns the loss of these rows; the gradient by log(scale)
 * of each row goes to `scaleGradients`.
 */
export function crossEntropy(
  scores: usize, from: i32, to: i32, rows: i32, n: i32, rowSums: usize, columnSums: usize, weights: usize,
  weightTotal: f32, scale: f32, scaleGradients: usize,
): f32 {
  let loss: f32 = 0;
  for (let i = from; i < to; i++) {
    let byScale: f32 = 0;
    const row = scores + ((<usize>i * <usize>n) << 2);
    const rowSum = load<f32>(rowSums + (<usize>i << 2));
    const own = load<f32>(row + (<usize>i << 2));
    const weight = load<f32>(weights + (<usize>i << 2)) / weightTotal;
    loss += 0.5 * weight * (rowSum - own + (load<f32>(columnSums + (<usize>i << 2)) - own));
    for (let j = 0; j < n; j++) {
      const at = row + (<usize>j << 2);
      const score = load<f32>(at);
      let gradient = weight * Mathf.exp(score - rowSum);
      if (j < rows) {
        const columnWeight = load<f32>(weights + (<usize>j << 2)) / weightTotal;
        gradient += columnWeight * Mathf.exp(score - load<f32>(columnSums + (<usize>j << 2)));
      }
      if (j == i) gradient -= 2 * weight;
      gradient *= 0.5;
      if (score > -9000) byScale += gradient * score;
      store<f32>(at, gradient * scale);
    }
    store<f32>(scaleGradients + (<usize>i << 2), byScale);
  }
  return loss;
}

/**
 * out[i] = sum over j of g[i, j] * b[j], for rows `from`..`to`, (to - from) a multiple of 4; g is n wide. `panel` is scratch
 * of n * 8 values: eight columns of b side by side, since rows a power of two apart fall on the same few cache lines.
 */
export function multiply(g: usize, from: i32, to: i32, n: i32, b: usize, d: i32, panel: usize, out: usize): void {
  const bytes = <usize>d << 2;
  const width = <usize>n << 2;
  for (let t: usize = 0; t < bytes; t += 32) {
    let source = b + t;
    for (let copy = panel, end = panel + (<usize>n << 5); copy < end; copy += 32) {
      v128.store(copy, v128.load(source));
      v128.store(copy, v128.load(source, 16), 16);
      source += bytes;
    }
    for (let i = from; i < to; i += 4) {
      const g0 = g + <usize>i * width;
      let s00 = f32x4.splat(0), s01 = f32x4.splat(0), s10 = f32x4.splat(0), s11 = f32x4.splat(0);
      let s20 = f32x4.splat(0), s21 = f32x4.splat(0), s30 = f32x4.splat(0), s31 = f32x4.splat(0);
      let p = panel;
      for (let at = g0, end = g0 + width; at < end; at += 4) {
        const x = v128.load(p);
        const y = v128.load(p, 16);
        p += 32;
        const w0 = v128.load32_splat(at);
        s00 = f32x4.add(s00, f32x4.mul(w0, x));
        s01 = f32x4.add(s01, f32x4.mul(w0, y));
        const w1 = v128.load32_splat(at + width);
        s10 = f32x4.add(s10, f32x4.mul(w1, x));
        s11 = f32x4.add(s11, f32x4.mul(w1, y));
        const w2 = v128.load32_splat(at + 2 * width);
        s20 = f32x4.add(s20, f32x4.mul(w2, x));
        s21 = f32x4.add(s21, f32x4.mul(w2, y));
        const w3 = v128.load32_splat(at + 3 * width);
        s30 = f32x4.add(s30, f32x4.mul(w3, x));
        s31 = f32x4.add(s31, f32x4.mul(w3, y));
      }
      const row = out + <usize>i * bytes + t;
      v128.store(row, s00);
      v128.store(row, s01, 16);
      v128.store(row + bytes, s10);
      v128.store(row + bytes, s11, 16);
      v128.store(row + 2 * bytes, s20);
      v128.store(row + 2 * bytes, s21, 16);
      v128.store(row + 3 * bytes, s30);
      v128.store(row + 3 * bytes, s31, 16);
    }
  }
}

/** out[j, i] = g[i, j] for columns `from`..`to`, (to - from) a multiple of 8; g is rows x n. */
export function transpose(g: usize, rows: i32, n: i32, from: i32, to: i32, out: usize): void {
  const height = <usize>rows << 2;
  for (let j = from; j < to; j += 8) {
    let at = g + (<usize>j << 2);
    let target = out + <usize>j * height;
    for (let i = 0; i < rows; i++) {
      store<f32>(target, load<f32>(at));
      store<f32>(target + height, load<f32>(at, 4));
      store<f32>(target + 2 * height, load<f32>(at, 8));
      store<f32>(target + 3 * height, load<f32>(at, 12));
      store<f32>(target + 4 * height, load<f32>(at, 16));
      store<f32>(target + 5 * height, load<f32>(at, 20));
      store<f32>(target + 6 * height, load<f32>(at, 24));
      store<f32>(target + 7 * height, load<f32>(at, 28));
      target += 4;
      at += <usize>n << 2;
    }
  }
}

/** Gradient by a unit vector to the gradient by the sum before division: (g - (g . v) v) / norm, in place. */
export function throughLength(gradients: usize, vectors: usize, norms: usize, from: i32, to: i32, d: i32): void {
  const bytes = <usize>d << 2;
  for (let text = from; text < to; text++) {
    const g = gradients + <usize>text * bytes;
    const v = vectors + <usize>text * bytes;
    const norm = load<f32>(norms + (<usize>text << 2));
    if (norm == 0) {
      memory.fill(g, 0, bytes);
      continue;
    }
    addScaled(g, v, -dot(g, v, d), d);
    const inverse = f32x4.splat(1 / norm);
    for (let i: usize = 0; i < bytes; i += 16) v128.store(g + i, f32x4.mul(inverse, v128.load(g + i)));
  }
}

/**
 * Adds the gradients by `texts` texts' sums to the tokens this thread owns (token % 16 % owners == owner): embedding rows, token
 * weights, and the field weights: `fieldGradients` holds 16 x 16 values, by shard (token % 16) and field, so that sums do not
 * depend on how many threads share the work. `seen` marks touched tokens.
 */
export function scatter(
  tokens: usize, fields: usize, starts: usize, texts: i32, gradients: usize, d: i32,
  table: usize, tokenWeights: usize, fieldWeights: usize,
  tableGradients: usize, weightGradients: usize, fieldGradients: usize, seen: usize, owner: u32, owners: u32,
): void {
  const bytes = <usize>d << 2;
  for (let text = 0; text < texts; text++) {
    const g = gradients + <usize>text * bytes;
    const end = load<u32>(starts + ((<usize>text + 1) << 2));
    for (let at = load<u32>(starts + (<usize>text << 2)); at < end; at++) {
      const id = load<u32>(tokens + (<usize>at << 2));
      const shard = id & 15;
      if (shard % owners != owner) continue;
      const token = <usize>id;
      const share = amount(token, at, fields, tokenWeights, fieldWeights);
      addScaled(tableGradients + token * bytes, g, share, d);
      const byWeight = share * dot(table + token * bytes, g, d);
      const weightAt = weightGradients + (token << 2);
      store<f32>(weightAt, load<f32>(weightAt) + byWeight);
      const fieldAt = fieldGradients + (<usize>shard << 6) + (<usize>load<u8>(fields + <usize>at) << 2);
      store<f32>(fieldAt, load<f32>(fieldAt) + byWeight);
      store<u8>(seen + token, 1);
    }
  }
}

/** One Adam step over n values (a multiple of 4), which empties the gradients. `rate` holds the bias correction. */
export function adam(
  values: usize, gradients: usize, first: usize, second: usize, n: i32,
  rate: f32, beta1: f32, beta2: f32, epsilon: f32,
): void {
  const b1 = f32x4.splat(beta1);
  const b2 = f32x4.splat(beta2);
  const c1 = f32x4.splat(1 - beta1);
  const c2 = f32x4.splat(1 - beta2);
  const r = f32x4.splat(rate);
  const e = f32x4.splat(epsilon);
  for (let i: usize = 0, end = <usize>n << 2; i < end; i += 16) {
    const g = v128.load(gradients + i);
    const m = f32x4.add(f32x4.mul(b1, v128.load(first + i)), f32x4.mul(c1, g));
    const v = f32x4.add(f32x4.mul(b2, v128.load(second + i)), f32x4.mul(c2, f32x4.mul(g, g)));
    v128.store(first + i, m);
    v128.store(second + i, v);
    v128.store(values + i, f32x4.sub(v128.load(values + i), f32x4.div(f32x4.mul(r, m), f32x4.add(f32x4.sqrt(v), e))));
    v128.store(gradients + i, f32x4.splat(0));
  }
}

/** Adam over the rows of a table that this thread owns and that either tower touched. */
export function adamRows(
  table: usize, gradients: usize, first: usize, second: usize, seenByQueries: usize, seenByDocuments: usize,
  rows: i32, d: i32, owner: i32, owners: i32, rate: f32, beta1: f32, beta2: f32, epsilon: f32,
): void {
  const bytes = <usize>d << 2;
  for (let row = 0; row < rows; row++) {
    if ((row & 15) % owners != owner) continue;
    if ((load<u8>(seenByQueries + <usize>row) | load<u8>(seenByDocuments + <usize>row)) == 0) continue;
    const at = <usize>row * bytes;
    adam(table + at, gradients + at, first + at, second + at, d, rate, beta1, beta2, epsilon);
  }
}

/** The same for one value per row; empties `seen`. */
export function adamValues(
  values: usize, gradients: usize, first: usize, second: usize, seen: usize, rows: i32, owner: i32, owners: i32,
  rate: f32, beta1: f32, beta2: f32, epsilon: f32,
): void {
  for (let row = 0; row < rows; row++) {
    if ((row & 15) % owners != owner) continue;
    if (load<u8>(seen + <usize>row) == 0) continue;
    const at = <usize>row << 2;
    const g = load<f32>(gradients + at);
    const m = beta1 * load<f32>(first + at) + (1 - beta1) * g;
    const v = beta2 * load<f32>(second + at) + (1 - beta2) * g * g;
    store<f32>(first + at, m);
    store<f32>(second + at, v);
    store<f32>(values + at, load<f32>(values + at) - (rate * m) / (Mathf.sqrt(v) + epsilon));
    store<f32>(gradients + at, 0);
    store<u8>(seen + <usize>row, 0);
  }
}
