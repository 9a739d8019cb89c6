import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package-root.ts'
import { type Dataset, DatasetError, type DatasetRecipe, type SettingValues } from './dataset.ts'
import { agentQueries } from './datasets/agent-queries.ts'
import { agentSearchRecord } from './datasets/agentsearch-record.ts'
import { agentSearchBench } from './datasets/agentsearchbench.ts'
import { agentSelect } from './datasets/agentselect.ts'
import { beir } from './datasets/beir.ts'
import { bundled } from './datasets/bundled.ts'
import { livemcpbench } from './datasets/livemcpbench.ts'
import { hubSnapshot } from './datasets/hub-cache.ts'
import { hasManifest, manifestOf } from './datasets/manifest.ts'
import { muleRun } from './datasets/mulerun.ts'
import { ownQueries } from './datasets/own-queries.ts'
import { chosenSettings } from './datasets/settings.ts'
import { toolret, toolretDev } from './datasets/toolret.ts'
import { writtenQueries } from './datasets/written-queries.ts'
import { downloadBenchmark, readRecord } from './download/download-benchmark.ts'
import type { DownloadOptions } from './download/download-options.ts'

/** Every benchmark that can be read. A new one is a file and a line here; the first that recognises a path reads it. */
export const recipes: readonly DatasetRecipe[] = [
  bundled,
  toolret,
  toolretDev,
  livemcpbench,
  beir,
  writtenQueries,
  agentQueries,
  agentSelect,
  muleRun,
  agentSearchBench,
  agentSearchRecord,
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
}

/**
 * Reads a dataset, by the name of a recipe or by a path that one of them recognises.
 *
 * @throws SettingError when a setting is chosen that the dataset does not have: before anything is fetched
 * @throws DatasetError when the name is unknown, nothing is there, or what is there cannot be read
 */
export async function readDataset(nameOrPath: string, options: ReadDatasetOptions = {}): Promise<Dataset> {
  const named = recipes.find(({ name }) => name === nameOrPath)
  const recipe = named ?? recognised(hubSnapshot(nameOrPath) ?? nameOrPath)
  chosenSettings(recipe.name, recipe.settings ?? [], options.settings)
  const place = named === undefined ? nameOrPath : await placeOf(named, options)
  const path = hubSnapshot(place) ?? place
  const dataset = await recipe.read(path, options.only ?? [], options.settings)
  const record = await readRecord(path)
  if (record === undefined) return dataset
  const commits = record.sources.map(({ repository, revision }) => `${repository}@${revision.slice(0, 12)}`)
  return { ...dataset, origin: `${dataset.origin}, ${commits.join(', ')}` }
}

/** Whether a benchmark has a manifest that says where to download it. */
export const isDownloadable = (recipe: DatasetRecipe): boolean =>
  hasManifest(recipe.name) && manifestOf(recipe.name).sources.every(({ hub }) => hub !== 'manual')

/** Where a benchmark lies that is called by name; downloaded first when that is asked for. */
async function placeOf(recipe: DatasetRecipe, options: ReadDatasetOptions): Promise<string> {
  if (recipe === bundled) return options.from ?? join(packageRoot, 'evals', 'bundled')
  const downloaded = options.downloads === undefined ? undefined : join(options.downloads, recipe.name)
  const path = options.from ?? downloaded
  if (options.download !== undefined) {
    if (!hasManifest(recipe.name)) {
      throw new DatasetError(
        `${recipe.name} is not published for download.`,
        'Give the folder that holds it.',
      )
    }
    if (path === undefined) throw new DatasetError('There is no folder to download to.', 'Name one.')
    await downloadBenchmark(manifestOf(recipe.name), path, options.download)
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

function howToGet(recipe: DatasetRecipe): string {
  const [manual] = hasManifest(recipe.name)
    ? manifestOf(recipe.name).sources.flatMap((source) => (source.hub === 'manual' ? [source] : []))
    : []
  if (manual !== undefined) return `Get it at ${manual.address}. ${manual.instructions}`
  return isDownloadable(recipe)
    ? 'Add --download to fetch it, or name the folder that holds it: --from <folder>.'
    : 'Name the folder or file that holds it: --from <path>.'
}

function recognised(path: string): DatasetRecipe {
  if (!existsSync(path)) {
    throw new DatasetError(
      `"${path}" is neither a dataset's name nor a path that exists.`,
      `Names: ${recipes.map(({ name }) => name).join(', ')}.`,
    )
  }
  const recipe = recipes.find((each) => each.recognises(path))
  if (recipe !== undefined) return recipe
  throw new DatasetError(
    `${path}: no dataset is recognised there.`,
    'Give a folder of a known benchmark, or a JSON Lines or CSV file with the columns query and expected.',
  )
}
