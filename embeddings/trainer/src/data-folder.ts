import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Absolute folder of the training data that comes with this package, from its sources and from what is compiled of them. */
export const dataFolder = join(nearestTrainer(dirname(fileURLToPath(import.meta.url))), 'data')

function nearestTrainer(folder: string): string {
  const [below, parent] = [join(folder, 'embeddings', 'trainer'), dirname(folder)]
  if (existsSync(join(folder, 'data', 'splits.json'))) return folder
  if (existsSync(join(below, 'data', 'splits.json')) || parent === folder) return below
  return nearestTrainer(parent)
}
