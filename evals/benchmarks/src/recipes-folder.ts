import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Absolute folder of the manifests of this package, from its sources and from what is compiled of them. */
export const recipesFolder = nearestRecipes(dirname(fileURLToPath(import.meta.url)))

function nearestRecipes(folder: string): string {
  const [here, below] = [join(folder, 'recipes'), join(folder, 'evals', 'benchmarks', 'recipes')]
  if (existsSync(here)) return here
  return existsSync(below) || dirname(folder) === folder ? below : nearestRecipes(dirname(folder))
}
