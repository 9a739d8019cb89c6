import { JSONPathEnvironment, type JSONPathQuery } from 'json-p3'
import { isJsonObject, type JsonValue } from '../../domain/json.ts'
import { type ReferenceCheck, excerpt, jsonOfAnswer } from './reference-check.ts'

/** Without `match` and `search`: their patterns could run for ever on an answer made for that. */
const environment = new JSONPathEnvironment({ maxRecursionDepth: 100 })
environment.functionRegister.delete('match')
environment.functionRegister.delete('search')

/**
 * 5 when the path gives the value: its one node is the value, or all its nodes together, in order, are the list that the value is.
 * Of a list of which some entries are right where they stand, partial grades: 3 from half on, else 2. Else 1.
 */
export const jsonPath: ReferenceCheck<'json-path'> = ({ path, value, tolerance = 0 }, answer) => {
  const query = compiled(path)
  if (typeof query === 'string')
    return { refusal: `The reference path ${excerpt(path)} cannot be used: ${query}` }
  if (!(tolerance >= 0))
    return { refusal: `The reference has a tolerance of ${tolerance}. Give a number of 0 or more.` }
  const json = jsonOfAnswer(answer)
  if (json === undefined) return { grade: 1, reason: `The answer ${excerpt(answer.text)} holds no JSON.` }
  const nodes = valuesAt(query, json)
  if (nodes === null)
    return { refusal: `The reference path ${excerpt(path)} leads too deep into the answer.` }
  if (nodes.length === 0) return { grade: 1, reason: `The answer has nothing at ${path}.` }
  if (nodes.length === 1 && sameJson(nodes[0]!, value, tolerance)) return right(path, value)
  if (sameJson(nodes, value, tolerance)) return right(path, value)
  const found = nodes.length === 1 ? nodes[0]! : nodes
  const wrong = `The answer has ${excerpt(JSON.stringify(found))} at ${path}; ${excerpt(JSON.stringify(value))} was expected.`
  const share = shareInPlace(found, value, tolerance)
  return { grade: share >= 0.5 ? 3 : share > 0 ? 2 : 1, reason: wrong }
}

const right = (path: string, value: JsonValue) =>
  ({ grade: 5, reason: `The answer has ${excerpt(JSON.stringify(value))} at ${path}, as expected.` }) as const

function compiled(path: string): JSONPathQuery | string {
  try {
    return environment.compile(path)
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

function valuesAt(query: JSONPathQuery, json: JsonValue): readonly JsonValue[] | null {
  try {
    return query.query(json as Parameters<JSONPathQuery['query']>[0]).values() as readonly JsonValue[]
  } catch {
    return null
  }
}

/** Equal JSON; the order of fields does not count, numbers may differ by the tolerance and by rounding noise. */
function sameJson(left: JsonValue, right: JsonValue, tolerance: number): boolean {
  if (typeof left === 'number' && typeof right === 'number') {
    return Math.abs(left - right) <= tolerance + 1e-9 * Math.abs(right)
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return (
      left.length === right.length && left.every((entry, index) => sameJson(entry, right[index]!, tolerance))
    )
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    const keys = Object.keys(left)
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key]!, right[key]!, tolerance))
    )
  }
  return left === right
}

/** Share of the longer of two lists whose entries agree position by position; 0 for anything that is no list of two or more. */
function shareInPlace(found: JsonValue, value: JsonValue, tolerance: number): number {
  if (!Array.isArray(found) || !Array.isArray(value) || value.length < 2) return 0
  const agreeing = value.filter(
    (entry, index) => index < found.length && sameJson(found[index]!, entry, tolerance),
  )
  return agreeing.length / Math.max(found.length, value.length)
}
