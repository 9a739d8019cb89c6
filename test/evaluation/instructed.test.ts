import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { staticModel } from '../../src/adapters/static-model/static-model.ts'
import { builtInModel } from '../../src/compose/open-models.ts'
import { toolretDev } from '../../evals/benchmarks/src/toolret/toolret.ts'
import { evaluate } from '../../src/evaluation/evaluate.ts'
import { packageRoot } from '../../src/package-root.ts'

const folder = join(packageRoot, '..', 'shared', 'data', 'toolret')
const isPresent = existsSync(join(folder, 'apigen'))
const measure = 'ndcg@10'

test.skipIf(!isPresent)(
  `instructions gain with either ranker, near to what they are worth in the request itself, and leave the learned one above words alone${isPresent ? '' : ' (skipped: data not present)'}`,
  async () => {
    const dataset = await toolretDev.read(folder, ['apigen'])
    const model = await staticModel(builtInModel)
    const figure = async (ranker: 'lexical' | 'learned', instruction: 'with' | 'without', of = dataset) => {
      const chosen = { ranker, instruction, measures: [measure], limit: 200 } as const
      return (await evaluate(of, chosen, { model })).run.macro[measure]!.mean
    }
    const parts = dataset.parts.map((part) => ({
      ...part,
      queries: part.queries.map((query) => ({ ...query, text: `${query.text}\n${query.instruction}` })),
    }))
    for (const ranker of ['lexical', 'learned'] as const) {
      const told = await figure(ranker, 'with')
      expect(told - (await figure(ranker, 'without'))).toBeGreaterThan(0.03)
      expect(told).toBeGreaterThan((await figure(ranker, 'without', { ...dataset, parts })) - 0.02)
      if (ranker === 'learned') expect(told).toBeGreaterThan(await figure('lexical', 'with'))
    }
  },
  120_000,
)
