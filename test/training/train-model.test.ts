import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { staticModel } from '../../src/adapters/static-model/static-model.ts'
import { openEmbedding } from '../../src/vectors/embedding/packed-embedding.ts'
import { staticEmbedding } from '../../src/vectors/embedding/static-embedding.ts'
import { answerFeatureNames } from '../../src/retrieval/rank/answer-features.ts'
import { featureNames } from '../../src/retrieval/rank/candidate-features.ts'
import { analyzeQuery } from '../../src/retrieval/text/analyze.ts'
import { openCardIndex, packCardIndex } from '../../src/retrieval/index/card-index.ts'
import { openTrees } from '../../src/retrieval/rank/packed-trees.ts'
import type { TrainingProgress } from '../../src/compose/parts/trainer.ts'
import {
  type TrainedModel,
  type TrainModelOptions,
  trainModel,
} from '../../embeddings/trainer/src/train-model.ts'
import { readTrainingCorpora } from '../../embeddings/trainer/src/data/read-training-corpora.ts'
import { TrainingStoppedError } from '../../embeddings/trainer/src/training-error.ts'
import { folderWith, query, tool } from './data/folders.ts'
import { otherWords, tinyData, tinyRecipe, tinyTools, unseen, wordings } from './tiny-data.ts'

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'train-model-'))

let data: string
const train = (options: Partial<TrainModelOptions> = {}): Promise<TrainedModel> =>
  trainModel({
    data: [data],
    out: join(newFolder(), 'tiny'),
    recipe: tinyRecipe,
    threads: 1,
    version: '0.0.0',
    ...options,
  })

const read = (folder: string, file: string): Buffer => readFileSync(join(folder, file))
const openModel = (folder: string) => {
  const model = JSON.parse(read(folder, 'model.json').toString('utf8'))
  const weights = openEmbedding({ head: model, bytes: read(folder, 'weights.bin') }, folder)
  return { model, embedding: staticEmbedding(weights) }
}

/** Share of queries whose tool is the nearest of all. */
function found(folder: string, queries: readonly { readonly id: string; readonly asked: string }[]): number {
  const { embedding } = openModel(folder)
  const cards = tinyTools.map(({ id, description }) => ({
    id,
    vector: embedding.document({ name: id, description }),
  }))
  const cosine = (a: Float32Array, b: Float32Array): number =>
    a.reduce((sum, value, at) => sum + value * b[at]!, 0)
  const hits = queries.filter(({ id, asked }) => {
    const vector = embedding.query(asked)
    const best = cards.reduce((a, b) => (cosine(b.vector, vector) > cosine(a.vector, vector) ? b : a))
    return best.id === id
  })
  return hits.length / queries.length
}

/** Trains until `isTime`, then stops. */
async function interrupted(out: string, isTime: (progress: TrainingProgress) => boolean): Promise<unknown> {
  const stop = new AbortController()
  const onProgress = (progress: TrainingProgress) => {
    if (isTime(progress)) stop.abort()
  }
  return trainSmall({ out, signal: stop.signal, onProgress }).then(
    () => 'not stopped',
    (error: unknown) => error,
  )
}

let whole: TrainedModel
const seen: TrainingProgress[] = []
/** A model of a quarter of the queries, for what more would only make slower. */
let small: TrainedModel
let fewer: string
let steps: number
const trainSmall = (options: Partial<TrainModelOptions> = {}) => train({ data: [fewer], ...options })
beforeAll(async () => {
  data = tinyData()
  fewer = tinyData(wordings.slice(0, 1))
  whole = await train({ onProgress: (one) => seen.push(one) })
  steps = 0
  small = await trainSmall({ onProgress: () => (steps += 1) })
})

