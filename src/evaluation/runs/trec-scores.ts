import type { Ranking } from '../../domain/ranking.ts'

const largest = 3.4028234663852886e38

/**
 * The scores of a ranking as decimals that trec_eval puts in the very order of the ranking. trec_eval holds scores as
 * 32-bit floats: two of ours that differ by less would become a tie there, and be ordered by id. Equal scores stay
 * equal, and of two that differ the lower is written at least one float lower. Infinite scores become the largest
 * float, the only case in which a difference can be lost.
 *
 * @returns one decimal per candidate, in the order of the ranking
 */
export function trecScores(ranking: Ranking): readonly string[] {
  const written: number[] = []
  for (const [place, { score }] of ranking.entries()) {
    const above = written[place - 1] ?? Number.POSITIVE_INFINITY
    const value = Math.min(Math.max(Math.fround(score), -largest), largest)
    if (place > 0 && ranking[place - 1]!.score === score) written.push(above)
    else written.push(value < above ? value : nextBelow(above))
  }
  return written.map(shortest)
}

const float = new Float32Array(1)
const bits = new Int32Array(float.buffer)

/** The next 32-bit float below a finite one. */
function nextBelow(value: number): number {
  if (value <= -largest) return value
  if (value === 0) return -(2 ** -149)
  float[0] = value
  bits[0]! += value > 0 ? -1 : 1 // neighbouring floats of one sign have neighbouring bits
  return float[0]!
}

/** The shortest decimal that reads back as the same 32-bit float; nine digits always do. */
function shortest(value: number): string {
  for (let digits = 6; digits < 9; digits += 1) {
    const decimal = Number(value.toPrecision(digits))
    if (Math.fround(decimal) === value) return String(decimal)
  }
  return String(Number(value.toPrecision(9)))
}
