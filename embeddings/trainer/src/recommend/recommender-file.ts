import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecommendSplit } from '../../../../src/compose/parts/recommender.ts'
import type { JsonObject } from '../../../../src/domain/json.ts'
import type { BoostedTrees } from '../../../../src/retrieval/rank/boosted-trees.ts'
import { openTrees } from '../../../../src/retrieval/rank/packed-trees.ts'
import { readCheckpoint, writeCheckpoint } from '../checkpoint.ts'
import { TrainingError } from '../training-error.ts'
import { fusedFeatureNames } from './fusion/candidates.ts'
import type { TwoTower } from './tower/two-tower.ts'

/** A recommender as it was trained, and what of its data it has not seen. */
export type Recommender = {
  readonly split: { readonly by: RecommendSplit; readonly seed: string }
  /** Fingerprint of the dataset. */
  readonly data: string
  readonly tower: TwoTower
  /** Over the features of `fusedFeatureNames`; packed. Null where the tower stands alone. */
  readonly fusion: Uint8Array | null
}

const fileIn = (folder: string): string => join(folder, 'recommender.bin')

export async function writeRecommender(
  folder: string,
  { split, data, tower, fusion }: Recommender,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { weights, ...fields } = tower
  const facts = {
    format: 'audition-recommender/1',
    split,
    data,
    tower: fields,
    fusion: fusion && Buffer.from(fusion).toString('base64'),
  }
  const arrays = Object.fromEntries(
    Object.entries(weights).flatMap(([side, own]) =>
      Object.entries(own).map(([name, values]) => [`${side} ${name}`, values]),
    ),
  )
  await writeCheckpoint(fileIn(folder), { facts: JSON.parse(JSON.stringify(facts)) as JsonObject, arrays })
}

/** @throws TrainingError for a folder that holds none */
export async function readRecommender(folder: string): Promise<Recommender> {
  const kept = await readCheckpoint(fileIn(folder))
  if (kept?.facts.format !== 'audition-recommender/1')
    throw new TrainingError(
      `${folder}: holds no recommender.`,
      'Give the folder of `audition recommend train`.',
    )
  const { split, data, tower, fusion } = kept.facts as unknown as Omit<Recommender, 'fusion'> & {
    readonly fusion: string | null
  }
  const side = (name: string): { [name: string]: Float32Array } =>
    Object.fromEntries(
      Object.entries(kept.arrays).flatMap(([key, values]) =>
        key.startsWith(`${name} `) ? [[key.slice(name.length + 1), values]] : [],
      ),
    )
  return {
    split,
    data,
    tower: { ...tower, weights: { query: side('query'), agent: side('agent') } },
    fusion: fusion === null ? null : Uint8Array.from(Buffer.from(fusion, 'base64')),
  }
}

/** The trees of a fusion. */
export const openFusion = (bytes: Uint8Array): BoostedTrees =>
  openTrees(bytes, { features: [...fusedFeatureNames], file: 'recommender.bin' })
