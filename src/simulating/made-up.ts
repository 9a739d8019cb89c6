import type { ToolCard } from '../domain/card.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { compiledSchema, PatternError, type SchemaCheck } from '../probing/judges/compiled-schema.ts'
import { randomOf, valueOfSchema } from '../probing/writing/schema-arguments.ts'
import { keyOfJson } from './answers-file.ts'
import { madeUpText } from './made-up-texts.ts'
import type { ToolAnswer } from './ports.ts'
import type { SessionState } from './state.ts'
import { isMeant, meaningOf, thingsIn, type Things } from './things.ts'

/** An answer that was made up; null where none can be. `isOfState`: it tells what the session created or deleted. */
type MadeUp = { readonly answer: ToolAnswer | null; readonly isOfState: boolean }

/** Draws of a value before none is given. */
const mostDraws = 20

/**
 * Makes an answer of the output schema, without anything that knows the tool: the same for the same call in the same state. What the
 * arguments say stands in it where the names agree. What was created by a tool such as `create_note` is told by `list_notes` and `get_note`.
 */
export function madeUpAnswer(card: ToolCard, args: JsonObject, { key, history }: SessionState): MadeUp {
  const meaning = meaningOf(card.name)
  const things = meaning === null ? none : thingsIn(history, meaning.noun)
  const seed = `${card.name} ${keyOfJson(args)} ${key}`
  if (meaning?.act === 'get') {
    const thing = things.there.find((one) => isMeant(one, args))
    if (thing !== undefined)
      return { answer: answerOf(card, { seed, said: { ...args, ...thing } }), isOfState: true }
    if (things.gone.some((one) => isMeant(one, args)))
      return { answer: notFound(meaning.noun), isOfState: true }
  }
  if (meaning?.act === 'list' && things.there.length + things.gone.length > 0) {
    const answer = answerOf(card, { seed, said: args, listed: things.there })
    if (answer !== null) return { answer, isOfState: true }
  }
  return { answer: answerOf(card, { seed, said: args }), isOfState: false }
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
}

function answerOf(card: ToolCard, { seed, said, listed }: Basis): ToolAnswer | null {
  const { outputSchema } = card
  if (outputSchema === undefined) {
    const id = meaningOf(card.name)?.act === 'create' ? { id: keyOfJson(seed).slice(0, 8) } : {}
    return { content: [{ type: 'text', text: JSON.stringify(listed ?? { ...id, ...said }) }], failed: false }
  }
  try {
    for (let draw = 0; draw < mostDraws; draw += 1) {
      const drawn = valueOfSchema(outputSchema, randomOf(`${seed} ${draw}`), madeUpText)
      if (drawn === undefined) continue
      const told = listed === undefined ? drawn : withList(drawn, listed)
      const value = [withSaid(told, said), told].find((one) => faultBy(outputSchema, one) === null)
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

/** The value with these things in its first list, each in the shape of what was drawn there. */
function withList(value: JsonValue, things: readonly JsonObject[]): JsonValue {
  if (!isJsonObject(value)) return value
  const place = Object.entries(value).find(([, member]) => Array.isArray(member))
  if (place === undefined) return value
  const [name, list] = place as [string, readonly JsonValue[]]
  const [shape] = list
  const told = things.map((thing) =>
    isJsonObject(shape) ? withSaid(shape, thing) : (thing.name ?? thing.title ?? shape ?? thing),
  )
  return {
    ...value,
    [name]: told,
    ...('count' in value ? { count: told.length } : {}),
    ...('total' in value ? { total: told.length } : {}),
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
