import type { JsonObject, JsonValue } from '../../../domain/json.ts'
import type { Task } from '../../ports.ts'
import type { Random } from '../random.ts'

/** A task for a tool, its arguments, and what a right answer holds. */
export type KnownTask = Task & Required<Pick<Task, 'arguments' | 'reference'>>

/**
 * Makes tasks for one tool whose answers are known without asking it: by construction, by another method than the tool's, or from a
 * published table.
 */
export type Oracle = { readonly tool: string; readonly draw: (random: Random) => KnownTask }

/**
 * A task whose answer has these values in fields of its structured part.
 *
 * @param expected - by field name, or by JSON path where a name begins with `$`; then it is the only one
 * @param tolerance - absolute, for all numbers
 */
export function known(text: string, given: JsonObject, expected: JsonObject, tolerance?: number): KnownTask {
  const entries = Object.entries(expected)
  const [[first, only] = ['', null]] = entries
  const path = first.startsWith('$') ? first : `$[${entries.map(([name]) => `'${name}'`).join(',')}]`
  const value: JsonValue = entries.length === 1 ? only : entries.map(([, wanted]) => wanted)
  const reference = {
    kind: 'json-path',
    path,
    value,
    ...(tolerance === undefined ? {} : { tolerance }),
  } as const
  return { text, arguments: given, reference }
}
