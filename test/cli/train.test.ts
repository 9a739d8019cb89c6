import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openAudition } from '../../src/compose/app.ts'
import { configFrom } from '../../src/config.ts'
import type { ModelCard } from '../../embeddings/trainer/src/model/model-card.ts'
import { defaultRecipe } from '../../embeddings/trainer/src/recipe.ts'
import type { TrainedModel } from '../../embeddings/trainer/src/train-model.ts'
import type { TrainingProgress, TrainOptions } from '../../src/compose/parts/trainer.ts'
import { TrainingError, TrainingStoppedError } from '../../embeddings/trainer/src/training-error.ts'
import { runCaptured, type Surroundings } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'
import { folderWith } from '../training/data/folders.ts'
import { tinyData } from '../training/tiny-data.ts'

const card: ModelCard = {
  data: [],
  leftOut: [],
  initialVectors: null,
  base: null,
  recipe: defaultRecipe,
  seed: 1,
  versions: {},
  seconds: {},
  embedding: {
    supervisedPairs: 33_000,
    selfSupervisedPairs: 130_000,
    losses: [2, 1],
    heldOutQueries: 333,
    heldOutNdcg10: 0.6512,
    scale: 20,
  },
  interaction: { losses: [2, 1] },
  ranker: { trees: 100, queries: 5000, rows: 500_000, heldOutNdcg10: 0.7031 },
  answers: null,
  results: {},
}

const epoch = (step: number, more: object = {}): TrainingProgress => ({
  stage: 'embedding',
  what: 'embedding',
  share: step / 20,
  embedding: {
    epoch: Math.ceil(step / 10),
    epochs: 2,
    step,
    steps: 20,
    loss: 3 - step / 10,
    validation: null,
    secondsLeft: 100 - step,
    ...more,
  },
})

/** Runs `audition train` over a trainer that tells some progress and gives the card above. */
function commandLine(
  train: (options: TrainOptions) => Promise<TrainedModel> = async ({ out }) => ({
    name: 'mine',
    folder: out,
    card,
  }),
  surroundings: Surroundings = {},
) {
  const asked: TrainOptions[] = []
  const audition = scriptedAudition({
    async train(options) {
      asked.push(options)
      options.onProgress?.({ stage: 'data', what: 'reading data', share: 0 })
      for (const step of [1, 2, 3]) options.onProgress?.(epoch(step))
      options.onProgress?.(epoch(10, { validation: 0.5, secondsLeft: null }))
      options.onProgress?.(epoch(11, { validation: 0.5 }))
      options.onProgress?.(epoch(20, { validation: 0.65, secondsLeft: null }))
      return train(options)
    },
  })
  const run = (...argv: string[]) =>
    runCaptured(['train', ...argv], audition, { cwd: '/projects', ...surroundings })
  return { asked, run }
}

