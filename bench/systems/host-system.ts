import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rank } from '../../src/domain/ranking.ts'
import type { HostRanker, SearchedTool } from '../../src/evaluation/host-rankers/host-ranker.ts'
import type { ToolCard } from '../../src/domain/card.ts'
import { inputSchemaOf } from '../../src/server/forms/input-schema.ts'
import { readCorpus } from '../corpus.ts'
import type { BenchSystem } from './system.ts'

/** A host's own ranker over the tools of a corpus: it has no store, and reads the list when it is opened. */
export const hostSystem = (ranker: HostRanker): BenchSystem => ({
  index(corpus, store) {
    writeFileSync(join(store, 'corpus'), corpus)
    return Promise.resolve()
  },
  open(store) {
    const cards = readCorpus(readFileSync(join(store, 'corpus'), 'utf8')).filter(
      (card) => card.kind === 'tool',
    )
    const search = ranker.over(cards.map(listed))
    return Promise.resolve({
      async search(query, k) {
        const found = (await search(query)).slice(0, k)
        // By place: hosts have rules of their own for equal scores.
        return rank(found.map(({ index }, place) => ({ id: cards[index]!.id, score: -place })))
      },
      close: () => Promise.resolve(),
    })
  },
})

/** A tool as a host has it from its server. */
const listed = (card: ToolCard): SearchedTool => ({
  name: card.name,
  title: card.title,
  description: card.description,
  server: card.server,
  inputSchema: inputSchemaOf(card),
})
