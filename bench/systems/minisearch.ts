import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import MiniSearch, { type Options } from 'minisearch'
import type { Card } from '../../src/domain/card.ts'
import { rank } from '../../src/domain/ranking.ts'
import { ownFieldNames, textsOf } from '../../src/retrieval/text/card-texts.ts'
import { readCorpus } from '../corpus.ts'
import type { BenchSystem } from './system.ts'
import { splitWords, stemmedWord } from './words.ts'

/** Words and stems by its hooks, as its documentation shows; weights the best of a small grid on the train sets. */
const options: Options = {
  fields: [...ownFieldNames],
  storeFields: ['card'],
  tokenize: splitWords,
  processTerm: stemmedWord,
  searchOptions: { boost: { name: 3, description: 1, parameters: 0.5, examples: 0.5, body: 0.5 } },
}

/** MiniSearch 7, kept on disk as its JSON. */
export const minisearch: BenchSystem = {
  index(corpus, store) {
    const engine = new MiniSearch(options)
    engine.addAll(
      readCorpus(corpus).map((card) => ({ id: card.id, ...textsOf(card), card: JSON.stringify(card) })),
    )
    writeFileSync(join(store, 'index.json'), JSON.stringify(engine))
    return Promise.resolve()
  },
  open(store) {
    const engine = MiniSearch.loadJSON(readFileSync(join(store, 'index.json'), 'utf8'), options)
    return Promise.resolve({
      search(query, k) {
        const found = engine.search(query).slice(0, k)
        const cards = found.map(({ card }) => JSON.parse(card as string) as Card)
        return Promise.resolve(rank(cards.map(({ id }, place) => ({ id, score: found[place]!.score }))))
      },
      close: () => Promise.resolve(),
    })
  },
}
