import { known, type AnswerKey } from './answer-key.ts'

const wholes = (count: number, draw: () => number): readonly number[] => Array.from({ length: count }, draw)
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const times = (rows: readonly (readonly number[])[], vector: readonly number[]): readonly number[] =>
  rows.map((row) => sum(row.map((entry, index) => entry * vector[index]!)))

/** Samples, lines and equations. */
export const statisticsKeys: readonly AnswerKey[] = [
  {
    tool: 'summarize_numbers',
    draw(random) {
      const numbers = wholes(random.whole(3, 9), () => random.whole(-50, 200))
      const count = numbers.length
      const rising = numbers.toSorted((left, right) => left - right)
      const median = (rising[Math.floor((count - 1) / 2)]! + rising[Math.ceil((count - 1) / 2)]!) / 2
      const squares = sum(
        numbers.flatMap((left, index) => numbers.slice(index + 1).map((right) => (left - right) ** 2)),
      )
      const sampleStandardDeviation = Math.sqrt(squares / count / (count - 1)) // over pairs, so without a mean
      const expected = {
        count,
        sum: sum(numbers),
        mean: sum(numbers) / count,
        median,
        min: rising[0]!,
        max: rising.at(-1)!,
        sampleStandardDeviation,
      }
      return known(
        `Describe these numbers: ${numbers.join(', ')} (count, sum, mean, median, extremes, standard deviation).`,
        { numbers },
        expected,
        1e-9,
      )
    },
  },
  {
    tool: 'linear_regression',
    draw(random) {
      const [slope, intercept, at] = [random.whole(-9, 9), random.whole(-20, 20), random.whole(20, 60)]
      const x = random.some([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], random.whole(3, 6))
      const y = x.map((value) => slope * value + intercept)
      const text = `Fit a line through ${x.map((value, index) => `(${value}, ${y[index]})`).join(', ')} and predict y at x = ${at}.`
      return known(
        text,
        { x: [...x], y, predictAt: [at] },
        { slope, intercept, predictions: [{ x: at, y: slope * at + intercept }] },
        1e-6,
      )
    },
  },
  {
    tool: 'matrix_determinant',
    draw(random) {
      const size = random.whole(2, 4)
      const indices = Array.from({ length: size }, (_, index) => index)
      const lower = indices.map((row) =>
        indices.map((column) => (row === column ? 1 : row > column ? random.whole(-3, 3) : 0)),
      )
      const upper = indices.map((row) => indices.map((column) => (row <= column ? random.whole(-4, 5) : 0)))
      const matrix = lower.map((row) =>
        indices.map((column) => sum(row.map((entry, index) => entry * upper[index]![column]!))),
      )
      const determinant = indices.reduce((product, index) => product * upper[index]![index]!, 1) + 0
      return known(`What is the determinant of ${JSON.stringify(matrix)}?`, { matrix }, { determinant }, 1e-6)
    },
  },
  {
    tool: 'solve_linear_system',
    draw(random) {
      const size = random.whole(2, 4)
      const solution = wholes(size, () => random.whole(-9, 9))
      const matrix = solution.map((_, row) =>
        solution.map((_, column) => (row === column ? random.whole(20, 30) : random.whole(-4, 4))),
      )
      const constants = [...times(matrix, solution)]
      const rows = matrix.map(
        (row, index) =>
          `${row.map((entry, column) => `${entry} x${column + 1}`).join(' + ')} = ${constants[index]}`,
      )
      return known(`Solve: ${rows.join('; ')}.`, { matrix, constants }, { solution: [...solution] }, 1e-6)
    },
  },
  {
    tool: 'solve_quadratic',
    draw(random) {
      const [a, low] = [random.pick([-3, -2, -1, 1, 2, 3]), random.whole(-12, 11)]
      const high = low + random.whole(1, 9)
      const [b, c] = [-a * (low + high) + 0, a * low * high + 0]
      return known(
        `What are the roots of ${a} x^2 + ${b} x + ${c} = 0?`,
        { a, b, c },
        { '$.roots[*].real': [low, high] },
        1e-9,
      )
    },
  },
]
