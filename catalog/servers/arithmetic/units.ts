/** A unit: how many base units one of it is, and its names. `zero` is its zero on the base scale (temperatures). */
export type Unit = {
  readonly symbol: string
  readonly factor: number
  readonly zero: number
  readonly names: readonly string[]
}

const unit = (symbol: string, factor: number, names: string, zero = 0): Unit => ({
  symbol,
  factor,
  zero,
  names: names.split('|'),
})

const inch = 0.0254
const foot = 12 * inch
const pound = 0.45359237
const gallonUs = 231 * inch ** 3
const gallonUk = 0.00454609
const poundForce = pound * 9.80665

/** Units by dimension. Factors are exact by definition where a definition exists. */
export const dimensions: ReadonlyMap<string, readonly Unit[]> = new Map([
  [
    'length',
    [
      unit('m', 1, 'meter|metre'),
      unit('km', 1000, 'kilometer|kilometre'),
      unit('cm', 0.01, 'centimeter|centimetre'),
      unit('mm', 0.001, 'millimeter|millimetre'),
      unit('um', 1e-6, 'micrometer|micrometre|micron'),
      unit('nm', 1e-9, 'nanometer|nanometre'),
      unit('in', inch, 'inch|inches'),
      unit('ft', foot, 'foot|feet'),
      unit('yd', 3 * foot, 'yard'),
      unit('mi', 5280 * foot, 'mile'),
      unit('nmi', 1852, 'nautical mile'),
    ],
  ],
  [
    'mass',
    [
      unit('kg', 1, 'kilogram|kilo'),
      unit('g', 0.001, 'gram'),
      unit('mg', 1e-6, 'milligram'),
      unit('ug', 1e-9, 'microgram|mcg'),
      unit('t', 1000, 'tonne|metric ton'),
      unit('lb', pound, 'pound|lbs'),
      unit('oz', pound / 16, 'ounce'),
      unit('st', 14 * pound, 'stone'),
      unit('short ton', 2000 * pound, 'short ton|us ton'),
    ],
  ],
  [
    'volume',
    [
      unit('m3', 1, 'cubic meter|cubic metre'),
      unit('l', 0.001, 'liter|litre'),
      unit('ml', 1e-6, 'milliliter|millilitre|cc'),
      unit('cl', 1e-5, 'centiliter|centilitre'),
      unit('dl', 1e-4, 'deciliter|decilitre'),
      unit('gal', gallonUs, 'gallon|us gallon'),
      unit('qt', gallonUs / 4, 'quart'),
      unit('pt', gallonUs / 8, 'pint'),
      unit('cup', gallonUs / 16, 'cup|us cup'),
      unit('fl oz', gallonUs / 128, 'fluid ounce|fl. oz.'),
      unit('tbsp', gallonUs / 256, 'tablespoon'),
      unit('tsp', gallonUs / 768, 'teaspoon'),
      unit('uk gal', gallonUk, 'imperial gallon|uk gallon'),
      unit('uk pt', gallonUk / 8, 'imperial pint|uk pint'),
      unit('ft3', foot ** 3, 'cubic foot|cubic feet'),
      unit('in3', inch ** 3, 'cubic inch|cubic inches'),
    ],
  ],
  [
    'area',
    [
      unit('m2', 1, 'square meter|square metre|sqm'),
      unit('km2', 1e6, 'square kilometer|square kilometre'),
      unit('cm2', 1e-4, 'square centimeter|square centimetre'),
      unit('ha', 10_000, 'hectare'),
      unit('acre', 4840 * (3 * foot) ** 2, 'acre'),
      unit('ft2', foot ** 2, 'square foot|square feet|sqft|sq ft'),
      unit('in2', inch ** 2, 'square inch|square inches'),
      unit('yd2', (3 * foot) ** 2, 'square yard'),
      unit('mi2', (5280 * foot) ** 2, 'square mile'),
    ],
  ],
  [
    'speed',
    [
      unit('m/s', 1, 'meter per second|metre per second|meters per second|metres per second|mps'),
      unit('km/h', 1 / 3.6, 'kilometer per hour|kilometers per hour|kilometres per hour|kph|kmh'),
      unit('mph', (5280 * foot) / 3600, 'mile per hour|miles per hour'),
      unit('kn', 1852 / 3600, 'knot|kt'),
      unit('ft/s', foot, 'foot per second|feet per second|fps'),
    ],
  ],
  [
    'time',
    [
      unit('s', 1, 'second|sec'),
      unit('ms', 0.001, 'millisecond'),
      unit('us', 1e-6, 'microsecond'),
      unit('min', 60, 'minute'),
      unit('h', 3600, 'hour|hr'),
      unit('d', 86_400, 'day'),
      unit('wk', 604_800, 'week'),
    ],
  ],
  [
    'temperature',
    [
      unit('K', 1, 'kelvin'),
      unit('C', 1, 'celsius|degree celsius|degrees celsius|centigrade|°C', 273.15),
      unit('F', 5 / 9, 'fahrenheit|degree fahrenheit|degrees fahrenheit|°F', 459.67 * (5 / 9)),
    ],
  ],
  [
    'data',
    [
      unit('B', 1, 'byte'),
      unit('bit', 1 / 8, 'bits'),
      unit('kB', 1e3, 'kilobyte'),
      unit('MB', 1e6, 'megabyte'),
      unit('GB', 1e9, 'gigabyte'),
      unit('TB', 1e12, 'terabyte'),
      unit('KiB', 1024, 'kibibyte'),
      unit('MiB', 1024 ** 2, 'mebibyte'),
      unit('GiB', 1024 ** 3, 'gibibyte'),
      unit('TiB', 1024 ** 4, 'tebibyte'),
      unit('Mbit', 1e6 / 8, 'megabit'),
      unit('Gbit', 1e9 / 8, 'gigabit'),
    ],
  ],
  [
    'energy',
    [
      unit('J', 1, 'joule'),
      unit('kJ', 1000, 'kilojoule'),
      unit('cal', 4.184, 'calorie'),
      unit('kcal', 4184, 'kilocalorie'),
      unit('Cal', 4184, 'food calorie|large calorie'),
      unit('Wh', 3600, 'watt hour|watt-hour'),
      unit('kWh', 3.6e6, 'kilowatt hour|kilowatt-hour'),
      unit('BTU', 1055.05585262, 'british thermal unit'),
    ],
  ],
  [
    'power',
    [
      unit('W', 1, 'watt'),
      unit('mW', 0.001, 'milliwatt'),
      unit('kW', 1000, 'kilowatt'),
      unit('MW', 1e6, 'megawatt'),
      unit('hp', 550 * foot * poundForce, 'horsepower'),
      unit('PS', 735.49875, 'metric horsepower'),
    ],
  ],
  [
    'pressure',
    [
      unit('Pa', 1, 'pascal'),
      unit('kPa', 1000, 'kilopascal'),
      unit('MPa', 1e6, 'megapascal'),
      unit('hPa', 100, 'hectopascal|mbar|millibar'),
      unit('bar', 100_000, 'bar'),
      unit('atm', 101_325, 'atmosphere'),
      unit('psi', poundForce / inch ** 2, 'pound per square inch|pounds per square inch'),
      unit('mmHg', 133.322387415, 'millimeter of mercury|millimetre of mercury'),
    ],
  ],
  [
    'angle',
    [
      unit('rad', 1, 'radian'),
      unit('deg', Math.PI / 180, 'degree'),
      unit('turn', 2 * Math.PI, 'revolution'),
      unit('grad', Math.PI / 200, 'gradian|gon'),
    ],
  ],
])
