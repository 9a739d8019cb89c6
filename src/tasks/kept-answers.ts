import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isJsonObject } from '../domain/json.ts'
import { once } from '../domain/once.ts'
import type { KeptAnswers } from './ports.ts'

/** A file with a line for each answer; it only ever grows, and a line that was torn is passed over. */
export function keptAnswers(file: string): KeptAnswers {
  const known = once(
    () => new Map(existsSync(file) ? readFileSync(file, 'utf8').split('\n').flatMap(readLine) : []),
  )
  return {
    find: (key) => known().get(key),
    keep(key, value) {
      known().set(key, value)
      mkdirSync(dirname(file), { recursive: true })
      // A line of its own, whatever was torn before it.
      appendFileSync(file, `\n${JSON.stringify({ key, value })}\n`, { mode: 0o600 })
    },
  }
}

function readLine(line: string): readonly (readonly [string, unknown])[] {
  if (line === '') return []
  try {
    const read: unknown = JSON.parse(line)
    return isJsonObject(read) && typeof read.key === 'string' ? [[read.key, read.value]] : []
  } catch {
    return []
  }
}