describe('training a model', () => {
  test('finds requests that share no word with the card, also of tools whose requests were never seen', async () => {
    const { corpora } = await readTrainingCorpora([data])
    const index = openCardIndex(packCardIndex(corpora.flatMap(({ cards }) => cards)))!
    for (const { asked } of unseen)
      expect(index.search(analyzeQuery(asked), 10, null).documents, asked).toHaveLength(0)
    expect(unseen).toHaveLength(16)
    expect(found(whole.folder, unseen)).toBeGreaterThan(0.7)
  })

  test('writes the folder whole: weights, ranker, and cards for programs and people', () => {
    const { folder, card } = whole
    expect(readdirSync(folder).sort()).toEqual([
      'README.md',
      'answers.bin',
      'interaction.bin',
      'model.json',
      'ranker.bin',
      'weights.bin',
    ])
    expect(existsSync(`${folder}.training`)).toBe(false)
    const { model } = openModel(folder)
    expect(model).toMatchObject({ name: 'tiny', dimensions: 16, ranker: { file: 'ranker.bin' } })
    expect(model.ranker.calibration.slope).toBeGreaterThan(0)
    expect(model.card).toEqual(card)
    expect(card.data.map(({ name, cards, queries }) => ({ name, cards, queries }))).toEqual([
      { name: 'left', cards: 48, queries: 160 },
      { name: 'right', cards: 48, queries: 160 },
    ])
    expect(card.recipe).toMatchObject(tinyRecipe)
    expect(card.embedding.losses).toHaveLength(tinyRecipe.epochs)
    expect(card.interaction?.losses).toHaveLength(tinyRecipe.interaction.epochs)
    expect(card.embedding.heldOutQueries + card.embedding.supervisedPairs).toBe(320)
    expect(Object.keys(card.seconds).sort()).toEqual(
      ['answers', 'embedding', 'folds', 'interaction', 'ranker', 'rows', 'texts', 'vocabulary'].sort(),
    )
    const trees = openTrees(read(folder, 'ranker.bin'), { features: featureNames, file: 'ranker.bin' })
    expect(trees.trees).toBe(card.ranker?.trees)
    expect(trees.trees).toBeGreaterThan(0)
    const answers = openTrees(read(folder, 'answers.bin'), {
      features: answerFeatureNames,
      file: 'answers.bin',
    })
    expect(answers.trees).toBe(card.answers?.trees)
    expect(card.answers?.queries).toBeGreaterThan(100)
    const readme = read(folder, 'README.md').toString('utf8')
    expect(readme).toContain('| left | left | not known: not a set published with this project | 48 | 160 |')
    expect(readme).toContain('Seed 1; audition 0.0.0')
    expect(readme).toContain('## Results')
  })

  test('the folder opens as a search model, with its ranker', async () => {
    const model = await staticModel(whole.folder)
    expect(model.id).toMatch(/^static:tiny@[0-9a-f]{12}$/)
    const [vector] = await model.embed([unseen[0]!.asked], 'query')
    expect(vector).toEqual(openModel(whole.folder).embedding.query(unseen[0]!.asked))
    expect(model.ranker?.trees.trees).toBe(whole.card.ranker?.trees)
    expect(model.ranker?.answers?.trees).toBe(whole.card.answers?.trees)
  })

  test('tells of every stage, and of loss and held-out nDCG@10, which get better', () => {
    expect(new Set(seen.map(({ stage }) => stage))).toEqual(
      new Set([
        'data',
        'vocabulary',
        'texts',
        'folds',
        'rows',
        'embedding',
        'interaction',
        'ranker',
        'answers',
      ]),
    )
    const epochs = seen.flatMap(({ stage, embedding }) =>
      stage === 'embedding' && embedding?.secondsLeft === null ? embedding : [],
    )
    expect(epochs.map(({ epoch }) => epoch)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1))
    expect(epochs.at(-1)!.loss).toBeLessThan(epochs[0]!.loss / 2)
    expect(epochs.at(-1)!.validation).toBeGreaterThan(0.8)
    expect(epochs.at(-1)!.validation).toBe(whole.card.embedding.heldOutNdcg10)
  })

  test('gives the same bytes again with other threads, and others with another seed', async () => {
    const again = await trainSmall({ threads: 2 })
    const other = await trainSmall({ seed: 2 })
    for (const file of ['weights.bin', 'ranker.bin']) {
      expect(read(again.folder, file).equals(read(small.folder, file)), file).toBe(true)
      expect(read(other.folder, file).equals(read(small.folder, file)), file).toBe(false)
    }
  })

  test.each<{ why: string; isTime: (progress: TrainingProgress) => boolean }>([
    { why: 'while the texts are read', isTime: ({ stage, share }) => stage === 'texts' && share > 0 },
    {
      why: 'in a fold',
      isTime: ({ stage, what, embedding }) =>
        stage === 'folds' && what.startsWith('fold 2') && embedding!.step === 35,
    },
    { why: 'between a fold and its candidates', isTime: ({ stage }) => stage === 'rows' },
    {
      why: 'in the embedding',
      isTime: ({ stage, embedding }) => stage === 'embedding' && embedding!.epoch === 5,
    },
    { why: 'in the ranker', isTime: ({ stage, share }) => stage === 'ranker' && share > 0.3 },
  ])('goes on where it was after it was stopped $why, and gives the same bytes', async ({ why, isTime }) => {
    const out = join(newFolder(), 'tiny')
    const error = await interrupted(out, isTime)
    expect(error).toBeInstanceOf(TrainingStoppedError)
    expect(error).toMatchObject({ keptIn: `${out}.training` })
    expect(existsSync(out)).toBe(false)
    const later: TrainingProgress[] = []
    const resumed = await trainSmall({ out, onProgress: (one) => later.push(one) })
    for (const file of ['weights.bin', 'ranker.bin'])
      expect(read(resumed.folder, file).equals(read(small.folder, file)), file).toBe(true)
    expect(resumed.card.embedding).toEqual(small.card.embedding)
    expect(later.length).toBeLessThan(steps)
    if (why !== 'in the embedding') return
    expect(later.some(({ stage }) => stage === 'folds' || stage === 'vocabulary')).toBe(false)
    expect(Math.min(...later.flatMap(({ embedding }) => embedding?.epoch ?? []))).toBe(5)
  })

  test('starts from word vectors, and says which', async () => {
    const file = join(newFolder(), 'vectors.txt')
    const vectors = tinyTools.flatMap(({ asked }, place) =>
      asked.split(' ').map((word) => `${word} ${[place, 1, -place].join(' ')}`),
    )
    writeFileSync(file, vectors.join('\n'))
    const { folder, card } = await trainSmall({ initialVectors: file, recipe: { ...tinyRecipe, epochs: 1 } })
    expect(card.initialVectors).toMatchObject({ file: 'vectors.txt', words: 21 })
    expect(read(folder, 'README.md').toString('utf8')).toContain('start from vectors.txt (SHA-256')
  })

  test('adapts a model to words of its own, and keeps vocabulary and ranker', async () => {
    const own = folderWith({
      'ours/tools.jsonl': tinyTools.map(({ id, description }) => tool(id, description)),
      'ours/queries.jsonl': tinyTools.flatMap((one) =>
        wordings.map((words, at) => query(`${one.id}-${at}`, `${words} ${otherWords(one)}`, [one.id])),
      ),
    })
    const { vocabulary, dimensions, keptDimensions, ...recipe } = tinyRecipe
    const adapted = await train({ data: [own], from: whole.folder, recipe })
    const asked = tinyTools.map((one) => ({ id: one.id, asked: otherWords(one) }))
    expect(found(whole.folder, asked)).toBeLessThan(0.3)
    expect(found(adapted.folder, asked)).toBeGreaterThan(0.7)
    expect(adapted.card).toMatchObject({ base: { name: 'tiny' }, ranker: null })
    for (const file of ['ranker.bin', 'interaction.bin'])
      expect(read(adapted.folder, file).equals(read(whole.folder, file)), file).toBe(true)
    expect(adapted.card.interaction).toBeNull()
    expect(openModel(adapted.folder).model).toMatchObject({
      tokens: openModel(whole.folder).model.tokens,
      dimensions: keptDimensions,
    })
    expect(openModel(adapted.folder).model.ranker).toEqual(openModel(whole.folder).model.ranker)
    expect(read(adapted.folder, 'README.md').toString('utf8')).toContain('Adapted from tiny')
  })

  test('adapts a model to cards alone', async () => {
    const own = folderWith({
      'ours/tools.jsonl': tinyTools.map(({ id, description }) => tool(id, description)),
    })
    const { vocabulary, dimensions, keptDimensions, ...recipe } = tinyRecipe
    const { folder, card } = await train({
      data: [own],
      from: whole.folder,
      recipe: { ...recipe, epochs: 1 },
    })
    expect(card.embedding).toMatchObject({ supervisedPairs: 0, heldOutQueries: 0, heldOutNdcg10: null })
    expect(card.embedding.selfSupervisedPairs).toBeGreaterThan(90)
    expect(read(folder, 'weights.bin').equals(read(whole.folder, 'weights.bin'))).toBe(false)
  })

  test('an adapted model that learned nothing is the model it came from', async () => {
    const { vocabulary, dimensions, keptDimensions, ...recipe } = tinyRecipe
    const same = await train({ from: whole.folder, recipe: { ...recipe, epochs: 1, learningRate: 1e-9 } })
    const [one, other] = [openModel(whole.folder).embedding, openModel(same.folder).embedding]
    for (const { asked } of unseen)
      one.query(asked).forEach((value, at) => {
        expect(value).toBeCloseTo(other.query(asked)[at]!, 1)
      })
    expect(found(same.folder, unseen)).toBe(found(whole.folder, unseen))
  })

  describe('refuses', () => {
    const cardsOnly = () => folderWith({ 'set/tools.jsonl': [tool('a', 'Reads the weather of a place.')] })
    const damage = (file: string): void => {
      const bytes = readFileSync(file)
      bytes[bytes.length - 40] = bytes[bytes.length - 40]! ^ 1
      writeFileSync(file, bytes)
    }

    test.each<{ why: string; options: () => Partial<TrainModelOptions>; message: RegExp }>([
      {
        why: 'a folder that does not exist',
        options: () => ({ data: [join(newFolder(), 'nothing')] }),
        message: /nothing: there is no such folder/,
      },
      {
        why: 'data without queries',
        options: () => ({ data: [cardsOnly()] }),
        message: /no query to learn from/,
      },
      {
        why: 'fewer than eight pairs',
        options: () => ({
          data: [
            folderWith({
              'set/tools.jsonl': [tool('a', '')],
              'set/queries.jsonl': [query('1', 'is it raining', ['a'])],
            }),
          ],
        }),
        message: /at least 8 are needed/,
      },
      {
        why: 'a folder that is there already',
        options: () => ({ out: whole.folder }),
        message: /tiny: is there already/,
      },
      {
        why: 'a name that no model may have',
        options: () => ({ out: join(newFolder(), 'my model') }),
        message: /"my model" cannot be the name/,
      },
      {
        why: 'a setting out of its range',
        options: () => ({ recipe: { dimensions: 12 } }),
        message: /"dimensions" is 12/,
      },
      {
        why: 'a family that is not known',
        options: () => ({ leaveOut: ['nobody'] }),
        message: /no family "nobody"/,
      },
      {
        why: 'another length of vectors than that of the adapted model',
        options: () => ({ from: whole.folder, recipe: { dimensions: 32 } }),
        message: /"dimensions" is 32, but the model that is adapted has 16/,
      },
      {
        why: 'a folder without a model to adapt',
        options: () => ({ from: data }),
        message: /model\.json: cannot be read/,
      },
      {
        why: 'word vectors that are not there',
        options: () => ({ initialVectors: join(data, 'glove.txt') }),
        message: /glove\.txt: cannot be read/,
      },
    ])('$why', async ({ options, message }) => {
      await expect(train(options())).rejects.toThrow(message)
    })

    test('a damaged checkpoint, and says which file to remove; without it the training goes on', async () => {
      const out = join(newFolder(), 'tiny')
      await interrupted(out, ({ stage, embedding }) => stage === 'embedding' && embedding!.epoch === 5)
      damage(join(`${out}.training`, 'embedding.checkpoint'))
      await expect(trainSmall({ out })).rejects.toMatchObject({
        message: expect.stringContaining('embedding.checkpoint: the checkpoint is damaged'),
        remedy: expect.stringContaining('Remove this file'),
      })
      rmSync(join(`${out}.training`, 'embedding.checkpoint'))
      const { folder } = await trainSmall({ out })
      expect(read(folder, 'weights.bin').equals(read(small.folder, 'weights.bin'))).toBe(true)
    })

    test('to go on with other inputs, and names what differs', async () => {
      const out = join(newFolder(), 'tiny')
      await interrupted(out, ({ stage }) => stage === 'folds')
      await expect(trainSmall({ out, seed: 2 })).rejects.toThrow(/differs in seed/)
      await expect(trainSmall({ out, recipe: { ...tinyRecipe, epochs: 2 } })).rejects.toThrow(
        /differs in recipe/,
      )
    })

    test('a model to adapt whose weights, vectors for matching or ranker are damaged', async () => {
      for (const file of ['weights.bin', 'interaction.bin', 'ranker.bin']) {
        const folder = join(newFolder(), 'tiny')
        mkdirSync(folder)
        for (const name of readdirSync(whole.folder))
          writeFileSync(join(folder, name), read(whole.folder, name))
        damage(join(folder, file))
        await expect(train({ from: folder, recipe: {} })).rejects.toThrow(new RegExp(`${file}.*checksum`))
      }
    })
  })
})
