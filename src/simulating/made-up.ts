import type { ToolCard } from '../domain/card.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import {
  compiledSchema,
  PatternError,
  type SchemaCheck,
  matchesPattern,
} from '../probing/judges/compiled-schema.ts'
import {
  randomOf,
  valueOfSchema,
  type MakeText,
  type Random,
  wordsOf,
} from '../probing/writing/schema-arguments.ts'
import { keyOfJson } from './answers-file.ts'
import type { ToolAnswer } from './ports.ts'
import { isId, isMeant, meaningOf, thingsIn, type Things, mayChange, type SessionState } from './things.ts'

/** An answer that was made up; null where none can be. `isOfState`: it tells what the session created or deleted. */
type MadeUp = { readonly answer: ToolAnswer | null; readonly isOfState: boolean }

/** Draws of a value before none is given. */
const mostDraws = 20

/**
 * Makes an answer of the output schema, without anything that knows the tool: the same for the same call in the same state. What the
 * arguments say stands in it where the names agree. What is created has an id of its own. What was created by a tool such as `create_note` is told by `list_notes` and `get_note`.
 */
export function madeUpAnswer(card: ToolCard, args: JsonObject, { key, history }: SessionState): MadeUp {
  const meaning = meaningOf(card.name)
  const things = meaning === null ? none : thingsIn(history, meaning.noun)
  const seed = `${card.name} ${keyOfJson(args)} ${key}`
  if (meaning?.act === 'get') {
    const thing = things.there.find((one) => isMeant(one, args))
    if (thing !== undefined)
      return { answer: answerOf(card, { seed, said: { ...args, ...thing } }), isOfState: true }
  }
  const knowsIt = meaning !== null && meaning.act !== 'create' && meaning.act !== 'list'
  const isThere = things.there.some((one) => isMeant(one, args))
  if (knowsIt && !isThere && things.gone.some((one) => isMeant(one, args)))
    return { answer: notFound(meaning.noun), isOfState: true }
  if (meaning?.act === 'list' && things.there.length + things.gone.length > 0) {
    const answer = answerOf(card, { seed, said: args, listed: things.there })
    if (answer !== null) return { answer, isOfState: true }
  }
  const taken = meaning?.act === 'create' ? idsOf([...things.there, ...things.gone]) : undefined
  return { answer: answerOf(card, { seed, said: args, taken }), isOfState: false }
}

const none: Things = { there: [], gone: [] }

const notFound = (noun: string): ToolAnswer => ({
  content: [{ type: 'text', text: `There is no such ${noun}.` }],
  failed: true,
})

type Basis = {
  readonly seed: string
  /** What stands in the answer under these names. */
  readonly said: JsonObject
  /** What its list holds. */
  readonly listed?: readonly JsonObject[]
  /** Ids that a new thing must not have. */
  readonly taken?: ReadonlySet<JsonValue> | undefined
}

function answerOf(card: ToolCard, { seed, said, listed, taken = new Set() }: Basis): ToolAnswer | null {
  const { outputSchema } = card
  if (outputSchema === undefined) {
    const id = meaningOf(card.name)?.act === 'create' ? { id: keyOfJson(seed).slice(0, 8) } : {}
    const value = listed ?? withNewIds({ ...id, ...said }, said, taken)
    return { content: [{ type: 'text', text: JSON.stringify(value) }], failed: false }
  }
  try {
    for (let draw = 0; draw < mostDraws; draw += 1) {
      const drawn = valueOfSchema(outputSchema, randomOf(`${seed} ${draw}`), madeUpText)
      if (drawn === undefined) continue
      const done = mayChange(card) ? withSuccess(drawn) : drawn
      const listing = listed === undefined ? done : withList(done, listed)
      const value = [withSaid(listing, said), listing, ...(listed === undefined ? [drawn] : [])]
        .map((one) => withNewIds(one, said, taken))
        .find((one) => faultBy(outputSchema, one) === null)
      if (value !== undefined)
        return { content: [{ type: 'text', text: JSON.stringify(value) }], structured: value, failed: false }
    }
  } catch (error) {
    if (!(error instanceof PatternError)) throw error // it cannot be run, or does not come to an end
  }
  return null
}

/** The value with what is said in place of what was drawn: where names agree and both are of one type. */
function withSaid(value: JsonValue, said: JsonObject): JsonValue {
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => {
    const given = Object.hasOwn(said, name) ? said[name] : undefined
    if (
      given !== undefined &&
      typeof given === typeof member &&
      Array.isArray(given) === Array.isArray(member)
    )
      return [name, given]
    return [name, withSaid(member, said)]
  })
  return Object.fromEntries(members)
}

/** Names of what a call that succeeded does not say. */
const unwelcome = /error|fail|invalid|denied|dry|missing|conflict|^not|more/i

