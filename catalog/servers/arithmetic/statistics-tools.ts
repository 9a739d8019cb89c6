import * as z from 'zod'
import { numberField } from '../shared/fields.ts'
import { tidy } from '../shared/rounding.ts'
import { defineTool } from '../shared/tool.ts'
import { determinant, solveLinearSystem } from './linear-algebra.ts'
import { fitLine } from './linear-regression.ts'
import { solveQuadratic } from './quadratic.ts'
import { summarize } from './statistics.ts'

const numbers = z.array(z.number()).min(1).max(10_000)
const matrix = z
  .array(z.array(z.number()).min(1).max(12))
  .min(1)
  .max(12)
  .describe('Rows of a square matrix, at most 12 by 12.')

/** Samples, lines and equations. */
export const statisticsTools = [
  defineTool({
    name: 'summarize_numbers',
    title: 'Summarize numbers',
    description:
      'Describe a list of numbers: count, sum, mean, median, modes, minimum, maximum, quartiles and standard deviation. ' +
      'Use it for averages and spreads; summarize_csv_column does the same for a column of a table.',
    input: z.strictObject({ numbers: numbers.describe('The numbers, in any order.') }),
    output: z.object({
      count: z.int(),
      sum: z.number(),
      mean: z.number(),
      median: z.number(),
      modes: z.array(z.number()).describe('Empty when every number comes once.'),
      min: z.number(),
      max: z.number(),
      range: z.number(),
      lowerQuartile: z.number(),
      upperQuartile: z.number(),
      populationStandardDeviation: z.number(),
      sampleStandardDeviation: z.number().nullable().describe('Null for a single number.'),
    }),
    example: { numbers: [2, 4, 4, 4, 5, 5, 7, 9] },
    handle({ numbers: sample }) {
      const summary = summarize(sample)
      const { count, mean, median, min, max } = summary
      return {
        result: { ...summary, modes: [...summary.modes] },
        text: `${count} numbers: mean ${mean}, median ${median}, from ${min} to ${max}`,
      }
    },
  }),
  defineTool({
    name: 'linear_regression',
    title: 'Linear regression',
    description:
      'Fit a straight line through pairs of numbers by least squares, tell how well it fits, and predict y for further x. ' +
      'Use it for trends and simple forecasts.',
    input: z.strictObject({
      x: numbers.describe('The x of each point.'),
      y: numbers.describe('The y of each point, as many as x.'),
      predictAt: z.array(z.number()).max(1000).default([]).describe('Further x to predict y for.'),
    }),
    output: z.object({
      slope: z.number(),
      intercept: z.number(),
      correlation: z.number(),
      rSquared: z.number(),
      predictions: z.array(z.object({ x: z.number(), y: z.number() })),
    }),
    example: { x: [1, 2, 3], y: [3, 5, 7], predictAt: [10] },
    handle({ x, y, predictAt }) {
      const line = fitLine(x, y)
      const predictions = predictAt.map((at) => ({ x: at, y: tidy(line.slope * at + line.intercept) }))
      const told = predictions.map((point) => `; at x = ${point.x}, y = ${point.y}`).join('')
      return {
        result: { ...line, predictions },
        text: `y = ${line.slope} * x + ${line.intercept}, R squared ${line.rSquared}${told}`,
      }
    },
  }),
  defineTool({
    name: 'matrix_determinant',
    title: 'Matrix determinant',
    description: 'Calculate the determinant of a square matrix; exact when all entries are whole numbers.',
    input: z.strictObject({ matrix }),
    output: z.object({ determinant: z.number() }),
    example: {
      matrix: [
        [1, 2],
        [3, 4],
      ],
    },
    handle({ matrix: rows }) {
      const value = determinant(rows)
      return { result: { determinant: value }, text: `Determinant ${value}` }
    },
  }),
  defineTool({
    name: 'solve_linear_system',
    title: 'Solve linear equations',
    description:
      'Solve as many linear equations as there are unknowns: mixtures, break-even points, currents, two-price puzzles.',
    input: z.strictObject({
      matrix: matrix.describe('Coefficients: one row for each equation, one column for each unknown.'),
      constants: z.array(z.number()).min(1).max(12).describe('Right-hand sides, one for each equation.'),
    }),
    output: z.object({ solution: z.array(z.number()) }),
    example: {
      matrix: [
        [2, 1],
        [1, -1],
      ],
      constants: [5, 1],
    },
    handle({ matrix: rows, constants }) {
      const solution = [...solveLinearSystem(rows, constants)]
      return {
        result: { solution },
        text: solution.map((value, index) => `x${index + 1} = ${value}`).join(', '),
      }
    },
  }),
  defineTool({
    name: 'solve_quadratic',
    title: 'Solve quadratic equation',
    description: 'Find the roots of a x^2 + b x + c = 0, real or complex.',
    input: z.strictObject({
      a: numberField('Coefficient of x squared, not 0.'),
      b: numberField('Coefficient of x.'),
      c: numberField('Constant.'),
    }),
    output: z.object({
      discriminant: z.number(),
      roots: z.array(z.object({ real: z.number(), imaginary: z.number() })),
    }),
    example: { a: 1, b: -3, c: 2 },
    handle({ a, b, c }) {
      const { discriminant, roots } = solveQuadratic(a, b, c)
      const written = roots.map(({ real, imaginary }) =>
        imaginary === 0 ? `${real}` : `${real} ${imaginary < 0 ? '-' : '+'} ${Math.abs(imaginary)}i`,
      )
      return { result: { discriminant, roots }, text: `x = ${written.join(' or x = ')}` }
    },
  }),
]
