import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { compiledSchema, type SchemaCheck } from './compiled-schema.ts'
import { excerpt } from './excerpt.ts'
import { PatternError } from './guarded-pattern.ts'
import { jsonOfAnswer } from './json-of-answer.ts'
import type { ReferenceCheck } from './reference-check.ts'

/** 5 when the schema admits the answer's JSON; 2 when it has some required field, but does not fit; else 1. */
export const jsonSchema: ReferenceCheck<'json-schema'> = ({ schema }, answer) => {
  const check = compiled(schema)
  if (typeof check === 'string') return { refusal: `The reference schema cannot be used: ${check}` }
  const value = jsonOfAnswer(answer)
  if (value === undefined) return { grade: 1, reason: `The answer ${excerpt(answer.text)} holds no JSON.` }
  try {
    const { admitted, fault } = check(value)
    if (admitted) return { grade: 5, reason: 'The answer is JSON as the schema wants it.' }
    const grade = hasRequiredField(schema, value) ? 2 : 1
    return { grade, reason: `The answer's JSON does not fit the schema: ${fault}.` }
  } catch (cause) {
    if (cause instanceof PatternError)
      return { refusal: `The reference schema cannot be used: ${cause.message}` }
    throw cause
  }
}

function compiled(schema: JsonObject): SchemaCheck | string {
  try {
    return compiledSchema(schema)
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

const hasRequiredField = ({ required }: JsonObject, value: JsonValue): boolean =>
  isJsonObject(value) &&
  Array.isArray(required) &&
  required.some((name) => typeof name === 'string' && Object.hasOwn(value, name))
