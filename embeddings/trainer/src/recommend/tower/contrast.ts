import type { Matrices, Matrix } from './matrices.ts'

/**
 * InfoNCE from queries to agents: each row of a batch has its own column, and the agents of the others are its negatives, but those that
 * serve its query too.
 *
 * @see van den Oord et al., arXiv 1807.03748
 */
export function openContrast(
  matrices: Matrices,
  {
    batch,
    width,
    temperature,
  }: { readonly batch: number; readonly width: number; readonly temperature: number },
) {
  const scores = matrices.take(batch, batch)
  const turned = matrices.take(batch, batch)
  const turnedAgents = matrices.take(width, batch)
  const byQueries = matrices.take(batch, width)
  const byAgents = matrices.take(batch, width)
  return {
    byQueries,
    byAgents,
    /**
     * @param serves - whether the agent of a column serves the query of a row
     * @returns the mean loss; gradients are in `byQueries` and `byAgents`
     */
    loss(queries: Matrix, agents: Matrix, serves: (row: number, column: number) => boolean): number {
      matrices.transpose(agents, turnedAgents)
      matrices.multiply(queries, turnedAgents, scores)
      let total = 0
      for (let row = 0; row < batch; row += 1) total += rowLoss(row, serves)
      matrices.multiply(scores, agents, byQueries)
      matrices.transpose(scores, turned)
      matrices.multiply(turned, queries, byAgents)
      return total / batch
    },
  }

  /** Puts gradients by the scores in the place of the scores. */
  function rowLoss(row: number, serves: (row: number, column: number) => boolean): number {
    const { values } = scores
    const from = row * batch
    let high = Number.NEGATIVE_INFINITY
    for (let column = 0; column < batch; column += 1) {
      const isLeftOut = column !== row && serves(row, column)
      values[from + column] = isLeftOut ? Number.NEGATIVE_INFINITY : values[from + column]! / temperature
      high = Math.max(high, values[from + column]!)
    }
    const own = values[from + row]!
    let sum = 0
    for (let column = 0; column < batch; column += 1) sum += Math.exp(values[from + column]! - high)
    const log = high + Math.log(sum)
    for (let column = 0; column < batch; column += 1)
      values[from + column] =
        (Math.exp(values[from + column]! - log) - (column === row ? 1 : 0)) / (temperature * batch)
    return log - own
  }
}
