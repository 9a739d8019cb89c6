import { keyOfStep } from '../../catalog/formats/json-schema.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { mulberry32, seedOf } from '../../domain/random.ts'

/** Draws that a seed determines, on every platform. */
export type Random = {
  /** Integer of least..most, both included. */
  whole(least: number, most: number): number
  /** A number of least..most with so many decimals. */
  decimal(least: number, most: number, decimals: number): number
  /** @throws RangeError when there is nothing to pick from */
  pick<Item>(items: readonly Item[]): Item
  /** So many different entries of a list, in the order of the list. */
  some<Item>(items: readonly Item[], count: number): readonly Item[]
  shuffled<Item>(items: readonly Item[]): readonly Item[]
}

/** @param seed - any text; each text gives draws of its own */
export function randomOf(seed: string): Random {
  const next = mulberry32(seedOf(seed))
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const shuffled = <Item>(items: readonly Item[]): readonly Item[] => {
    const left = [...items]
    return items.map(() => left.splice(whole(0, left.length - 1), 1)[0]!)
  }
  return {
    whole,
    decimal: (least, most, decimals) => whole(least * 10 ** decimals, most * 10 ** decimals) / 10 ** decimals,
    pick(items) {
      if (items.length === 0) throw new RangeError('There is nothing to pick from.')
      return items[whole(0, items.length - 1)]!
    },
    some(items, count) {
      const chosen = new Set(shuffled(items.map((_, index) => index)).slice(0, count))
      return items.filter((_, index) => chosen.has(index))
    },
    shuffled,
  }
}

/** What a text that may be any is made of. */
const plainWords = [
  'amber',
  'basket',
  'candle',
  'dinner',
  'engine',
  'forest',
  'garden',
  'harbor',
  'island',
  'jacket',
  'kettle',
  'lantern',
  'market',
  'needle',
  'orchard',
  'pencil',
  'quarter',
  'river',
  'saddle',
  'ticket',
]

/** Schemas nested deeper than this are given up. */
const deepest = 8

/**
 * Draws a value that a JSON Schema describes, as far as its words are known: `const`, `enum`, examples, default, types, bounds,
 * lengths, formats, required fields, items, `allOf`, `anyOf`, `oneOf`, references within the document. Optional fields are left out,
 * but for those with examples. The value is not checked: compile the schema for that.
 *
 * A free text is only made up where any text will do, told by the name of its field; an identifier, path or address that nobody gave an
 * example of cannot be guessed.
 *
 * @param root - the document that references lead into
 * @param madeUp - a text where a guess would name something that does not exist. @defaultValue none
 * @returns undefined when no value can be drawn
 */
export function valueOfSchema(
  root: JsonObject,
  random: Random,
  madeUp: MakeText = () => undefined,
): JsonValue | undefined {
  return draw(root, { root, random, madeUp, name: '', depth: 0 })
}

/** Makes a text that a schema describes, for an input of that name. */
export type MakeText = (schema: JsonObject, random: Random, name: string) => string | undefined

type Place = {
  readonly madeUp: MakeText
  readonly root: JsonObject
  readonly random: Random
  readonly name: string
  readonly depth: number
}

function draw(schema: JsonValue, place: Place): JsonValue | undefined {
  if (schema === true) return place.random.pick(plainWords)
  if (!isJsonObject(schema) || place.depth > deepest) return undefined
  const below = { ...place, depth: place.depth + 1 }
  if (typeof schema.$ref === 'string') return draw(referred(place.root, schema.$ref), below)
  const given = givenValues(schema)
  if (given.length > 0) return place.random.pick(given)
  if (Array.isArray(schema.allOf)) return draw(merged([schema, ...schema.allOf]), below)
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray) as readonly JsonValue[] | undefined
  if (choices !== undefined && choices.length > 0) {
    const { anyOf: _any, oneOf: _one, ...rest } = schema
    for (const choice of place.random.shuffled(choices)) {
      const value = draw(merged([rest, choice]), below)
      if (value !== undefined) return value
    }
    return undefined
  }
  return makers[typeOf(schema)]?.(schema, below)
}

/** Values that the schema itself names, those that are meant for callers first. */
function givenValues(schema: JsonObject): readonly JsonValue[] {
  if (schema.const !== undefined) return [schema.const]
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples
  if (Array.isArray(schema.enum)) return schema.enum
  return [schema.example, schema.default].filter((value) => value !== undefined).slice(0, 1)
}

function typeOf({ type, properties, items }: JsonObject): string {
  const named = Array.isArray(type) ? (type.find((one) => one !== 'null') ?? 'null') : type
  if (typeof named === 'string') return named
  return properties !== undefined ? 'object' : items !== undefined ? 'array' : 'string'
}

type Maker = (schema: JsonObject, place: Place) => JsonValue | undefined

