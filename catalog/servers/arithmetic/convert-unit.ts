import { InputError } from '../shared/input-error.ts'
import { dimensions, type Unit } from './units.ts'

/** A converted quantity, with units by their symbols. */
export type Conversion = {
  readonly value: number
  readonly from: string
  readonly to: string
  readonly dimension: string
}

/**
 * Converts a quantity between units of one dimension, to twelve significant digits.
 *
 * @param from - symbol or name: `km`, `Miles`, `fl oz`. Symbols that differ by case only (`ms`, `MS`) need their case
 * @throws InputError for an unknown unit, or units of different dimensions
 */
export function convertUnit(value: number, from: string, to: string): Conversion {
  const source = findUnit(from, 'from')
  const target = findUnit(to, 'to')
  if (source.dimension !== target.dimension) {
    throw new InputError(
      `"${from}" measures ${source.dimension} and "${to}" measures ${target.dimension}. ` +
        `Send two units of one dimension; for ${source.dimension}: ${symbolsOf(source.dimension).join(', ')}.`,
    )
  }
  const base = value * source.unit.factor + source.unit.zero
  const converted = (base - target.unit.zero) / target.unit.factor
  return {
    value: source.unit === target.unit ? value : twelveDigits(converted, base),
    from: source.unit.symbol,
    to: target.unit.symbol,
    dimension: source.dimension,
  }
}

/** Symbols of a dimension's units, or of no units for an unknown dimension. */
export const symbolsOf = (dimension: string): readonly string[] =>
  (dimensions.get(dimension) ?? []).map(({ symbol }) => symbol)

/** Twelve digits are beyond any measurement; 32 F is 0 C, though the subtraction of kelvins leaves 5.7e-14. */
const twelveDigits = (value: number, base: number): number =>
  Math.abs(value) < 1e-14 * Math.abs(base) ? 0 : Number(value.toPrecision(12))

type Found = { readonly unit: Unit; readonly dimension: string }

function findUnit(text: string, field: string): Found {
  const asWritten = text.trim().replace(/²/g, '2').replace(/³/g, '3').replace(/µ|μ/g, 'u')
  const folded = asWritten.toLowerCase().replace(/\s+/g, ' ')
  const exact = matching(({ symbol }) => symbol === asWritten)
  const loose = saysPrefixByCase.test(asWritten)
    ? []
    : matching(({ symbol }) => symbol.toLowerCase() === folded)
  const named = matching(({ names }) => names.some((name) => sameName(name.toLowerCase(), folded)))
  const found = exact[0] ?? (loose.length === 1 ? loose[0] : undefined) ?? named[0]
  if (found !== undefined) return found
  if (loose.length > 1) {
    const choices = loose.map(({ unit, dimension }) => `${unit.symbol} (${dimension})`).join(', ')
    throw new InputError(`"${field}": "${text}" could be ${choices}. Send the symbol in its exact case.`)
  }
  throw new InputError(
    `"${field}": unknown unit "${text}". Send a symbol or name such as km, mile, kg, lb, l, C, F; ` +
      `list_units shows all. Dimensions: ${[...dimensions.keys()].join(', ')}.`,
  )
}

/** In "mW" and "Mb" the case tells milli from mega and bits from bytes: such a text has no other reading. */
const saysPrefixByCase = /^(?:m.*[A-Z]|M.*[a-z])/

/** Names are written in the singular, or as irregular plurals of their own. */
const sameName = (name: string, text: string): boolean =>
  name === text || `${name}s` === text || name.replace(/^(\S+)/, '$1s') === text

function matching(accepts: (unit: Unit) => boolean): readonly Found[] {
  return [...dimensions].flatMap(([dimension, units]) =>
    units.filter(accepts).map((unit) => ({ unit, dimension })),
  )
}
