import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { EvaluationRun, RunTiming } from '../evaluation-run.ts'
import { RunFileError, readRunFile, runBytes, UnknownRunError } from './run-file.ts'
import { trecQrelsOf, trecRunOf } from './trec.ts'
import { requireWritableFolder, writingTo } from './writable.ts'
import { normalised } from '../../domain/text/normalised.ts'

/** A kept run: the names of its folders. */
export type RunId = { readonly dataset: string; readonly run: string }

/** What is known of a kept run without reading its queries. */
export type KeptRun = RunId & {
  /** The run's name as given. */
  readonly name: string
  /** Where its dataset lay: a path, or the name of one of ours. Absent: kept before that was noted. */
  readonly place?: string
  readonly equivalence: EvaluationRun['settings']['equivalence']
  readonly startedAt: string
  readonly queries: number
  readonly macro: EvaluationRun['macro']
  readonly searchMs: RunTiming['searchMs']
}

/** A kept run, whole. */
export type WholeRun = { readonly id: RunId; readonly run: EvaluationRun; readonly timing: RunTiming }

/**
 * Runs that were kept: a folder per name of a dataset, in it a folder per run. A run takes the place of one that has its
 * name and is of the same place; all others stay, whatever their folders would be called.
 */
export type RunStore = {
  /** The folder of a run. */
  folderOf(id: RunId): string
  /** Looks whether runs can be kept, and leaves nothing behind. @throws UnwritableError */
  requireWritable(): Promise<void>
  /**
   * Writes the run, a summary, and TREC run and qrels files beside them.
   *
   * @param place - where the dataset lies; see {@link KeptRun}
   * @throws UnwritableError
   */
  keep(run: EvaluationRun, timing: RunTiming, place: string): Promise<RunId>
  /** Puts the report, HTML, beside a run. @throws UnwritableError */
  keepReport(id: RunId, page: string): Promise<void>
  /** Newest first. */
  list(dataset?: string): Promise<readonly KeptRun[]>
  /**
   * @param name - of a run, of its folder, or {@link latest}
   * @param place - its own runs come before those of other places, and the latest is one of its own
   * @throws UnknownRunError naming the runs there are
   */
  find(dataset: string, name: string, place: string): Promise<KeptRun>
  /** @throws RunFileError when the run is gone or broken */
  read(id: RunId): Promise<WholeRun>
  /** @throws RunFileError when the run is gone */
  report(id: RunId): Promise<string>
}

/** Stands for the newest run, and so for none by its name. */
export const latest = 'latest'

/** Whether a run is of the dataset that lies there; older ones do not say and count as such. */
export const isOfPlace = ({ place }: Pick<KeptRun, 'place'>, wanted: string): boolean =>
  place === undefined || place === wanted

/** Above this size, in bytes, a run is written compressed. */
const plainAtMost = 256 * 1024

export function runStore(folder: string): RunStore {
  const folderOf = ({ dataset, run }: RunId): string => join(folder, fileName(dataset), fileName(run))
  const list = async (dataset?: string): Promise<readonly KeptRun[]> => {
    const datasets = dataset === undefined ? await foldersIn(folder) : [fileName(dataset)]
    const kept = await Promise.all(
      datasets.map(async (one) => {
        const runs = await foldersIn(join(folder, one))
        return Promise.all(runs.map((run) => summaryOf(join(folder, one, run), { dataset: one, run })))
      }),
    )
    const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
    return kept
      .flat()
      .filter((run) => run !== undefined)
      .sort((a, b) => byName(b.startedAt, a.startedAt) || byName(a.run, b.run))
  }
  return {
    folderOf,
    list,
    requireWritable: () => requireWritableFolder(folder),
    async keep(run, timing, place) {
      const dataset = fileName(run.dataset.name)
      const id = { dataset, run: folderFor(run.name, place, await list(dataset)) }
      const own = folderOf(id)
      const summary = `${JSON.stringify(summaryWith(run, timing, place), null, 2)}\n`
      await writingTo(own, async () => {
        await mkdir(own, { recursive: true })
        await writeRun(own, run)
        await replaceFile(join(own, 'run.trec'), trecRunOf(run, id.run))
        await replaceFile(join(own, 'qrels.trec'), trecQrelsOf(run))
        await rm(join(own, 'report.html'), { force: true })
        await replaceFile(join(own, 'summary.json'), summary)
      })
      return id
    },
    keepReport(id, page) {
      const file = join(folderOf(id), 'report.html')
      return writingTo(file, () => replaceFile(file, page))
    },
    find: async (dataset, name, place) => foundIn(await list(dataset), { dataset, name, place }),
    async read(id) {
      const own = folderOf(id)
      const files = await filesIn(own)
      const summary = await readSummary(join(own, 'summary.json'))
      const run = await readRunFile(join(own, files.includes('run.json.gz') ? 'run.json.gz' : 'run.json'))
      return { id, run, timing: summary.timing }
    },
    async report(id) {
      try {
        return await readFile(join(folderOf(id), 'report.html'), 'utf8')
      } catch (cause) {
        throw new RunFileError(
          `No report of run "${id.run}" of ${id.dataset} is kept.`,
          `Run \`audition evaluate ${id.dataset}\` to make one.`,
          { cause },
        )
      }
    },
  }
}

