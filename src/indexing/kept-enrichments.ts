import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Enrichment } from '../domain/card.ts'
import { isJsonObject, type JsonValue } from '../domain/json.ts'
import { once } from '../domain/once.ts'
import type { KeptEnrichments } from './enrich-cards.ts'

/** A file with a line for each card; it only ever grows, and a line that was torn is passed over. */
export function keptEnrichments(file: string): KeptEnrichments {
  const known = once(
    () => new Map(existsSync(file) ? readFileSync(file, 'utf8').split('\n').flatMap(readLine) : []),
  )
  return {
    find: (hash) => known().get(hash),
    isEmpty: () => known().size === 0,
    keep(hash, enrichment) {
      known().set(hash, enrichment)
      mkdirSync(dirname(file), { recursive: true })
      // A line of its own, whatever was torn before it.
      appendFileSync(file, `\n${JSON.stringify({ hash, enrichment })}\n`, { mode: 0o600 })
    },
  }
}

function readLine(line: string): readonly (readonly [string, Enrichment | null])[] {
  if (line === '') return []
  try {
    const read = JSON.parse(line) as JsonValue
    if (!isJsonObject(read) || typeof read.hash !== 'string') return []
    if (read.enrichment === null) return [[read.hash, null]]
    const { enrichment } = read
    return isEnrichment(enrichment) ? [[read.hash, enrichment]] : []
  } catch {
    return []
  }
}

const isEnrichment = (value: JsonValue | undefined): value is Enrichment & JsonValue =>
  isJsonObject(value) &&
  [value.model, value.whenToUse, value.example].every((text) => typeof text === 'string') &&
  Array.isArray(value.tags) &&
  value.tags.every((tag) => typeof tag === 'string')
