import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { UsageError } from './usage-error.ts'

/** Reads the arguments of a call. @throws UsageError when the text is no JSON object */
export function argumentsOf(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    // said below
  }
  throw new UsageError(`--arguments takes a JSON object, for example '{"city": "Oslo"}'.`)
}
