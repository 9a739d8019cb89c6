import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { RepairStep } from '../../store/diagnosis.ts'
import { isJsonObject } from '../../domain/json.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { readable } from '../../domain/paths.ts'
import { readOutcomeLines } from './outcome-lines.ts'
import { parseKept } from './kept-probes.ts'
import { parseTranscript } from './transcripts.ts'

/** Files beside the store: one per transcript, and one of probes that were written and kept. */
type KeptFiles = {
  /** Outcomes of the transcripts that can be read. */
  readonly outcomes: readonly Outcome[]
  /** Files that hold nothing that can be read. */
  readonly damaged: readonly string[]
  /** Files that a process was writing when it was killed. */
  readonly drafts: readonly string[]
}

/** A draft is written in an instant. */
const draftMs = 60_000
const draftName = /\.json\.[\da-f]{8}$/

/**
 * Looks through the files that probes leave. Changes nothing.
 *
 * @param now - milliseconds since 1970; a draft of another minute was left by a crash
 */
export async function lookThroughKeptFiles(
  { transcripts, probes }: KeptPlaces,
  now: number,
): Promise<KeptFiles> {
  const outcomes: Outcome[] = []
  const damaged: string[] = []
  const files = await filesIn(transcripts)
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    const outcome = await outcomeIn(file)
    if (outcome === null) damaged.push(file)
    else outcomes.push(outcome)
  }
  if (probes !== undefined && !(await isListOrNothing(probes))) damaged.push(probes)
  const besideProbes =
    probes === undefined
      ? []
      : (await filesIn(dirname(probes))).filter((file) => file.startsWith(`${probes}.`))
  const drafts: string[] = []
  for (const file of [...files, ...besideProbes].filter((name) => draftName.test(name))) {
    const found = await stat(file).catch(() => null)
    if (found !== null && Math.abs(now - found.mtimeMs) > draftMs) drafts.push(file)
  }
  return { outcomes, damaged, drafts }
}

/** Where the files lie: a folder, and a file where such are kept. */
type KeptPlaces = { readonly transcripts: string; readonly probes?: string }

/** Moves damaged files away and removes drafts. @param away - a folder, made when it is needed */
export async function mendKeptFiles(
  { damaged, drafts }: Omit<KeptFiles, 'outcomes'>,
  away: string,
): Promise<void> {
  if (damaged.length > 0) await mkdir(away, { recursive: true, mode: 0o700 })
  for (const file of damaged) await rename(file, join(away, basename(file)))
  for (const file of drafts) await rm(file, { force: true })
}

/** What is wrong with the files, and what becomes of it. */
export const keptFileSteps = ({ damaged, drafts }: Omit<KeptFiles, 'outcomes'>): readonly RepairStep[] => [
  ...damaged.map(
    (file): RepairStep => ({ kind: 'lost', message: `${file} cannot be read: moved to the damaged files` }),
  ),
  ...(drafts.length === 0
    ? []
    : [
        {
          kind: 'tidy',
          message: `${drafts.length === 1 ? '1 file' : `${drafts.length} files`} half written by a process that ended: removed`,
        } as const,
      ]),
]

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(() => [])).sort().map((name) => join(folder, name))

async function outcomeIn(file: string): Promise<Outcome | null> {
  try {
    const { outcome } = parseTranscript(await readFile(readable(file), 'utf8'), file)
    return isJsonObject(outcome) ? (readOutcomeLines(JSON.stringify(outcome)).outcomes[0] ?? null) : null
  } catch {
    return null
  }
}

async function isListOrNothing(file: string): Promise<boolean> {
  try {
    parseKept(await readFile(readable(file), 'utf8'))
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
