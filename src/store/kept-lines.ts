import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { once } from '../domain/once.ts'

/** What was paid for, by key, kept in a file with a line for each. */
type KeptLines<Value> = {
  find(key: string): Value | undefined
  isEmpty(): boolean
  /** Keeps it at once, whatever becomes of this process. */
  keep(key: string, value: Value): void
}

/**
 * Opens such a file. It only ever grows; a line that was torn is passed over, and so is one whose value cannot be read.
 *
 * @param fields - what key and value are called in a line
 * @param isValue - @defaultValue any is one
 */
export function keptLines<Value>(
  file: string,
  [keyField, valueField]: readonly [key: string, value: string],
  isValue: (value: unknown) => boolean = () => true,
): KeptLines<Value> {
  const entryIn = (line: string): readonly (readonly [string, Value])[] => {
    const { [keyField]: key, [valueField]: value } = objectIn(line)
    return typeof key === 'string' && isValue(value) ? [[key, value as Value]] : []
  }
  const known = once(
    () => new Map(existsSync(file) ? readFileSync(file, 'utf8').split('\n').flatMap(entryIn) : []),
  )
  return {
    find: (key) => known().get(key),
    isEmpty: () => known().size === 0,
    keep(key, value) {
      known().set(key, value)
      mkdirSync(dirname(file), { recursive: true })
      // A line of its own, whatever was torn before it.
      appendFileSync(file, `\n${JSON.stringify({ [keyField]: key, [valueField]: value })}\n`, { mode: 0o600 })
    },
  }
}

function objectIn(line: string): JsonObject {
  try {
    const read: unknown = line === '' ? null : JSON.parse(line)
    return isJsonObject(read) ? read : {}
  } catch {
    return {}
  }
}
