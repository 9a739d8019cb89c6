import { expect, test } from 'vitest'
import type { Dataset } from '../../src/evaluation/datasets/dataset.ts'
import { noteMissingIds } from '../../src/evaluation/datasets/adjusted.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { agentCard, toolCard } from '../fakes/fake-audition.ts'
import { judged } from './small-dataset.ts'

const index = await memorySnapshot([
  toolCard('sky/moon', { name: 'moon', description: 'Phase of the moon' }),
  agentCard('team/lawyer', { description: 'Reviews leases' }),
])

const datasetOf = (...grades: readonly { readonly [id: string]: number }[]): Dataset => ({
  name: 'own',
  origin: 'made for the test',
  headline: ['ndcg@10'],
  notes: ['a note'],
  parts: [
    {
      name: 'own',
      kind: 'tool',
      cards: [],
      queries: grades.map((one, at) => judged(`q${at}`, 'a request', one)),
    },
  ],
})

test.each([
  { why: 'tools and agents of the index are there', grades: [{ 'sky/moon': 1, 'team/lawyer': 2 }] },
  { why: 'a card that does not serve is not missed', grades: [{ 'sky/moon': 1, 'gone/card': 0 }] },
  { why: 'a query may expect nothing', grades: [{}] },
])('says nothing when $why', ({ grades }) => {
  const dataset = datasetOf(...grades)
  expect(noteMissingIds(dataset, index)).toBe(dataset)
})

test('names an id that is not in the index, once, before other notes', () => {
  const { notes } = noteMissingIds(datasetOf({ 'sky/mon': 1 }, { 'sky/mon': 1, 'sky/moon': 1 }), index)
  expect(notes).toEqual([
    '1 of the expected ids is not in the index and counts as not found: sky/mon. ' +
      '`audition search` shows the ids there are.',
    'a note',
  ])
})

test('of many, the first are named and the rest are counted', () => {
  const many = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`gone/${at}`, 1]))
  const [note] = noteMissingIds(datasetOf(many), index).notes
  expect(note).toContain('7 of the expected ids are not in the index')
  expect(note).toContain('gone/4 and 2 more')
})
