import { expect, test } from 'vitest'
import type { TrainingCorpus } from '../../embeddings/trainer/src/data/corpus.ts'
import { dealFolds } from '../../embeddings/trainer/src/folds.ts'
import { packRows, unpackRows } from '../../embeddings/trainer/src/ranker/packed-rows.ts'
import { rankerRows } from '../../embeddings/trainer/src/ranker/ranker-rows.ts'
import { featureNames } from '../../src/retrieval/rank/candidate-features.ts'
import { byteTokens } from '../../src/vectors/embedding/segment-word.ts'
import { quantise, staticEmbedding } from '../../src/vectors/embedding/static-embedding.ts'
import { vocabularyOf } from '../../src/vectors/embedding/vocabulary.ts'
import { toolCard } from '../fakes/fake-audition.ts'

const verbs = ['list', 'create', 'delete', 'rename']
const corpus = (name: string, things: readonly string[]): TrainingCorpus => {
  const tools = things.flatMap((thing) =>
    verbs.map((verb) => ({ id: `${name}/${verb}_${thing}`, verb, thing })),
  )
  return {
    name,
    family: name,
    cards: tools.map(({ id, verb, thing }) => toolCard(id, { description: `Lets you ${verb} a ${thing}.` })),
    queries: tools.map(({ id, verb, thing }) => ({ id, text: `${verb} the ${thing}`, relevant: [id] })),
  }
}
const corpora = [corpus('office', ['invoice', 'meeting', 'letter']), corpus('zoo', ['lion', 'zebra'])]

/** Each word a direction of its own. */
const embedding = () => {
  const words = [...new Set(corpora.flatMap(({ cards }) => cards.flatMap(({ name }) => name.split('_'))))]
  const vocabulary = vocabularyOf([...byteTokens, ...words])
  const dimensions = 16
  const table = new Float32Array(vocabulary.tokens.length * dimensions)
  for (const [place, word] of vocabulary.tokens.entries())
    table[place * dimensions + (Math.max(0, words.indexOf(word)) % dimensions)] = 1
  const weights = new Float32Array(vocabulary.tokens.length)
  return staticEmbedding(
    quantise({
      dimensions,
      table,
      queryWeights: weights,
      documentWeights: weights,
      vocabulary,
      queryLimit: 20,
      fields: [
        { name: 'name', limit: 8, weight: 1 },
        { name: 'description', limit: 8, weight: 1 },
      ],
    }),
  )
}

const rowsOf = async () => {
  const folds = dealFolds(corpora, 2)
  const most = { perCorpus: 5, perFamily: 5 }
  const input = { corpora, folds, embedding: embedding(), readings: null, most, seed: 1 }
  return [...(await rankerRows({ ...input, fold: 0 })), ...(await rankerRows({ ...input, fold: 1 }))]
}

test('rows say which query was asked, of what, and among how many cards', async () => {
  const rows = await rowsOf()
  const ways = rows.map(({ asked: { corpus: name, among } }) => `${name} ${among}`)
  expect([...new Set(ways)].sort()).toEqual(
    [
      'office joined',
      'office own',
      'office part',
      'zoo joined',
      'zoo own',
      'zoo part',
      'office some',
      'zoo some',
    ].sort(),
  )
  for (const { asked, features, grades } of rows) {
    const own = corpora.find(({ name }) => name === asked.corpus)!
    expect(own.queries.map(({ text }) => text)).toContain(asked.text)
    expect(asked).toMatchObject({ family: own.family, kind: 'tool' })
    if (asked.among !== 'part') expect(asked.cards).toBe(asked.among === 'own' ? own.cards.length : 20)
    expect(features.length).toBe(grades.length * featureNames.length)
    expect(grades).toContain(1)
  }
})

test('rows come back from a checkpoint as they were', async () => {
  const rows = await rowsOf()
  const kept = packRows(rows)
  expect(unpackRows({ ...kept, facts: JSON.parse(JSON.stringify(kept.facts)) })).toEqual(rows)
})
