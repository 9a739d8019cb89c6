import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { globSync } from 'tinyglobby'
import { beforeAll, describe, expect, test } from 'vitest'
import { isForTraining } from '../../../evals/benchmarks/src/agent-queries.ts'
import { naturalRecords } from '../../../evals/benchmarks/src/natural-requests.ts'
import { devSets } from '../../../evals/benchmarks/src/toolret/dev-sets.ts'
import { jsonLinesOf } from '../../../src/evaluation/datasets/files.ts'
import { toolretDev } from '../../../evals/benchmarks/src/toolret/toolret.ts'
import { normalisedText } from '../../../embeddings/trainer/src/data/query-text.ts'
import {
  readTrainingCorpora,
  type TrainingData,
} from '../../../embeddings/trainer/src/data/read-training-corpora.ts'
import { selfSupervisedPairs } from '../../../embeddings/trainer/src/data/self-supervised-pairs.ts'
import { familiesBehind, trainingSplits } from '../../../embeddings/trainer/src/data/splits.ts'

const folder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))
const ownFolders = ['tools', 'agents'].map((name) =>
  fileURLToPath(new URL(`../../../embeddings/trainer/data/${name}/`, import.meta.url)),
)
const isPresent = ['toolret', 'agents', 'agent-queries', 'written-queries', 'languages'].every((name) =>
  existsSync(join(folder, name)),
)

/** Queries of the development sets, as evaluation reads them. */
async function developmentTexts(): Promise<ReadonlySet<string>> {
  const { parts } = await toolretDev.read(join(folder, 'toolret'), [])
  const written = jsonLinesOf(join(folder, 'written-queries/queries.jsonl')).filter(
    ({ split }) => split === 'dev',
  )
  const skills = jsonLinesOf(join(folder, 'agent-queries/a2a-skill-examples.jsonl'))
  const examples = jsonLinesOf(join(folder, 'agent-queries/claude-davila7-examples.jsonl')).filter(
    ({ relevant }) => !isForTraining(Object.keys(relevant as object)),
  )
  const natural = naturalRecords()
  const told = jsonLinesOf(join(folder, 'languages/requests.jsonl')).filter(({ split }) => split === 'dev')
  const ours = [...natural, ...told, ...written, ...skills, ...examples].map(({ query }) => String(query))
  const ofTools = parts.flatMap(({ queries }) => queries.map(({ text }) => text))
  return new Set([...ofTools, ...ours].map(normalisedText))
}

describe.skipIf(!isPresent)(`published sets${isPresent ? '' : ' (skipped: data not present)'}`, () => {
  let data: TrainingData
  let texts: ReadonlySet<string>
  beforeAll(async () => {
    data = await readTrainingCorpora([folder, ...ownFolders])
    texts = await developmentTexts()
  })

  test('all training sets are read', () => {
    const { sets } = trainingSplits()
    const families = new Set(sets.filter(({ content }) => content === 'agents').map(({ family }) => family))
    const agents = Array.from(families, (_, at) => (at === 0 ? 'agents' : `agents~${at + 1}`))
    const tools = sets.filter(({ content, use }) => content === 'tools' && use !== 'dev')
    expect(data.corpora.map(({ name }) => name).sort()).toEqual(
      [...tools.map(({ name }) => name), ...agents].sort(),
    )
    expect(data.corpora.flatMap(({ queries }) => queries).length).toBeGreaterThan(50_000)
    expect(texts.size).toBeGreaterThan(10_000)
  })

  test('no training query is asked in a development set', () => {
    const asked = data.corpora.flatMap(({ queries }) => queries.map(({ text }) => text))
    expect(asked.filter((text) => texts.has(normalisedText(text)))).toEqual([])
  })

  test('no card is of a development set, and no example or anchor is a query of one', () => {
    const cards = data.corpora.flatMap((corpus) => corpus.cards)
    const apart = new Set(devSets.filter((name) => name !== 'toollens'))
    expect(cards.filter(({ source }) => apart.has(source))).toEqual([])
    const examples = cards.flatMap((card) => card.examples)
    expect(examples.filter((text) => texts.has(normalisedText(text)))).toEqual([])
  })

  test('every relevant card is a card of the corpus, and no id of a card comes twice in one', () => {
    for (const { cards, queries } of data.corpora) {
      const ids = new Set(cards.map(({ id }) => id))
      expect(ids.size).toBe(cards.length)
      expect(queries.filter(({ relevant }) => relevant.length === 0)).toEqual([])
      expect(queries.flatMap(({ relevant }) => relevant).filter((id) => !ids.has(id))).toEqual([])
    }
  })

  test('no anchor that cards give by themselves is asked in a development set', () => {
    const { cards } = data.corpora.find(({ name }) => name === 'agents')!
    const anchors = selfSupervisedPairs(cards, data.developmentTexts).map(({ anchor }) => anchor)
    expect(anchors.length).toBeGreaterThan(10_000)
    expect(anchors.filter((text) => texts.has(normalisedText(text)))).toEqual([])
  })

  test('without the families behind a development set none of their sets is left', async () => {
    const folders = ['metatool', 'toucan-mcp-corpus'].map((name) => join(folder, 'toolret', name))
    const leaveOutFamilies = familiesBehind(trainingSplits(), 'mcpproxy-golden')
    const { corpora } = await readTrainingCorpora(folders, { leaveOutFamilies })
    expect(corpora.map(({ name }) => name)).toEqual(['metatool'])
  })
})

test('our own catalogs hold their queries to their cards, none of them twice and none copied from a card', async () => {
  const problems: string[] = []
  const { corpora } = await readTrainingCorpora(ownFolders, {
    ownQueries: 'without',
    onProblem: ({ file, message }) => problems.push(`${file}: ${message}`),
  })
  expect(problems).toEqual([])
  expect(corpora.length).toBeGreaterThan(50)
  const asked = corpora.flatMap(({ queries }) => queries)
  expect(new Set(asked.map(({ text }) => normalisedText(text))).size).toBe(asked.length)
  expect(asked.filter(({ relevant }) => relevant.length > 1).length).toBeGreaterThan(asked.length / 4)
  for (const { name, family, cards, queries } of corpora) {
    expect(family, name).toMatch(/^own-/)
    const descriptions = new Map(cards.map(({ id, description }) => [id, runsOf(description)]))
    for (const { text, relevant } of queries) {
      const copied = relevant.flatMap((id) =>
        [...runsOf(text)].filter((run) => descriptions.get(id)!.has(run)),
      )
      expect(copied, text).toEqual([])
    }
  }
})

test('nothing that is written for training is one of the natural requests', () => {
  const data = join(ownFolders[0]!, '..')
  const files = globSync('**/*.jsonl', { cwd: data }).map((name) => join(data, name))
  const asked = files.flatMap(jsonLinesOf).flatMap(({ query }) => (typeof query === 'string' ? [query] : []))
  expect(asked.length).toBeGreaterThan(10_000)
  const natural = new Set(naturalRecords().map(({ query }) => normalisedText(String(query))))
  expect(natural.size).toBe(300)
  expect(asked.filter((text) => natural.has(normalisedText(text)))).toEqual([])
})

/** Every six words in a row. */
function runsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.slice(5).map((_, at) => words.slice(at, at + 6).join(' ')))
}