const makers: { readonly [type: string]: Maker } = {
  object(schema, place) {
    const properties = isJsonObject(schema.properties) ? schema.properties : {}
    const required = new Set(Array.isArray(schema.required) ? schema.required : [])
    const value: { [name: string]: JsonValue } = {}
    for (const name of new Set([...Object.keys(properties), ...required]) as Set<string>) {
      const property = Object.hasOwn(properties, name) ? properties[name]! : true
      const hasExamples =
        isJsonObject(property) && Array.isArray(property.examples) && property.examples.length > 0
      if (!required.has(name) && !hasExamples) continue
      const drawn = draw(property, { ...place, name })
      if (drawn === undefined) return undefined
      value[name] = drawn
    }
    return value
  },
  array({ items = true, minItems, maxItems }, place) {
    const least = wholeOr(minItems, 1)
    const count = place.random.whole(
      least,
      Math.max(least, Math.min(wholeOr(maxItems, least + 2), least + 2)),
    )
    const drawn = Array.from({ length: Math.min(count, 50) }, () => draw(items, place))
    return drawn.every((value) => value !== undefined) ? drawn : undefined
  },
  integer: (schema, { random }) => {
    const [least, most] = bounds(schema, 1)
    const step = typeof schema.multipleOf === 'number' ? Math.max(1, schema.multipleOf) : 1
    const [low, high] = [Math.ceil(least / step), Math.floor(most / step)]
    return low > high ? undefined : random.whole(low, Math.min(high, low + 1000)) * step
  },
  number: (schema, { random }) => {
    const [least, most] = bounds(schema, 0.01)
    if (typeof schema.multipleOf === 'number')
      return makers.integer!(schema, { random, madeUp: () => undefined, root: {}, name: '', depth: 0 })
    return least > most
      ? undefined
      : Math.min(
          most,
          Math.max(
            least,
            random.decimal(Math.floor(least), Math.min(Math.ceil(most), Math.floor(least) + 100), 2),
          ),
        )
  },
  boolean: (_, { random }) => random.whole(0, 1) === 1,
  null: () => null,
  string: (schema, { random, name, madeUp }) => {
    const { format } = schema
    if (typeof format === 'string') return formats[format]?.(random) ?? madeUp(schema, random, name)
    const made = madeUp(schema, random, name)
    return made !== undefined || schema.pattern !== undefined || !takesAnyText(name)
      ? made
      : wordsOf(schema, random)
  },
}

/** One to three words, of a length that a schema allows. */
export const wordsOf = ({ minLength, maxLength }: JsonObject, random: Random): string =>
  random
    .shuffled(plainWords)
    .slice(0, random.whole(1, 3))
    .join(' ')
    .padEnd(Math.min(wholeOr(minLength, 0), 1000), ' and so on')
    .slice(0, wholeOr(maxLength, 1000))
    .trimEnd()

/** Fields of such names take any words; others want something that exists. */
const freeText =
  /^(?:text|message|content|contents|query|q|search|search_?query|title|word|words|phrase|prompt|subject|body|description|comment|topic|input|sentence|keywords?|question|thought|note)$/i
const takesAnyText = (name: string): boolean => freeText.test(name)

const formats: { readonly [format: string]: (random: Random) => string } = {
  date: (random) => `20${random.whole(20, 29)}-${random.whole(10, 12)}-${random.whole(10, 28)}`,
  'date-time': (random) =>
    `20${random.whole(20, 29)}-${random.whole(10, 12)}-${random.whole(10, 28)}T${random.whole(10, 23)}:${random.whole(10, 59)}:00Z`,
  time: (random) => `${random.whole(10, 23)}:${random.whole(10, 59)}:00Z`,
  email: (random) => `${random.pick(plainWords)}@example.org`,
  uri: (random) => `https://example.org/${random.pick(plainWords)}`,
  url: (random) => `https://example.org/${random.pick(plainWords)}`,
  hostname: (random) => `${random.pick(plainWords)}.example.org`,
  ipv4: (random) => `192.0.2.${random.whole(1, 254)}`,
  ipv6: (random) => `2001:db8::${random.whole(1, 9999)}`,
}

const wholeOr = (value: JsonValue | undefined, otherwise: number): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : otherwise

function bounds(schema: JsonObject, step: number): readonly [number, number] {
  const numeric = (name: string) => (typeof schema[name] === 'number' ? (schema[name] as number) : undefined)
  const above = numeric('exclusiveMinimum')
  const below = numeric('exclusiveMaximum')
  const most = Math.min(
    numeric('maximum') ?? Number.POSITIVE_INFINITY,
    below === undefined ? Number.POSITIVE_INFINITY : below - step,
  )
  const least = Math.max(
    numeric('minimum') ?? Number.NEGATIVE_INFINITY,
    above === undefined ? Number.NEGATIVE_INFINITY : above + step,
  )
  const low = Number.isFinite(least) && least > -1e9 ? least : Math.min(1, most)
  return [low, Number.isFinite(most) && most < 1e9 ? most : Math.max(low, low + 100)]
}

function merged(schemas: readonly JsonValue[]): JsonObject {
  const objects = schemas.filter(isJsonObject).map(({ allOf: _all, ...schema }) => schema)
  const all = Object.assign({}, ...objects) as JsonObject
  const properties = Object.assign({}, ...objects.map((schema) => schema.properties ?? {})) as JsonObject
  const required = objects.flatMap((schema) => (Array.isArray(schema.required) ? schema.required : []))
  return {
    ...all,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
  }
}

/** What a reference such as `#/$defs/address` leads to. */
function referred(root: JsonObject, reference: string): JsonValue {
  if (!reference.startsWith('#')) return null
  let value: JsonValue = root
  for (const step of reference.slice(1).split('/').slice(1)) {
    const key = keyOfStep(step)
    const inside: JsonValue | undefined =
      isJsonObject(value) && Object.hasOwn(value, key)
        ? value[key]
        : Array.isArray(value)
          ? value[Number(key)]
          : undefined
    if (inside === undefined) return null
    value = inside
  }
  return value
}
