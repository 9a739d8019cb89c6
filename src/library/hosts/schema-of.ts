import { z } from 'zod'

/** Schemas are turned into JSON once: hosts show the same tools at every step. */
const known = new WeakMap<object, object | null>()

/**
 * The JSON Schema in what an SDK takes as a tool's input: JSON Schema itself, the AI SDK's `jsonSchema()`, a schema of zod 4.
 * Undefined for all else: the tool is then ranked by its name and description.
 */
export function schemaOf(input: unknown): object | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const before = known.get(input)
  if (before !== undefined) return before ?? undefined
  const schema = readSchema(input)
  known.set(input, schema ?? null)
  return schema
}

function readSchema(input: object): object | undefined {
  if ('_zod' in input) return zodSchema(input)
  const inner: unknown = 'jsonSchema' in input ? input.jsonSchema : input
  const isJson = typeof inner === 'object' && inner !== null && ('type' in inner || 'properties' in inner)
  return isJson && !('~standard' in inner) ? inner : undefined
}

/** Some schemas of zod have no JSON form. */
function zodSchema(input: object): object | undefined {
  try {
    return z.toJSONSchema(input as z.ZodType, { io: 'input', unrepresentable: 'any' })
  } catch {
    return undefined
  }
}
