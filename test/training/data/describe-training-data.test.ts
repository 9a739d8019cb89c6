import { expect, test } from 'vitest'
import { describeTrainingData } from '../../../embeddings/trainer/src/data/describe-training-data.ts'
import { readTrainingCorpora } from '../../../embeddings/trainer/src/data/read-training-corpora.ts'
import { agent, folderWith, query, tool } from './folders.ts'

test('cards count for their source and queries for their set, each with its licence', async () => {
  const folder = folderWith({
    'toolret/metatool/tools.jsonl': [tool('tides', 'Hours of high water'), tool('sun', 'Hours of sunrise')],
    'toolret/metatool/queries.jsonl': [query('q1', 'Boat and sun', ['tides', 'sun'])],
    'agents/claude-vijay.jsonl': [agent('claude-vijay:sailor', 'Plans days on the water')],
    'agents/prompt-chat.jsonl': [agent('prompt-chat:cook', 'Cooks what is in the kitchen')],
    'written-queries/queries.jsonl': [
      { id: 'w1', query: 'sail with me', kind: 'agent', split: 'train', relevant: ['claude-vijay:sailor'] },
    ],
    'mine/tools.jsonl': [tool('fog', 'Where fog will be')],
  })
  const { corpora } = await readTrainingCorpora([
    `${folder}/toolret`,
    `${folder}/agents`,
    `${folder}/written-queries`,
    `${folder}/mine`,
  ])
  expect(describeTrainingData(corpora)).toEqual([
    // For each card: its sentence asks for the rest, its name for the description.
    {
      name: 'metatool',
      family: 'metatool',
      licence: 'MIT',
      cards: 2,
      queries: 1,
      judgedPairs: 2,
      selfSupervisedPairs: 4,
    },
    {
      name: 'mine',
      family: 'mine',
      licence: 'not known: not a set published with this project',
      cards: 1,
      queries: 0,
      judgedPairs: 0,
      selfSupervisedPairs: 2,
    },
    {
      name: 'claude-vijay',
      family: 'agents',
      licence: 'MIT',
      cards: 1,
      queries: 0,
      judgedPairs: 0,
      selfSupervisedPairs: 2,
    },
    {
      name: 'prompt-chat',
      family: 'agents',
      licence: 'CC0-1.0',
      cards: 1,
      queries: 0,
      judgedPairs: 0,
      selfSupervisedPairs: 2,
    },
    {
      name: 'written-queries',
      family: 'written',
      licence: 'of this project',
      cards: 0,
      queries: 1,
      judgedPairs: 1,
      selfSupervisedPairs: 0,
    },
  ])
})
