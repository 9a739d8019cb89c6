import { dirname, join } from 'node:path'
import { nearest } from '../../../evals/benchmarks/src/nearest.ts'

/** Absolute folder of the training data that comes with this package. */
export const dataFolder = dirname(
  nearest(import.meta.url, join('data', 'splits.json'), join('embeddings', 'trainer', 'data', 'splits.json')),
)