/** @throws UnknownRunError naming the runs there are */
function foundIn(
  all: readonly KeptRun[],
  { dataset, name, place }: { readonly dataset: string; readonly name: string; readonly place: string },
): KeptRun {
  const own = all.filter((run) => isOfPlace(run, place))
  const runs = [...own, ...all.filter((run) => !isOfPlace(run, place))]
  const found =
    name === latest
      ? own[0]
      : (runs.find((run) => run.name === name) ?? runs.find(({ run }) => run === fileName(name)))
  if (found !== undefined) return found
  const known = runs.map(({ run }) => run).slice(0, 10)
  throw new UnknownRunError(
    { run: name, dataset, kept: known },
    known.length === 0
      ? `No run of it is: run \`audition evaluate ${dataset}\` first.`
      : `Kept${own.length === 0 ? ', of other files by that name' : ''}: ${known.join(', ')}.`,
  )
}

/** A name as a folder may carry it on every system; it never leads out of the folder it stands in. */
export function fileName(name: string): string {
  const safe = normalised(name, 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._]+/gu, '-')
    .replace(/^[-.]+/, '')
    .slice(0, 80)
    .replace(/(?<![-.])[-.]+$/, '')
    .toWellFormed()
  return safe === '' ? 'unnamed' : safe
}

/** The folder of a run among those of its dataset: that of the one it replaces, or one that none has. */
function folderFor(name: string, place: string, kept: readonly KeptRun[]): string {
  const replaced = kept.find((other) => other.name === name && isOfPlace(other, place))
  if (replaced !== undefined) return replaced.run
  const taken = new Set(kept.map(({ run }) => run))
  const plain = fileName(name)
  let folder = plain
  for (let count = 2; taken.has(folder); count += 1) folder = `${plain}-${count}`
  return folder
}

async function writeRun(folder: string, run: EvaluationRun): Promise<void> {
  const plain = await runBytes(run, 'run.json')
  const [name, other] =
    plain.byteLength > plainAtMost ? ['run.json.gz', 'run.json'] : ['run.json', 'run.json.gz']
  await replaceFile(join(folder, name!), name === 'run.json' ? plain : await runBytes(run, name!))
  await rm(join(folder, other!), { force: true })
}

/** Whoever reads meanwhile gets the old file or the new one. */
async function replaceFile(path: string, contents: string | Uint8Array | Iterable<string>): Promise<void> {
  const fresh = `${path}.${process.pid}.part`
  await writeFile(fresh, contents)
  await rename(fresh, path)
}

const summaryWith = (run: EvaluationRun, timing: RunTiming, place: string) => ({
  format: 'audition-run-summary/1' as const,
  name: run.name,
  place,
  equivalence: run.settings.equivalence,
  queries: run.outcomes.length,
  macro: run.macro,
  timing,
})

const milliseconds = z.number().min(0)
const summarySchema = z.object({
  format: z.literal('audition-run-summary/1'),
  name: z.string(),
  place: z.string().exactOptional(),
  equivalence: z.enum(['strict', 'aware']).default('strict'), // summaries kept before there was a choice
  queries: z.int(),
  macro: z.record(
    z.string(),
    z.object({ mean: z.number(), low: z.number(), high: z.number(), queries: z.int() }),
  ),
  timing: z.object({
    startedAt: z.string(),
    totalMs: milliseconds,
    indexingMs: milliseconds,
    searchMs: z.object({ p50: milliseconds, p95: milliseconds, p99: milliseconds, sum: milliseconds }),
  }),
})

async function readSummary(path: string): Promise<z.output<typeof summarySchema>> {
  try {
    return summarySchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    throw new RunFileError(`${path}: no summary of a run.`, 'Make the run anew with `audition evaluate`.', {
      cause,
    })
  }
}

/** @returns undefined for a folder without a whole run, as one that was stopped while it was written */
async function summaryOf(folder: string, id: RunId): Promise<KeptRun | undefined> {
  try {
    const { format: _, timing, ...summary } = await readSummary(join(folder, 'summary.json'))
    return { ...id, ...summary, startedAt: timing.startedAt, searchMs: timing.searchMs }
  } catch (error) {
    if (error instanceof RunFileError) return undefined
    throw error
  }
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  return (await entriesIn(folder)).filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

async function filesIn(folder: string): Promise<readonly string[]> {
  return (await entriesIn(folder)).map(({ name }) => name)
}

async function entriesIn(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^ENO(?:ENT|TDIR)$/.test(String(error.code))) return []
    throw error
  }
}
