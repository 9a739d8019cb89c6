import * as z from 'zod'
import { lineField, numberField } from '../shared/fields.ts'
import { defineTool } from '../shared/tool.ts'
import { convertUnit, symbolsOf } from './convert-unit.ts'
import { percentageChange, percentOf, shareOf } from './percentages.ts'
import { dimensions } from './units.ts'

const dimensionNames = [...dimensions.keys()]

/** Units and percentages. */
export const measureTools = [
  defineTool({
    name: 'convert_unit',
    title: 'Convert unit',
    description:
      'Convert a quantity between units of length, mass, volume, area, speed, time, temperature, data, energy, ' +
      'power, pressure or angle: miles to km, Fahrenheit to Celsius, cups to ml. Not for currencies.',
    input: z.strictObject({
      value: numberField('The quantity.'),
      from: lineField('Its unit, symbol or name: "mi", "pounds", "F".'),
      to: lineField('The unit wanted, of the same dimension.'),
    }),
    output: z.object({ value: z.number(), from: z.string(), to: z.string(), dimension: z.string() }),
    example: { value: 26.2, from: 'miles', to: 'km' },
    handle({ value, from, to }) {
      const result = convertUnit(value, from, to)
      return { result, text: `${value} ${result.from} = ${result.value} ${result.to}` }
    },
  }),
  defineTool({
    name: 'list_units',
    title: 'List units',
    description:
      'List the units that convert_unit knows, of one dimension or of all. Use it when a unit is not found.',
    input: z.strictObject({
      dimension: z.enum(dimensionNames).optional().describe('Leave out for all dimensions.'),
    }),
    output: z.object({
      units: z.array(z.object({ dimension: z.string(), symbol: z.string(), names: z.array(z.string()) })),
    }),
    example: { dimension: 'length' },
    handle({ dimension }) {
      const wanted = dimensionNames.filter((name) => dimension === undefined || name === dimension)
      const units = wanted.flatMap((name) =>
        (dimensions.get(name) ?? []).map(({ symbol, names }) => ({
          dimension: name,
          symbol,
          names: [...names],
        })),
      )
      return {
        result: { units },
        text: wanted.map((name) => `${name}: ${symbolsOf(name).join(', ')}`).join('\n'),
      }
    },
  }),
  defineTool({
    name: 'percentage_change',
    title: 'Percentage change',
    description:
      'Tell by how many percent an amount rose or fell from an old to a new value: price increases, growth, discounts.',
    input: z.strictObject({ from: numberField('Old amount, not 0.'), to: numberField('New amount.') }),
    output: z.object({ percent: z.number(), difference: z.number(), factor: z.number() }),
    example: { from: 80, to: 100 },
    handle({ from, to }) {
      const result = percentageChange(from, to)
      return { result, text: `From ${from} to ${to}: ${result.percent >= 0 ? '+' : ''}${result.percent}%` }
    },
  }),
  defineTool({
    name: 'percent_of',
    title: 'Percent of an amount',
    description:
      'Take a percentage of an amount, and add it to or take it off the amount: tax, tips, discounts, commission.',
    input: z.strictObject({
      percent: numberField('For example 19.'),
      amount: numberField('For example 250.'),
    }),
    output: z.object({ part: z.number(), increased: z.number(), decreased: z.number() }),
    example: { percent: 19, amount: 250 },
    handle({ percent, amount }) {
      const result = percentOf(percent, amount)
      const { part, increased, decreased } = result
      return { result, text: `${percent}% of ${amount} is ${part} (plus: ${increased}, minus: ${decreased})` }
    },
  }),
  defineTool({
    name: 'percentage_share',
    title: 'Share of a total',
    description: 'Tell what percentage of a whole a part is: market share, test scores, progress.',
    input: z.strictObject({ part: numberField('The part.'), whole: numberField('The whole, not 0.') }),
    output: z.object({ percent: z.number() }),
    example: { part: 17, whole: 20 },
    handle({ part, whole }) {
      const percent = shareOf(part, whole)
      return { result: { percent }, text: `${part} is ${percent}% of ${whole}` }
    },
  }),
]