describe('audition train', () => {
  test('passes on what was given, with paths made absolute, and prints what came out', async () => {
    const { asked, run } = commandLine()
    const { code, stdout } = await run(
      '--data',
      'tools',
      '/data/agents',
      '--out',
      'models/mine',
      '--initial-vectors',
      'glove.txt',
      '--leave-out',
      'rapidapi',
      'bfcl',
      '--seed',
      '7',
      '--threads',
      '2',
      '--dimensions',
      '64',
      '--vocabulary',
      '5000',
      '--epochs',
      '4',
    )
    expect(code).toBe(0)
    expect(asked).toEqual([
      expect.objectContaining({
        data: ['/projects/tools', '/data/agents'],
        out: '/projects/models/mine',
        initialVectors: '/projects/glove.txt',
        leaveOut: ['rapidapi', 'bfcl'],
        seed: 7,
        threads: 2,
        recipe: { dimensions: 64, keptDimensions: 64, vocabulary: 5000, epochs: 4 },
      }),
    ])
    expect(stdout.replace(/in \d+ s/, 'in # s')).toBe(
      [
        "Trained mine in # s on 33,000 queries and 130,000 pairs of the cards' own.",
        'nDCG@10 of 333 held-out queries, by the embedding alone: 65.1.',
        'nDCG@10 of the ranker on queries set apart: 70.3.',
        'Written to /projects/models/mine: README.md tells of it, model.json holds the same for programs.',
        '',
      ].join('\n'),
    )
  })

  test('leaves to the defaults what was not given', async () => {
    const { asked, run } = commandLine()
    await run('--data', 'a', '--data', 'b', '--out', 'mine', '--from', 'base')
    expect(asked[0]).toMatchObject({
      data: ['/projects/a', '/projects/b'],
      from: '/projects/base',
      recipe: {},
      leaveOut: [],
    })
    for (const name of ['seed', 'threads', 'initialVectors']) expect(asked[0]).not.toHaveProperty(name)
  })

  test('tells each step and epoch once, on standard error', async () => {
    const { stderr } = await commandLine().run('--data', 'a', '--out', 'mine')
    expect(stderr).toBe(
      [
        'reading data ...',
        'embedding ...',
        'embedding: epoch 1/2, loss 2.000, nDCG@10 50.0',
        'embedding: epoch 2/2, loss 1.000, nDCG@10 65.0',
        '',
      ].join('\n'),
    )
  })

  test('on a terminal a bar shows loss, held-out nDCG@10 and the time left', async () => {
    const { run } = commandLine(undefined, { columns: 120 })
    const { stderr } = await run('--data', 'a', '--out', 'mine')
    expect(stderr).toContain('embedding, ')
    expect(stderr).toContain('loss')
  })

  test('prints the card and the problems of the data as JSON, and nothing else', async () => {
    const problem = { severity: 'warning', file: 'a.jsonl', message: 'odd', remedy: 'mend' } as const
    const { run } = commandLine(async ({ out, onProblem }) => {
      onProblem?.(problem)
      return { name: 'mine', folder: out, card }
    })
    const { stdout, stderr } = await run('--data', 'a', '--out', 'mine', '--json')
    expect(JSON.parse(stdout)).toEqual({ name: 'mine', folder: '/projects/mine', card, problems: [problem] })
    expect(stderr).toContain('a.jsonl: odd')
  })

  test('stopped with Ctrl-C it says where the state is and how to go on, and ends with 130', async () => {
    const { run } = commandLine(async ({ out }) => {
      throw new TrainingStoppedError(`${out}.training`)
    })
    const { code, stdout, stderr } = await run('--data', 'a', '--out', 'mine')
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    expect(stderr).toContain(
      'Stopped. What is done is kept in /projects/mine.training; the same command goes on from there.',
    )
  })

  test('a failure ends with 1, with what happened and what to do', async () => {
    const { run } = commandLine(async () => {
      throw new TrainingError('/projects/mine: is there already.', 'Give another folder with --out.')
    })
    const { code, stderr } = await run('--data', 'a', '--out', 'mine')
    expect(code).toBe(1)
    expect(stderr).toContain('error: /projects/mine: is there already.\n  Give another folder with --out.')
  })

  test.each([
    { why: 'no data', argv: ['--out', 'mine'], message: /--data <folder\.\.\.>/ },
    { why: 'no folder to write', argv: ['--data', 'a'], message: /--out <folder>/ },
    {
      why: 'dimensions for a model that has some',
      argv: ['--data', 'a', '--out', 'b', '--from', 'c', '--dimensions', '64'],
      message: /--dimensions and --from exclude each other/,
    },
    {
      why: 'a number out of its range',
      argv: ['--data', 'a', '--out', 'b', '--epochs', '0'],
      message: /whole number from 1 to 1000/,
    },
  ])('$why is wrong usage', async ({ argv, message }) => {
    const { asked, run } = commandLine()
    const { code, stderr } = await run(...argv)
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
    expect(asked).toEqual([])
  })

  describe('over the real trainer', () => {
    const newFolder = (): string => mkdtempSync(join(tmpdir(), 'cli-train-'))
    const real = (home: string) => openAudition(configFrom({ AUDITION_READER: 'none', AUDITION_HOME: home }))
    const small = ['--dimensions', '16', '--vocabulary', '400', '--epochs', '1', '--threads', '1']

    test('stopped and called again it goes on, writes a model, and refuses to write over it', async () => {
      const home = newFolder()
      const out = join(home, 'mine')
      const line = ['train', '--data', tinyData(['please']), '--out', out, ...small]
      const stop = new AbortController()
      const audition = real(home)
      const stopping = {
        ...audition,
        train: (options: TrainOptions) =>
          audition.train({
            ...options,
            onProgress: (progress) => {
              options.onProgress?.(progress)
              if (progress.stage === 'rows') stop.abort()
            },
          }),
      }
      const stopped = await runCaptured(line, stopping, { signal: stop.signal })
      expect(stopped.code).toBe(130)
      expect(existsSync(out)).toBe(false)
      const { code, stdout, stderr } = await runCaptured(line, real(home))
      expect(code).toBe(0)
      expect(stderr).not.toContain('vocabulary')
      expect(stdout).toContain(`Written to ${out}`)
      expect(readdirSync(out).sort()).toEqual([
        'README.md',
        'answers.bin',
        'interaction.bin',
        'model.json',
        'ranker.bin',
        'weights.bin',
      ])
      expect(JSON.parse(readFileSync(join(out, 'model.json'), 'utf8'))).toMatchObject({
        name: 'mine',
        dimensions: 16,
      })
      const again = await runCaptured(line, real(home))
      expect(again.code).toBe(1)
      expect(again.stderr).toContain('is there already')
    })

    test('data without cards ends with 1 and says what to give', async () => {
      const home = newFolder()
      const empty = folderWith({ 'notes.txt': ['nothing'] })
      const { code, stderr } = await runCaptured(
        ['train', '--data', empty, '--out', join(home, 'mine')],
        real(home),
      )
      expect(code).toBe(1)
      expect(stderr).toContain('nothing is left to train on')
      expect(stderr).toContain('Give folders')
    })
  })
})
