import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { withinTime } from '../../probing/within-time.ts'

/** Characters of a schema that is still compiled; larger ones are left to the server. */
const largestSchema = 200_000
/** A schema that takes longer, in milliseconds, is left to the server: a few parts that name each other can take for ever. */
const longestCheck = 1_000
/** Faults told at once. */
const mostFaults = 5
/** Characters of allowed values that are told. */
const longestChoices = 200

/** Patterns come from the server, and one can keep a processor busy for ever: they are left to the server too. */
const anyText = Object.assign(() => ({ test: () => true }), { code: 'anyText' })

const options: Options = {
  strict: false,
  validateSchema: false,
  validateFormats: false,
  allErrors: true,
  addUsedSchema: false,
  logger: false,
  code: { regExp: anyText },
}

/**
 * What is wrong with the arguments of a tool, by its published input schema. No fault means that the server may be asked, not that it
 * will agree: patterns, formats and schemas that cannot be compiled, or take more than a second, are its own to check.
 *
 * @returns one line per fault, such as `/city must be string`; at most five
 */
export const argumentFaults = (schema: JsonObject | undefined, args: JsonObject): readonly string[] =>
  schemaFaults(schema, args, 'arguments')

/** The same of any value. @param whole - how the value itself is called */
export function schemaFaults(
  schema: JsonObject | undefined,
  value: JsonValue,
  whole: string,
): readonly string[] {
  const check = schema === undefined ? null : known(schema)
  if (schema === undefined || check === null || admits(schema, check, value)) return []
  return [...new Set((check.errors ?? []).map((error) => faultOf(error, whole)))].slice(0, mostFaults)
}

/** Also where the check does not come to its end: then nothing can be said, and the schema is not tried again. */
function admits(schema: JsonObject, check: ValidateFunction, value: JsonValue): boolean {
  try {
    return withinTime(longestCheck, () => check(value)) === true
  } catch {
    checks.set(schema, null)
    return true
  }
}

/** What was compiled of a schema; null when it could not be. */
const checks = new WeakMap<JsonObject, ValidateFunction | null>()

function known(schema: JsonObject): ValidateFunction | null {
  const before = checks.get(schema)
  if (before !== undefined) return before
  const made = compiled(schema) ?? null
  checks.set(schema, made)
  return made
}

function compiled(schema: JsonObject) {
  try {
    const { $schema, $id: _id, ...rules } = schema
    if (JSON.stringify(rules).length > largestSchema) return undefined
    const isDraft7 = typeof $schema === 'string' && /draft-0[67]/.test($schema)
    return withinTime(longestCheck, () => new (isDraft7 ? Ajv : Ajv2020)(options).compile(rules))
  } catch {
    return undefined // the server knows how to read its own schema
  }
}

function faultOf(
  { instancePath, message = 'is not allowed', params, keyword }: ErrorObject,
  whole: string,
): string {
  const extra = keyword === 'additionalProperties' ? ` ("${String(params.additionalProperty)}")` : ''
  const choices =
    keyword === 'enum' ? `: ${JSON.stringify(params.allowedValues).slice(0, longestChoices)}` : ''
  return `${instancePath || whole} ${message}${extra}${choices}`
}
