import type { FullTextQuery, Occur } from '@lancedb/lancedb'
import { plainWords } from '../../src/adapters/lancedb/engine/engine-indexes.ts'
import { arrow, lancedb } from '../../src/adapters/lancedb/native.ts'
import type { Card } from '../../src/domain/card.ts'
import { rank } from '../../src/domain/ranking.ts'
import { analyze, analyzeQuery } from '../../src/retrieval/text/analyze.ts'
import { ownFieldNames, textsOf } from '../../src/retrieval/text/card-texts.ts'
import { readCorpus } from '../corpus.ts'
import type { BenchSystem } from './system.ts'

const { Field, Schema, Utf8 } = arrow
const schema = new Schema(['id', 'card', ...ownFieldNames].map((name) => new Field(name, new Utf8(), false)))
const rowsPerWrite = 10_000

/** Weights of the fields: the best of a small grid on the train sets, where Audition's own were chosen too. */
const boosts = { name: 1, description: 1, parameters: 0.3, examples: 0.3, body: 0.3 }

/**
 * LanceDB's own full-text search on the terms that Audition's analyzer finds: a column per field, split at blanks, one
 * clause per field whose scores add up. BM25 with k1 1.2 and b 0.75, which cannot be set.
 */
export const lancedbFullText: BenchSystem = {
  async index(corpus, store) {
    const connection = await lancedb.connect(store)
    const table = await connection.createEmptyTable('cards', schema)
    const cards = readCorpus(corpus)
    for (let start = 0; start < cards.length; start += rowsPerWrite) {
      const rows = cards.slice(start, start + rowsPerWrite).map(rowOf)
      await table.add(lancedb.makeArrowTable(rows, { schema }))
    }
    for (const field of ownFieldNames)
      await table.createIndex(field, { config: lancedb.Index.fts(asAnalyzed) })
    await table.optimize()
    connection.close()
  },
  async open(store) {
    const connection = await lancedb.connect(store)
    const table = await connection.openTable('cards')
    return {
      async search(query, k) {
        const terms = analyzeQuery(query).map(({ term }) => term)
        const rows = (await table
          .query()
          .fullTextSearch(anyField(terms.join(' ')))
          .select(['card', '_score'])
          .limit(k)
          .toArray()) as { card: string; _score: number }[]
        return rank(rows.map(({ card, _score }) => ({ id: (JSON.parse(card) as Card).id, score: _score })))
      },
      close: () => Promise.resolve(connection.close()),
    }
  },
}

/** The columns hold finished terms. */
const asAnalyzed = { ...plainWords, maxTokenLength: 256 } as const

const rowOf = (card: Card): { [column: string]: string } => {
  const texts = textsOf(card)
  return {
    id: card.id,
    card: JSON.stringify(card),
    ...Object.fromEntries(ownFieldNames.map((field) => [field, analyze(texts[field]).join(' ')])),
  }
}

const anyField = (terms: string): FullTextQuery =>
  new lancedb.BooleanQuery(
    ownFieldNames.map((field): [Occur, FullTextQuery] => [
      lancedb.Occur.Should,
      new lancedb.MatchQuery(terms, field, { boost: boosts[field] }),
    ]),
  )
