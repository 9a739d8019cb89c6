import { expect, test } from 'vitest'
import { countVerbs } from '../../bench/clause-verbs/count-verbs.ts'
import type { TrainingCorpus } from '../../embeddings/trainer/src/data/corpus.ts'
import { toolCard } from '../fakes/fake-audition.ts'

const corpus = (name: string): TrainingCorpus => ({
  name,
  family: name,
  cards: [
    toolCard(`${name}/create_invoice`, {
      name: 'create_invoice',
      description: 'Creates an invoice. Creating takes a second.',
    }),
    toolCard(`${name}/search_orders`, { name: 'search_orders', description: 'Searches the orders.' }),
    toolCard(`${name}/invoice_total`, { name: 'invoice_total', description: 'The total of an invoice.' }),
  ],
  queries: [
    { id: '1', text: 'please create an invoice', relevant: [] },
    { id: '2', text: 'Search the orders, I am done with searching', relevant: [] },
    { id: '3', text: 'the search of the day, a search, no search', relevant: [] },
  ],
})

test('a verb takes objects in several corpora and is not mostly a noun', () => {
  const corpora = ['a', 'b', 'c', 'd'].map(corpus)
  expect(countVerbs(corpora)).toEqual({ sure: ['create'], nounLike: ['search'] })
  expect(countVerbs(corpora.slice(0, 3))).toEqual({ sure: [], nounLike: [] })
})
