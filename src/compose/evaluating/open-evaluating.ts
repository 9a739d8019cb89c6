import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Benchmarks } from '../../evaluation/datasets/recipes.ts'
import type { Evaluations } from '../../evaluation/evaluations.ts'
import { openEvaluations } from '../../evaluation/open-evaluations.ts'
import { packageRoot } from '../../package-root.ts'
import { packageVersion } from '../../package-version.ts'
import { filesFolder } from '../folders.ts'
import { loadPart, MissingPartError } from '../load-part.ts'
import type { OpenStore } from '../open-store.ts'

/** The part of the composition root that knows what evaluations measure, and where published benchmarks come from. */
export function openEvaluating(
  config: Config,
  { onWhole, modelFor, openModel, openCrossEncoder, openRerankers }: OpenStore,
  fetch: typeof globalThis.fetch,
): Evaluations {
  return openEvaluations({
    folder: filesFolder(config),
    bundledFolder: join(packageRoot, 'evals'),
    benchmarks,
    downloads: join(config.downloads ?? config.cache, 'datasets'),
    fetch,
    openModel,
    modelIs: config.model === null ? 'shipped' : 'chosen',
    openCrossEncoder,
    openRerankers,
    onIndex: (use) => onWhole(async (snapshot) => use(snapshot, await modelFor(snapshot))),
  })
}

async function benchmarks(): Promise<Benchmarks> {
  try {
    return await loadPart('audition-benchmarks', packageVersion())
  } catch (error) {
    if (!(error instanceof MissingPartError)) throw error
    return { recipes: [], missing: `${error.message} ${error.remedy}` }
  }
}
