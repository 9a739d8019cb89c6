// What the lanes of vectors add up to.

/** The four sums of four vectors' lanes, in their order. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function laneSums(s0: v128, s1: v128, s2: v128, s3: v128): v128 {
  const a = i32x4.add(v128.shuffle<i32>(s0, s1, 0, 4, 1, 5), v128.shuffle<i32>(s0, s1, 2, 6, 3, 7));
  const b = i32x4.add(v128.shuffle<i32>(s2, s3, 0, 4, 1, 5), v128.shuffle<i32>(s2, s3, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(a, b, 0, 1, 4, 5), v128.shuffle<i32>(a, b, 2, 3, 6, 7));
}
