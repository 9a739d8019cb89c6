import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { contentHash } from '../../../src/catalog/identity.ts'
import type { Problem } from '../../../src/catalog/ports.ts'
import { fingerprintData } from '../../../embeddings/trainer/src/data/fingerprint-data.ts'
import { ownQueriesFile, readOwnQueries } from '../../../embeddings/trainer/src/data/own-queries.ts'
import { normalisedText } from '../../../embeddings/trainer/src/data/query-text.ts'
import {
  readTrainingCorpora,
  type TrainingData,
} from '../../../embeddings/trainer/src/data/read-training-corpora.ts'
import { familiesBehind, trainingSplits } from '../../../embeddings/trainer/src/data/splits.ts'
import { agent, folderWith, query, tool } from './folders.ts'

const data = folderWith({
  'toolret/bfcl/tools.jsonl': [
    tool('forecast', 'Weather of the next days'),
    tool('tides', 'Hours of high and low water'),
  ],
  'toolret/apigen/tools.jsonl': [tool('fog', 'Where fog will be')],
  'toolret/apigen/queries.jsonl': [query('d1', 'Umbrella on Sunday?', ['fog'])],
  'agents/claude-vijay.jsonl': [
    agent('claude-vijay:sailor', 'Plans days on the water', {
      examples: ['umbrella on sunday', 'Sail to Ærø'],
    }),
    agent('claude-vijay:cook', 'Cooks what is in the kitchen'),
  ],
  // What evaluation asks stands on these cards; the examples are taken off before training.
  'agents/claude-davila7.jsonl': [agent('claude-davila7:mate', 'Sails too', { examples: ['Sail with me'] })],
  'agents/duplicates.json': { clusters: [['claude-vijay:sailor', 'claude-davila7:mate']] },
})

/** Hashes of cards as they are written, with all that splits take off. */
const hashes = new Map<string, string>()
beforeAll(async () => {
  const splits = {
    families: { a: '' },
    sets: [{ name: 'apigen', content: 'tools', use: 'train', family: 'a', licence: '-' }],
  } as const
  const { corpora } = await readTrainingCorpora([data], {
    splits: { families: splits.families, sets: splits.sets.map((set) => ({ ...set })) },
    ownQueries: 'without',
  })
  for (const card of corpora.flatMap(({ cards }) => cards)) hashes.set(card.id, contentHash(card))
})

const own = (digits: string, text: string, cards: readonly string[]): object => ({
  id: `own_${digits.padEnd(10, '0')}`,
  query: text,
  cards: cards.map((id) => hashes.get(id) ?? id),
})

const fileWith = (lines: readonly (object | string)[]): string =>
  join(folderWith({ 'queries.jsonl': lines }), 'queries.jsonl')

const ownIn = ({ corpora }: TrainingData) =>
  corpora.flatMap(({ name, queries }) =>
    queries.filter(({ set }) => set === 'own-queries').map(({ id, relevant }) => [name, id, relevant]),
  )

