import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { staticModel } from '../../src/adapters/static-model/static-model.ts'
import { builtInModel } from '../../src/compose/open-models.ts'
import type { Dataset } from '../../src/evaluation/datasets/dataset.ts'
import { bundled } from '../../src/evaluation/datasets/bundled.ts'
import { toolretDev } from '../benchmarks/src/toolret/toolret.ts'
import { evaluate } from '../../src/evaluation/evaluate.ts'
import type { EvaluationRun } from '../../src/evaluation/evaluation-run.ts'
import type { EvaluationSettings } from '../../src/evaluation/evaluation-settings.ts'

/** A run that is committed, and held up by the gate. */
export type Golden = {
  /** The file is `evals/golden/<name>.json`. */
  readonly name: string
  /** The queries may be published with it; else only figures are kept. */
  readonly keeps: 'with outcomes' | 'figures alone'
  /** Where its data lies; the gate is skipped when it is not there. */
  readonly folder: string
  readonly settings: EvaluationSettings
  read(folder: string): Promise<Dataset>
}

/** Queries asked of each development set: enough to see a fall, few enough to be asked at every commit. */
const perDevelopmentSet = 100

/** @param root - folder of the package */
export const goldenRuns = (root: string): readonly Golden[] => [
  {
    name: 'bundled.lexical',
    keeps: 'with outcomes',
    folder: join(root, 'evals', 'bundled'),
    settings: { ranker: 'lexical' },
    read: (folder) => bundled.read(folder, []),
  },
  {
    name: 'bundled.learned',
    keeps: 'with outcomes',
    folder: join(root, 'evals', 'bundled'),
    settings: { ranker: 'learned' },
    read: (folder) => bundled.read(folder, []),
  },
  {
    name: 'toolret-dev.lexical',
    keeps: 'figures alone',
    folder: resolve(root, '..', 'shared', 'data', 'toolret'),
    settings: { ranker: 'lexical', measures: ['ndcg@10', 'completeness@10'] },
    read: async (folder) => sampled(await toolretDev.read(folder, []), perDevelopmentSet),
  },
  {
    name: 'toolret-dev.learned',
    keeps: 'figures alone',
    folder: resolve(root, '..', 'shared', 'data', 'toolret'),
    settings: { ranker: 'learned', measures: ['ndcg@10', 'completeness@10'] },
    read: async (folder) => sampled(await toolretDev.read(folder, []), perDevelopmentSet),
  },
]

export const isPresent = ({ folder }: Golden): boolean => existsSync(folder)

/** A run of the built-in model, without its reader. */
export async function runOf({ folder, settings, read }: Golden): Promise<EvaluationRun> {
  const model = settings.ranker === 'lexical' ? null : await staticModel(builtInModel)
  const { run } = await evaluate(await read(folder), settings, { model })
  return run
}

/** At most so many queries of every part, at even distances: the same ones at every run. */
export function sampled(dataset: Dataset, most: number): Dataset {
  const parts = dataset.parts.map((part) => {
    const { queries } = part
    if (queries.length <= most) return part
    const chosen = Array.from({ length: most }, (_, at) => queries[Math.floor((at * queries.length) / most)]!)
    return { ...part, queries: chosen }
  })
  return {
    ...dataset,
    parts,
    notes: [...dataset.notes, `At most ${most} queries of each part, evenly spaced.`],
  }
}
