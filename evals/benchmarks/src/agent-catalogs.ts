import { join } from 'node:path'
import { identify } from '../../../src/catalog/identity.ts'
import { agentJsonl } from '../../../src/catalog/readers/agent-jsonl.ts'
import type { Card } from '../../../src/domain/card.ts'
import { namesIn, openFile } from '../../../src/evaluation/datasets/files.ts'

/** A catalog of agents: its source and its cards. */
type AgentCatalog = { readonly source: string; readonly cards: readonly Card[] }

/**
 * Reads the catalogs of agents of a folder (JSON Lines, one a source), in the order of their names.
 *
 * @param only - sources to read; empty reads all
 */
export function agentCatalogs(folder: string, only: readonly string[] = []): readonly AgentCatalog[] {
  return namesIn(folder)
    .filter((name) => /\.jsonl(?:\.gz)?$/.test(name))
    .filter((name) => only.length === 0 || only.includes(name.replace(/\.jsonl(?:\.gz)?$/, '')))
    .flatMap((name): AgentCatalog[] => {
      const path = join(folder, name)
      const document = openFile(path)
      if (!agentJsonl.recognises(document)) return []
      const { cards, sourceName = name.replace(/\.jsonl(?:\.gz)?$/, '') } = agentJsonl.read(document)
      const origin = { reader: agentJsonl.name, location: path }
      const drafts = cards.map((draft) => ({ draft, origin }))
      return [{ source: sourceName, cards: identify(sourceName, drafts).cards }]
    })
}
