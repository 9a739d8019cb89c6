import { known, type AnswerKey } from './answer-key.ts'

/** How many of the second unit the first one is, by international definition, and what people call them. */
const factors: readonly (readonly [
  from: string,
  to: string,
  factor: number,
  fromName: string,
  toName: string,
])[] = [
  ['mi', 'km', 1.609344, 'miles', 'kilometers'],
  ['in', 'cm', 2.54, 'inches', 'centimeters'],
  ['ft', 'm', 0.3048, 'feet', 'meters'],
  ['yd', 'm', 0.9144, 'yards', 'meters'],
  ['nmi', 'km', 1.852, 'nautical miles', 'kilometers'],
  ['lb', 'kg', 0.45359237, 'pounds', 'kilograms'],
  ['oz', 'g', 28.349523125, 'ounces', 'grams'],
  ['st', 'lb', 14, 'stone', 'pounds'],
  ['gal', 'l', 3.785411784, 'US gallons', 'liters'],
  ['uk pt', 'ml', 568.26125, 'imperial pints', 'milliliters'],
  ['cup', 'fl oz', 8, 'cups', 'fluid ounces'],
  ['acre', 'm2', 4046.8564224, 'acres', 'square meters'],
  ['ha', 'm2', 10_000, 'hectares', 'square meters'],
  ['mph', 'km/h', 1.609344, 'miles per hour', 'kilometers per hour'],
  ['kn', 'km/h', 1.852, 'knots', 'kilometers per hour'],
  ['wk', 'h', 168, 'weeks', 'hours'],
  ['d', 'min', 1440, 'days', 'minutes'],
  ['MiB', 'KiB', 1024, 'mebibytes', 'kibibytes'],
  ['GB', 'MB', 1000, 'gigabytes', 'megabytes'],
]

/** A unit of each dimension that nobody leaves out. */
const wellKnown: readonly (readonly [dimension: string, symbol: string])[] = [
  ['length', 'mi'],
  ['length', 'km'],
  ['mass', 'lb'],
  ['mass', 'kg'],
  ['volume', 'l'],
  ['area', 'ha'],
  ['speed', 'km/h'],
  ['time', 'h'],
  ['temperature', 'F'],
  ['data', 'MB'],
]

/** Units and percentages. */
export const measureKeys: readonly AnswerKey[] = [
  {
    tool: 'convert_unit',
    draw(random) {
      const value = random.decimal(1, 500, 1)
      if (random.whole(0, 4) === 0) {
        const [from, to] = random.pick([
          ['F', 'C'],
          ['C', 'F'],
        ] as const)
        const converted = from === 'F' ? ((value - 32) * 5) / 9 : (value * 9) / 5 + 32
        return known(
          `What is ${value} °${from} in °${to}?`,
          { value, from, to },
          { value: converted, to },
          1e-6,
        )
      }
      const [small, large, factor, smallName, largeName] = random.pick(factors)
      const forward = random.whole(0, 1) === 0
      const [from, to] = forward ? [small, large] : [large, small]
      const text = `How many ${forward ? largeName : smallName} are ${value} ${forward ? smallName : largeName}?`
      return known(text, { value, from, to }, { value: forward ? value * factor : value / factor, to })
    },
  },
  {
    tool: 'list_units',
    draw(random) {
      const [dimension, symbol] = random.pick(wellKnown)
      return known(
        `Which units of ${dimension} are known?`,
        { dimension },
        { [`$.units[?@.symbol=='${symbol}'].dimension`]: dimension },
      )
    },
  },
  {
    tool: 'percentage_change',
    draw(random) {
      const [from, to] = [random.whole(1, 2000), random.whole(0, 2000)]
      const text = `By how many percent does ${from} change to become ${to}?`
      return known(text, { from, to }, { percent: (to * 100) / from - 100, difference: to - from }, 1e-9)
    },
  },
  {
    tool: 'percent_of',
    draw(random) {
      const [percent, hundredths] = [random.whole(1, 99), random.whole(100, 500_000)]
      const [part, amount] = [(percent * hundredths) / 10_000, hundredths / 100]
      const increased = ((100 + percent) * hundredths) / 10_000
      const decreased = ((100 - percent) * hundredths) / 10_000
      return known(
        `What is ${percent}% of ${amount}, and ${amount} with it added and taken off?`,
        { percent, amount },
        { part, increased, decreased },
        1e-9,
      )
    },
  },
  {
    tool: 'percentage_share',
    draw(random) {
      const [part, whole] = [random.whole(0, 500), random.whole(1, 900)]
      return known(
        `What percentage of ${whole} is ${part}?`,
        { part, whole },
        { percent: (part * 100) / whole },
      )
    },
  },
]
