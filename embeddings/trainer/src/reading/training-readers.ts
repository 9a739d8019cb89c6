import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { openReader, type TextReader } from '../../../../src/adapters/reader-model/open-reader.ts'
import { readerAnswerFeatureNames } from '../../../../src/retrieval/rank/answer-features.ts'
import { readerFeatureNames } from '../../../../src/retrieval/rank/candidate-features.ts'
import { TrainingError } from '../training-error.ts'

/** Readers of a training: the one that comes into the model, and for rows those that were trained without parts of the families. */
export type TrainingReaders = {
  /** Of the one that comes into the model. */
  readonly folder: string
  readonly name: string
  readonly sha256: string
  readonly dimensions: number
  /** By number, each trained without the families of that part. */
  readonly parts: readonly TextReader[]
  /** Number of the reader that has not seen a family; 0 for one that no reader has seen. */
  partOf(family: string): number
  /** Changes with any of the readers, with the families of their parts, and with what a ranker knows of a reading. */
  readonly fingerprint: string
  close(): Promise<void>
}

const parts = z.object({ families: z.record(z.string(), z.int().min(0).max(63)) })

/**
 * Opens a folder with `reader`, `fold-readers/<part>` and `folds.json`, which names the part of each family.
 *
 * @throws TrainingError when one of them is missing or damaged, or readers are of different lengths
 */
export async function openTrainingReaders(folder: string, threads: number): Promise<TrainingReaders> {
  const { families } = await readParts(join(folder, 'folds.json'))
  const count = Math.max(0, ...Object.values(families)) + 1
  const own = join(folder, 'reader')
  const reader = opened(own, 1)
  await reader.close()
  const { name, sha256, dimensions } = reader
  const folders = Array.from({ length: count }, (_, part) => join(folder, 'fold-readers', String(part)))
  const readers = folders.map((one) => opened(one, threads))
  for (const [part, one] of readers.entries())
    if (one.dimensions !== dimensions)
      throw new TrainingError(
        `${folders[part]}: gives ${one.dimensions} values, and ${own} gives ${dimensions}.`,
        'Train the readers of the parts as the whole one.',
      )
  const described = {
    readers: readers.map((one) => one.sha256),
    families: Object.entries(families).sort(([a], [b]) => (a < b ? -1 : 1)),
    features: [...readerFeatureNames, ...readerAnswerFeatureNames],
  }
  return {
    folder: own,
    name,
    sha256,
    dimensions,
    parts: readers,
    partOf: (family) => families[family] ?? 0,
    fingerprint: createHash('sha256').update(JSON.stringify(described)).digest('hex').slice(0, 12),
    async close() {
      for (const one of readers) await one.close()
    },
  }
}

function opened(folder: string, threads: number): TextReader {
  try {
    return openReader(folder, { threads })
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    throw new TrainingError(said, remedy, { cause })
  }
}

const remedy = 'Give the folder with "reader", "fold-readers" and "folds.json" with --reader.'

async function readParts(file: string): Promise<z.infer<typeof parts>> {
  let json: unknown
  try {
    json = JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    throw new TrainingError(`${file}: cannot be read as JSON.`, remedy, { cause })
  }
  const { data, error } = parts.safeParse(json)
  if (data !== undefined) return data
  const [issue] = error.issues
  throw new TrainingError(`${file}: "${issue?.path.join('.')}": ${issue?.message}.`, remedy)
}
