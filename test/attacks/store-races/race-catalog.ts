import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Card } from '../../../src/domain/card.ts'

/** Tools in the file of one source. */
const toolsPerSource = 12

export const sourceNames = ['post', 'bank', 'farm', 'port'] as const
export type SourceName = (typeof sourceNames)[number]

export const fileOf = (folder: string, source: SourceName): string => join(folder, `${source}.json`)

/** Writes an edition of a source: every card says which, and each edition adds a tool and takes one away. */
export function writeSource(folder: string, source: SourceName, edition: number): void {
  const functions = Array.from({ length: toolsPerSource }, (_, at) => ({
    type: 'function',
    function: {
      name: `${source}_tool_${(at + edition) % (toolsPerSource + 2)}`,
      description: `Does what the ${source} needs for the ${at}th time. Edition ${edition}.`,
      parameters: { type: 'object', properties: { count: { type: 'number' } } },
    },
  }))
  writeFileSync(fileOf(folder, source), JSON.stringify(functions))
}

/** The edition of each source that a store holds; 0 for one that it does not hold. */
export type Editions = { readonly [source in SourceName]: number }

/**
 * @param cards - all that a store holds
 * @returns what each source holds, or why no commit ever was like that
 */
export function editionsIn(cards: readonly Card[]): Editions | string {
  const found: { [source in SourceName]: number } = { post: 0, bank: 0, farm: 0, port: 0 }
  for (const name of sourceNames) {
    const own = cards.filter(({ source }) => source === name)
    if (own.length === 0) continue
    const editions = new Set(own.map(({ description }) => Number(/Edition (\d+)/.exec(description)?.[1])))
    const [edition = Number.NaN] = editions
    if (editions.size !== 1) return `"${name}" is of editions ${[...editions].join(' and ')}`
    if (own.length !== toolsPerSource) return `"${name}" holds ${own.length} cards of ${toolsPerSource}`
    found[name] = edition
  }
  return found
}
