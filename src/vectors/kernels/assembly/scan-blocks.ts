// What the kernels that look through rows are asked: blocks of arguments in memory, which the caller writes. Each field has 32 bits.

/** The rows. Each is cut into a head and a tail, which lie in two places. */
@unmanaged
export class Rows {
  heads: usize;
  tails: usize;
  /** What each row's score is multiplied by. */
  scales: usize;
  /** How long each row's tail is, times its scale. */
  reaches: usize;
  /** One byte per row; 0 for no filter. */
  admitted: usize;
  /** How many there are, a multiple of 4. */
  count: i32;
  /** Values of a head, and of a tail: multiples of 16. */
  head: i32;
  tail: i32;
}

/** One query, and where what comes of it is written. */
@unmanaged
export class Query {
  values: usize;
  /** What every score is multiplied by. */
  unit: f32;
  /** What the tail of row i adds is at most reach * reaches[i]. */
  reach: f32;
  bar: f32;
  /** Numbers of rows. */
  list: usize;
  /** By row what its head adds, before it is multiplied. */
  sums: usize;
  /** By row, or by place in the list. */
  scores: usize;
}
