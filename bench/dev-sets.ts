import type { Card } from '../src/domain/card.ts'
import type { DatasetPart } from '../src/evaluation/datasets/dataset.ts'
import { readToolretSet, readToolretTools } from '../evals/benchmarks/src/toolret/toolret-folders.ts'

export { devSets } from '../evals/benchmarks/src/toolret/dev-sets.ts'

/** The tools of one folder. */
export const readTools = (folder: string, name: string): readonly Card[] => readToolretTools(folder, name)

/** One set; of `toollens` only the paper's test part. */
export const readSet = (folder: string, name: string): DatasetPart => readToolretSet(folder, name).part
