import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { staticModel } from '../../src/adapters/static-model/static-model.ts'
import { toolretDev } from '../../src/evaluation/datasets/toolret.ts'
import { evaluate } from '../../src/evaluation/evaluate.ts'
import { packageRoot } from '../../src/package-root.ts'

const folder = join(packageRoot, '..', 'shared', 'data', 'toolret')
const isPresent = existsSync(join(folder, 'apigen'))
const measure = 'ndcg@10'

test.skipIf(!isPresent)(
  `instructions gain with the learned ranker, and leave it above words alone${isPresent ? '' : ' (skipped: data not present)'}`,
  async () => {
    const dataset = await toolretDev.read(folder, ['apigen'])
    const model = await staticModel(join(packageRoot, 'embeddings', 'audition-1'))
    const figure = async (ranker: 'lexical' | 'learned', instruction: 'with' | 'without') => {
      const chosen = { ranker, instruction, measures: [measure], limit: 250 } as const
      return (await evaluate(dataset, chosen, { model })).run.macro[measure]!.mean
    }
    const [words, learned] = [await figure('lexical', 'with'), await figure('learned', 'with')]
    expect(learned).toBeGreaterThan(words)
    expect(words - (await figure('lexical', 'without'))).toBeGreaterThan(0.01)
    expect(learned - (await figure('learned', 'without'))).toBeGreaterThan(0.02)
  },
  60_000,
)