/** The value of a change that succeeded: what it says yes or no to is yes. */
const withSuccess = (value: JsonValue): JsonValue =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          typeof member === 'boolean' ? !unwelcome.test(name) : member,
        ]),
      )
    : value

const idsOf = (things: readonly JsonObject[]): ReadonlySet<JsonValue> =>
  new Set(
    things.flatMap((thing) => Object.entries(thing).flatMap(([name, value]) => (isId(name) ? [value] : []))),
  )

/** The value with other ids in place of those that are taken, but for ids that the arguments gave. */
function withNewIds(value: JsonValue, said: JsonObject, taken: ReadonlySet<JsonValue>): JsonValue {
  if (!isJsonObject(value) || taken.size === 0) return value
  const members = Object.entries(value).map(([name, member]) => {
    if (!isId(name) || Object.hasOwn(said, name)) return [name, withNewIds(member, said, taken)]
    let free = member
    for (let count = 2; taken.has(free); count += 1)
      free = typeof member === 'number' ? member + count - 1 : `${String(member)}-${count}`
    return [name, free]
  })
  return Object.fromEntries(members)
}

/** The value with these things in its first list, each in the shape of what was drawn there. */
function withList(value: JsonValue, things: readonly JsonObject[]): JsonValue {
  if (!isJsonObject(value)) return value
  const place = Object.entries(value).find(([, member]) => Array.isArray(member))
  if (place === undefined) return value
  const [name, list] = place as [string, readonly JsonValue[]]
  const [shape] = list
  const listing = things.map((thing) =>
    isJsonObject(shape) ? withSaid(shape, thing) : (thing.name ?? thing.title ?? shape ?? thing),
  )
  return {
    ...value,
    [name]: listing,
    ...('count' in value ? { count: listing.length } : {}),
    ...('total' in value ? { total: listing.length } : {}),
  }
}

const checks = new WeakMap<JsonObject, SchemaCheck | null>()

/** What is wrong with a value by a schema; null when nothing is, or when the schema cannot be read. */
export function faultBy(schema: JsonObject, value: JsonValue): string | null {
  let check = checks.get(schema)
  if (check === undefined) {
    try {
      check = compiledSchema(schema)
    } catch {
      check = null
    }
    checks.set(schema, check)
  }
  try {
    return check?.(value).fault ?? null
  } catch {
    return null // one of its patterns does not come to an end
  }
}

/**
 * A text as answers have them: words, or the first of some common forms that the pattern of the schema admits.
 *
 * @throws PatternError when the pattern cannot be run
 */
const madeUpText: MakeText = (schema, random) => {
  const { pattern, format } = schema
  if (format === 'uuid') return uuid(random)
  if (typeof pattern !== 'string') return wordsOf(schema, random)
  return forms.map((form) => form(random)).find((text) => matchesPattern(pattern, 'u', text))
}

const drawn =
  (alphabet: string) =>
  (random: Random, length: number): string =>
    Array.from({ length }, () => random.pick([...alphabet])).join('')
const hex = drawn('0123456789abcdef')
const digits = drawn('123456789')
const letters = drawn('abcdefghijklmnopqrstuvwxyz')

const uuid = (random: Random): string =>
  `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`
const date = (random: Random): string =>
  `20${random.whole(20, 29)}-${random.whole(10, 12)}-${random.whole(10, 28)}`
const time = (random: Random): string => `${random.whole(10, 23)}:${random.whole(10, 59)}`

/** What patterns in schemas mostly mean. */
const forms: readonly ((random: Random) => string)[] = [
  date,
  time,
  (random) => `${time(random)}:00`,
  (random) => `${date(random)}T${time(random)}:00Z`,
  (random) => date(random).slice(0, 7),
  (random) => `20${random.whole(20, 29)}-W${random.whole(10, 52)}`,
  ...[1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20].map((length) => (random: Random) => digits(random, length)),
  (random) => [1, 1, 1].map((length) => digits(random, length)).join('.'),
  uuid,
  ...[6, 8, 16, 24, 32, 40, 64].map((length) => (random: Random) => hex(random, length)),
  (random) => `#${hex(random, 6)}`,
  ...[2, 3, 4, 6, 8].flatMap((length) => [
    (random: Random) => letters(random, length),
    (random: Random) => letters(random, length).toUpperCase(),
  ]),
  (random) => `${letters(random, 4)}-${letters(random, 4)}`,
  (random) => `${letters(random, 3).toUpperCase()}-${digits(random, 3)}`,
  (random) => `https://example.org/${letters(random, 6)}`,
  (random) => `${letters(random, 6)}@example.org`,
  (random) => `${letters(random, 4)}/${letters(random, 4)}`,
  (random) => `/${letters(random, 4)}`,
  (random) => `+1${digits(random, 10)}`,
]
