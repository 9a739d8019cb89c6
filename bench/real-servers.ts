import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { identify, sourceIdOf } from '../src/catalog/identity.ts'
import type { CardDraft } from '../src/catalog/ports.ts'
import type { Card } from '../src/domain/card.ts'
import { inputSchemaOf } from '../src/server/forms/input-schema.ts'
import { readSet, readTools } from './dev-sets.ts'
import { spread } from './workplace.ts'

/** Sets of tools that MCP servers in use publish, and the first two of requests that were written for such tools. */
const sets = ['mcptoolbenchpp', 'mcpproxy-golden', 'toucan-mcp-corpus'] as const
const asked = ['mcptoolbenchpp', 'mcpproxy-golden', 'azure-mcp'] as const

/**
 * The tools of real servers that publish the schema of their inputs, each server a source of its own, as hosts configure
 * them.
 */
export function realTools(data: string): readonly Card[] {
  const titles = serverTitles(join(data, 'toucan-mcp-corpus', 'servers.jsonl'))
  const cards = sets.flatMap((set) => readTools(data, set))
  const sourceOf = (card: Card): string => {
    const server = card.kind === 'tool' ? (card.server ?? card.source) : card.source
    return sourceIdOf(titles.get(server) ?? server).toLowerCase()
  }
  const bySource = new Map<string, Card[]>()
  for (const card of cards) {
    if (card.kind !== 'tool' || inputSchemaOf(card) === undefined) continue
    const source = sourceOf(card)
    bySource.set(source, [...(bySource.get(source) ?? []), card])
  }
  return [...bySource].flatMap(
    ([source, ofSource]) =>
      identify(
        source,
        ofSource.map((card) => ({ draft: asServed(card, source), origin: card.provenance })),
      ).cards,
  )
}

/** The card as reading the server itself makes it: without the documentation that a corpus repeats. */
function asServed(card: Card, server: string): CardDraft {
  const { id: _, source: __, provenance: ___, ...said } = card
  if (said.kind !== 'tool') return said
  const { documentation: ____, ...draft } = said
  return { ...draft, server }
}

/** So many requests, as many of each set as it has, evenly spread. */
export function realQueries(data: string, count: number): readonly string[] {
  const texts = asked.flatMap((set) => spread(readSet(data, set).queries, Math.ceil(count / asked.length)))
  return texts.map(({ text }) => text)
}

/** What a corpus calls its servers, by the ids that it gives them. */
function serverTitles(file: string): ReadonlyMap<string, string> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return new Map(
    lines.map((line) => {
      const { id, name } = JSON.parse(line) as { readonly id: string; readonly name: string }
      return [id, name]
    }),
  )
}
