import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { answerFeatureNames, readerAnswerFeatureNames } from '../../src/retrieval/rank/answer-features.ts'
import { featureNames, readerFeatureNames } from '../../src/retrieval/rank/candidate-features.ts'
import { openTrees } from '../../src/retrieval/rank/packed-trees.ts'
import type { TrainingProgress } from '../../src/compose/parts/trainer.ts'
import { type TrainModelOptions, trainModel } from '../../embeddings/trainer/src/train-model.ts'
import { TrainingStoppedError } from '../../embeddings/trainer/src/training-error.ts'
import { writeSmallReader } from '../adapters/reader-model/small-reader.ts'
import { tinyData, tinyRecipe } from './tiny-data.ts'

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'train-reader-'))
const read = (folder: string, file: string): Buffer => readFileSync(join(folder, file))

const readersFolder = (families: { readonly [family: string]: number } = { left: 0, right: 1 }): string => {
  const folder = newFolder()
  for (const one of ['reader', 'fold-readers/0', 'fold-readers/1']) {
    mkdirSync(join(folder, one), { recursive: true })
    writeSmallReader(join(folder, one))
  }
  writeFileSync(join(folder, 'folds.json'), JSON.stringify({ families }))
  return folder
}

const recipe = { ...tinyRecipe, epochs: 2, interaction: { ...tinyRecipe.interaction, epochs: 1 } }
let data: string
const train = (options: Partial<TrainModelOptions> = {}) =>
  trainModel({
    data: [data],
    out: join(newFolder(), 'tiny'),
    recipe,
    threads: 1,
    version: '0.0.0',
    ...options,
  })

let plain: string
let whole: Awaited<ReturnType<typeof train>>
const seen: TrainingProgress[] = []
beforeAll(async () => {
  data = tinyData(['please'])
  const out = join(newFolder(), 'tiny')
  const stopped = await train({ out, prepare: true }).then(
    () => 'not stopped',
    (error: unknown) => error,
  )
  expect(stopped).toBeInstanceOf(TrainingStoppedError)
  expect(existsSync(out)).toBe(false)
  whole = await train({ out, reader: readersFolder(), onProgress: (one) => seen.push(one) })
  plain = (await train()).folder
})

describe('training with a reader', () => {
  test('puts the reader into the model, and a ranker that looks at what it reads', () => {
    const { folder, card } = whole
    expect(readdirSync(folder).sort()).toEqual([
      'README.md',
      'answers.bin',
      'interaction.bin',
      'model.json',
      'ranker.bin',
      'reader',
      'reading-answers.bin',
      'reading-ranker.bin',
      'weights.bin',
    ])
    const model = JSON.parse(read(folder, 'model.json').toString('utf8'))
    const reader = JSON.parse(read(folder, 'reader/model.json').toString('utf8'))
    expect(model).toMatchObject({
      format: 'audition-static-embedding/2',
      reader: { folder: 'reader', sha256: reader.files.weights.sha256 },
      reading: { file: 'reading-ranker.bin', answers: { file: 'reading-answers.bin' } },
    })
    const open = (file: string, features: readonly string[]) =>
      openTrees(read(folder, file), { features, file })
    expect(open('reading-ranker.bin', readerFeatureNames).trees).toBe(card.reader?.ranker.trees)
    expect(open('reading-answers.bin', readerAnswerFeatureNames).trees).toBe(card.reader?.answers?.trees)
    expect(open('ranker.bin', featureNames).trees).toBe(card.ranker?.trees)
    expect(open('answers.bin', answerFeatureNames).trees).toBe(card.answers?.trees)
    expect(card.reader?.parts).toHaveLength(2)
    expect(read(folder, 'README.md').toString('utf8')).toContain('Ranker with readings: ')
  })

  test('everything else is as without one, byte for byte', () => {
    for (const file of ['weights.bin', 'interaction.bin', 'ranker.bin', 'answers.bin'])
      expect(read(whole.folder, file).equals(read(plain, file)), file).toBe(true)
    expect(JSON.parse(read(plain, 'model.json').toString('utf8'))).toMatchObject({
      format: 'audition-static-embedding/1',
    })
  })

  test('goes on from what was prepared without one', () => {
    expect([...new Set(seen.map(({ stage }) => stage))].sort()).toEqual(
      ['answers', 'data', 'ranker', 'readings', 'rows', 'texts'].sort(),
    )
  })

  test.each<{ why: string; folder: () => string; message: RegExp }>([
    { why: 'without the parts of families', folder: newFolder, message: /folds\.json: cannot be read/ },
    {
      why: 'without the reader of a part',
      folder: () => readersFolder({ left: 2 }),
      message: /fold-readers.2.model\.json cannot be read/,
    },
    {
      why: 'with a part that is no number',
      folder: () => readersFolder({ left: 0.5 }),
      message: /folds\.json: "families\.left"/,
    },
  ])('refuses readers $why', async ({ folder, message }) => {
    await expect(train({ reader: folder() })).rejects.toThrow(message)
  })

  test('a model that is adapted keeps its own', async () => {
    await expect(train({ from: whole.folder, reader: readersFolder() })).rejects.toThrow(
      /keeps its own reader/,
    )
    const { vocabulary, dimensions, keptDimensions, ...settings } = recipe
    const adapted = await train({ from: whole.folder, recipe: { ...settings, epochs: 1 } })
    for (const file of ['reader/model.json', 'reading-ranker.bin', 'reading-answers.bin'])
      expect(read(adapted.folder, file).equals(read(whole.folder, file)), file).toBe(true)
    expect(adapted.card.reader).toEqual(whole.card.reader)
  })
})
