import type { DatasetRecipe } from '../../../src/evaluation/datasets/dataset.ts'
import { downloadBenchmark, readRecord } from './download/download-benchmark.ts'
import { hasManifest, manifestOf } from './manifest.ts'

/** A recipe with what its manifest says of getting it; a download tells its commits in the dataset's origin. */
export function published(recipe: DatasetRecipe): DatasetRecipe {
  const reading: DatasetRecipe = {
    ...recipe,
    async read(path, only, settings) {
      const dataset = await recipe.read(path, only, settings)
      const record = await readRecord(path)
      if (record === undefined) return dataset
      const commits = record.sources.map(
        ({ repository, revision }) => `${repository}@${revision.slice(0, 12)}`,
      )
      return { ...dataset, origin: `${dataset.origin}, ${commits.join(', ')}` }
    },
  }
  if (!hasManifest(recipe.name)) return reading
  const manifest = manifestOf(recipe.name)
  const [manual] = manifest.sources.flatMap((source) => (source.hub === 'manual' ? [source] : []))
  return manual === undefined
    ? {
        ...reading,
        async download(folder, options) {
          await downloadBenchmark(manifest, folder, options)
        },
      }
    : { ...reading, instructions: `Get it at ${manual.address}. ${manual.instructions}` }
}
