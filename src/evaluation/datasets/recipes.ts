import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../package-root.ts'
import {
  chosenSettings,
  type Dataset,
  DatasetError,
  type DatasetRecipe,
  type DownloadOptions,
  type SettingValues,
} from './dataset.ts'
import { bundled } from './bundled.ts'
import { hubSnapshot } from './files.ts'
import { ownQueries } from './own-queries.ts'

/** Published benchmarks, which are a package of their own. */
export type Benchmarks = {
  readonly recipes: readonly DatasetRecipe[]
  /** Where they are not installed: how to add them. */
  readonly missing?: string
}

const noBenchmarks: Benchmarks = { recipes: [] }

/** Every dataset that can be read, in the order in which a path is shown to them: the most particular first. */
export const recipesWith = ({ recipes }: Benchmarks): readonly DatasetRecipe[] => [
  bundled,
  ...recipes,
  ownQueries,
]

/** How a dataset is found and read. */
export type ReadDatasetOptions = {
  /** Names of parts to read; empty reads all. @defaultValue [] */
  readonly only?: readonly string[]
  /** Choices the recipe leaves open; see `settings` of {@link DatasetRecipe}. */
  readonly settings?: SettingValues
  /** Folder or file of a dataset that is called by name. Absent: the folder of its download. */
  readonly from?: string
  /** Folder that holds the downloaded benchmarks, each in a folder of its name. */
  readonly downloads?: string
  /** Present: fetch what is missing first. Nothing is ever fetched without it. */
  readonly download?: DownloadOptions
  /** @defaultValue none */
  readonly benchmarks?: Benchmarks
}

/**
 * Reads a dataset, by the name of a recipe or by a path that one of them recognises.
 *
 * @throws SettingError when a setting is chosen that the dataset does not have: before anything is fetched
 * @throws DatasetError when the name is unknown, nothing is there, or what is there cannot be read
 */
export async function readDataset(nameOrPath: string, options: ReadDatasetOptions = {}): Promise<Dataset> {
  const { benchmarks = noBenchmarks } = options
  const named = recipesWith(benchmarks).find(({ name }) => name === nameOrPath)
  const recipe = named ?? recognised(hubSnapshot(nameOrPath) ?? nameOrPath, benchmarks)
  chosenSettings(recipe.name, recipe.settings ?? [], options.settings)
  const place = named === undefined ? nameOrPath : await placeOf(named, options)
  return recipe.read(hubSnapshot(place) ?? place, options.only ?? [], options.settings)
}

/** Where a benchmark lies that is called by name; downloaded first when that is asked for. */
async function placeOf(recipe: DatasetRecipe, options: ReadDatasetOptions): Promise<string> {
  if (recipe === bundled) return options.from ?? join(packageRoot, 'evals', 'bundled')
  const downloaded = options.downloads === undefined ? undefined : join(options.downloads, recipe.name)
  const path = options.from ?? downloaded
  if (options.download !== undefined) {
    if (recipe.download === undefined) {
      throw new DatasetError(
        `${recipe.name} is not published for download.`,
        recipe.instructions ?? 'Give the folder that holds it.',
      )
    }
    if (path === undefined) throw new DatasetError('There is no folder to download to.', 'Name one.')
    await recipe.download(path, options.download)
    return path
  }
  if (path !== undefined && existsSync(path)) return path
  throw new DatasetError(
    options.from === undefined
      ? `${recipe.name} is not here yet.`
      : `${options.from}: there is no such folder or file.`,
    howToGet(recipe),
  )
}

function howToGet({ download, instructions }: DatasetRecipe): string {
  if (instructions !== undefined) return instructions
  return download === undefined
    ? 'Name the folder or file that holds it: --from <path>.'
    : 'Add --download to fetch it, or name the folder that holds it: --from <folder>.'
}

function recognised(path: string, benchmarks: Benchmarks): DatasetRecipe {
  const recipes = recipesWith(benchmarks)
  const withMissing = (remedy: string): string => [remedy, benchmarks.missing].filter(Boolean).join(' ')
  if (!existsSync(path)) {
    throw new DatasetError(
      `"${path}" is neither a dataset's name nor a path that exists.`,
      withMissing(`Names: ${recipes.map(({ name }) => name).join(', ')}.`),
    )
  }
  const recipe = recipes.find((each) => each.recognises(path))
  if (recipe !== undefined) return recipe
  throw new DatasetError(
    `${path}: no dataset is recognised there.`,
    withMissing(
      'Give a folder of a known benchmark, or a JSON Lines or CSV file with the columns query and expected.',
    ),
  )
}
