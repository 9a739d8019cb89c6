import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { globSync } from 'tinyglobby'
import { identify, sourceIdOf } from '../../../src/catalog/identity.ts'
import { recognise } from '../../../src/catalog/readers.ts'
import { openDocument } from '../../../src/catalog/source-document.ts'
import type { Card } from '../../../src/domain/card.ts'

/** Cards as the index reads them: `set` is the folder or file they come from. */
export type CardSet = { readonly set: string; readonly cards: readonly Card[] }

const patterns = ['toolret/*/tools.jsonl*', 'agents/*.jsonl', 'formats/**/*.*']

/** All cards of a data folder that the product's readers read, one set after the other. */
export function* sharedCards(tools: string): Generator<CardSet> {
  const root = dirname(tools)
  if (!existsSync(root)) return
  for (const path of globSync([...patterns], { cwd: root }).sort()) {
    const document = openDocument(join(root, path))
    const reader = recognise(document)
    if (reader === undefined) continue
    const drafts = reader.read(document).cards
    const source = sourceIdOf(relative(root, join(root, path)).replace(/\.[a-z.]+$/, ''))
    const { cards } = identify(
      source,
      drafts.map((draft) => ({ draft, origin: { reader: reader.name, location: path } })),
    )
    if (cards.length > 0) yield { set: path.replace(/\/tools\.jsonl.*$/, ''), cards }
  }
}