describe('queries of our own', () => {
  test('each joins the corpus that holds all of its cards, as they were before splits took examples off', async () => {
    const file = fileWith([
      own('1', 'boat and rain', ['bfcl/tides', 'bfcl/forecast']),
      own('2', 'who can sail?', ['claude-vijay/sailor']),
      own('3', 'dinner, please', ['claude-vijay/cook']),
      own('4', 'a mate for the trip', ['claude-davila7/mate']),
    ])
    const read = await readTrainingCorpora([data], { ownQueriesFile: file })
    const both = expect.arrayContaining(['claude-vijay/sailor', 'claude-davila7/mate'])
    expect(ownIn(read)).toEqual([
      ['bfcl', 'own_1000000000', ['bfcl/tides', 'bfcl/forecast']],
      ['agents', 'own_2000000000', both], // a duplicate serves as well
      ['agents', 'own_3000000000', ['claude-vijay/cook']],
      ['agents', 'own_4000000000', both],
    ])
    expect(read.ownQueries).toEqual({ used: 4, alsoInDevelopment: 0, withoutCards: 0 })
    const [sailor] = read.corpora.find(({ name }) => name === 'agents')!.cards.slice(1)
    expect(sailor).toMatchObject({ id: 'claude-vijay/sailor', examples: ['Sail to Ærø'] })
  })

  test('those without all of their cards in one corpus are not used, and nobody is bothered', async () => {
    const file = fileWith([
      own('1', 'unknown', ['0'.repeat(32)]),
      own('2', 'half unknown', ['bfcl/tides', 'f'.repeat(32)]),
      own('3', 'of two corpora', ['bfcl/tides', 'claude-vijay/sailor']),
      own('4', 'of a development set', ['apigen/fog']),
      own('5', 'umbrella on SUNDAY', ['bfcl/forecast']),
      own('6', 'high water?', ['bfcl/tides']),
    ])
    const problems: Problem[] = []
    const read = await readTrainingCorpora([data], {
      ownQueriesFile: file,
      onProblem: (problem) => problems.push(problem),
    })
    expect(ownIn(read).map(([, id]) => id)).toEqual(['own_6000000000'])
    expect(read.ownQueries).toEqual({ used: 1, alsoInDevelopment: 1, withoutCards: 4 })
    expect(read.leftOut).toEqual([])
    expect(problems).toEqual([])
  })

  test.each([
    { why: 'they are not wanted', options: { ownQueries: 'without' }, used: [] },
    {
      why: 'what is written for this project is left out',
      options: { leaveOutFamilies: ['written'] },
      used: [],
    },
    {
      why: 'the family of their cards is left out',
      options: { leaveOutFamilies: ['bfcl'] },
      used: ['agents'],
    },
    { why: 'nothing is left out', options: {}, used: ['bfcl', 'agents'] },
  ] as const)('used are those of [$used] where $why', async ({ options, used }) => {
    const file = fileWith([
      own('1', 'high water?', ['bfcl/tides']),
      own('2', 'who can sail?', ['claude-vijay/sailor']),
    ])
    const read = await readTrainingCorpora([data], { ...options, ownQueriesFile: file })
    expect(ownIn(read).map(([corpus]) => corpus)).toEqual(used)
    expect(read.ownQueries.used).toBe(used.length)
  })

  test('damaged lines are reported with their place and what is wrong; the others are read', async () => {
    const good = { id: 'own_0123456789', query: 'high water?', cards: ['a'.repeat(32)] }
    const file = fileWith([
      good,
      '{"id": "own_cut',
      { ...good, id: 'own_1' },
      { ...good, query: '  ' },
      { ...good, cards: [] },
      { ...good, cards: ['bfcl/tides'] },
      { ...good, text: 'of a card' },
      '',
      { ...good, id: 'own_abcdefabcd' },
    ])
    const problems: Problem[] = []
    const read = readOwnQueries(file, (problem) => problems.push(problem))
    expect(read.map(({ id }) => id)).toEqual(['own_0123456789', 'own_abcdefabcd'])
    expect(problems.map(({ severity, field, message }) => [severity, field, message])).toEqual([
      ['error', 'line 2', expect.stringContaining('not a complete JSON object')],
      ['error', 'line 3', expect.stringContaining('"id": must be "own_"')],
      ['error', 'line 4', expect.stringContaining('"query": must not be blank')],
      ['error', 'line 5', expect.stringContaining('"cards"')],
      ['error', 'line 6', expect.stringContaining('"cards.0": must be a content hash')],
      ['error', 'line 7', expect.stringContaining('"text"')],
    ])
  })

  test('many damaged lines are counted rather than told one by one', () => {
    const problems: Problem[] = []
    readOwnQueries(fileWith(Array.from({ length: 50 }, () => ({ id: 'old' }))), (problem) =>
      problems.push(problem),
    )
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)!.message).toContain('30 more lines')
  })

  test('an absent file is reported, and training goes on without it', async () => {
    const problems: Problem[] = []
    const file = join(folderWith({}), 'gone.jsonl')
    const read = await readTrainingCorpora([data], {
      ownQueriesFile: file,
      onProblem: (problem) => problems.push(problem),
    })
    expect(read.ownQueries).toEqual({ used: 0, alsoInDevelopment: 0, withoutCards: 0 })
    expect(problems).toMatchObject([{ severity: 'error', file }])
  })

  test('the fingerprint of the data changes with the queries that are used, and with no others', async () => {
    const fingerprint = async (lines: readonly object[]) =>
      fingerprintData(await readTrainingCorpora([data], { ownQueriesFile: fileWith(lines) }))
    const one = own('1', 'high water?', ['bfcl/tides'])
    const elsewhere = own('2', 'of other data', ['0'.repeat(32)])
    const before = await fingerprint([one])
    expect(await fingerprint([one, elsewhere])).toBe(before)
    expect(await fingerprint([one, own('3', 'low water?', ['bfcl/tides'])])).not.toBe(before)
    expect(await fingerprint([own('1', 'high water!', ['bfcl/tides'])])).not.toBe(before)
    expect(await fingerprint([own('1', 'high water?', ['bfcl/forecast'])])).not.toBe(before)
  })
})

describe('the published queries of our own', () => {
  const problems: Problem[] = []
  const queries = readOwnQueries(ownQueriesFile, (problem) => problems.push(problem))

  test('every line is valid, and they are many', () => {
    expect(problems).toEqual([])
    const lines = readFileSync(ownQueriesFile, 'utf8').split('\n')
    expect(lines.pop()).toBe('')
    expect(queries).toHaveLength(lines.length)
    expect(queries.length).toBeGreaterThan(4000)
  })

  test('ids are those of the texts, unique and in order; no text comes twice, no card twice in one query', () => {
    const ids = queries.map(({ id }) => id)
    const idOf = (text: string) => `own_${createHash('sha256').update(text).digest('hex').slice(0, 10)}`
    expect(ids).toEqual(queries.map(({ query: text }) => idOf(text)))
    expect(ids).toEqual([...new Set(ids)].sort())
    expect(new Set(queries.map(({ query: text }) => normalisedText(text))).size).toBe(queries.length)
    expect(queries.filter(({ cards }) => new Set(cards).size < cards.length)).toEqual([])
  })

  test('they have a family and a licence in the splits', () => {
    const set = trainingSplits().sets.find(({ name }) => name === 'own-queries')
    expect(set).toMatchObject({ content: 'queries', use: 'train', family: 'written', licence: 'MIT' })
    expect(familiesBehind(trainingSplits(), 'own-queries')).toEqual(['written'])
  })

  const folder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))
  const isPresent = ['toolret', 'agents', 'agent-queries', 'written-queries'].every((name) =>
    existsSync(join(folder, name)),
  )
  test.skipIf(!isPresent)(
    `all find their cards, and none is asked in a development set${isPresent ? '' : ' (skipped: data not present)'}`,
    async () => {
      const read = await readTrainingCorpora([folder])
      expect(read.developmentTexts.size).toBeGreaterThan(10_000)
      expect(queries.filter(({ query: text }) => read.developmentTexts.has(normalisedText(text)))).toEqual([])
      // Fails when readers or `cardVersion` change what a card hashes to: the file must then be hashed anew.
      expect(read.ownQueries).toEqual({ used: queries.length, alsoInDevelopment: 0, withoutCards: 0 })
    },
    120_000,
  )
})
