import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { RemedyError } from '../../domain/remedy-error.ts'
import { tiers } from '../../retrieval/answer.ts'
import type { EvaluationRun } from '../evaluation-run.ts'

/** A run that was kept cannot be read. The message says where and what; the remedy what to do. */
export class RunFileError extends RemedyError {
  override readonly name: string = 'RunFileError'
}

/** No run of that name is kept. */
export class UnknownRunError extends RunFileError {
  override readonly name = 'UnknownRunError'
  readonly run: string
  readonly dataset: string
  /** Names of some that are kept, newest first. */
  readonly kept: readonly string[]
  constructor({ run, dataset, kept }: Pick<UnknownRunError, 'run' | 'dataset' | 'kept'>, remedy: string) {
    super(`No run "${run}" of ${dataset} is kept.`, remedy)
    this.run = run
    this.dataset = dataset
    this.kept = kept
  }
}

/**
 * A run as text: JSON with one query per line, so that versions of it can be compared line by line. Equal runs give
 * equal text.
 */
export function runText({ outcomes, ...head }: EvaluationRun): string {
  const lines = outcomes.map((outcome) => JSON.stringify(outcome)).join(',\n')
  return `${JSON.stringify(head).slice(0, -1)},"outcomes":[\n${lines}\n]}\n`
}

/** The same as bytes, compressed when the path ends with `.gz`. No time is stored with them. */
export async function runBytes(run: EvaluationRun, path: string): Promise<Uint8Array> {
  const text = runText(run)
  return path.endsWith('.gz') ? promisify(gzip)(text, { level: 6 }) : Buffer.from(text, 'utf8')
}

/**
 * Reads a run, compressed or not.
 *
 * @throws RunFileError when there is no file, or it holds no run of this format
 */
export const readRunFile = async (path: string): Promise<EvaluationRun> =>
  parseRun(await readRunText(path), path)

/**
 * The text of a file that should hold a run.
 *
 * @throws RunFileError when there is no file, or its compression is broken
 */
export async function readRunText(path: string): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    throw new RunFileError(
      missing ? `${path}: there is no such file.` : `${path}: cannot be read.`,
      'Give the name of a kept run, or the path of a run file; `audition evaluate` lists the runs.',
      { cause },
    )
  }
  return unpacked(bytes, path)
}

/**
 * @param where - named in errors, for example the path
 * @throws RunFileError naming the first field that is wrong
 */
export function parseRun(text: string, where: string): EvaluationRun {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new RunFileError(`${where}: not JSON.`, remedy, { cause })
  }
  const parsed = runSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.map(String).join('.') ?? ''
  throw new RunFileError(
    `${where}: no run of this version of Audition (${field === '' ? 'the whole' : `"${field}"`}: ${issue?.message ?? 'wrong'}).`,
    remedy,
  )
}

const remedy = 'Make the run anew with `audition evaluate`.'

async function unpacked(bytes: Buffer, path: string): Promise<string> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.toString('utf8')
  try {
    return (await promisify(gunzip)(bytes)).toString('utf8')
  } catch (cause) {
    throw new RunFileError(`${path}: broken gzip.`, remedy, { cause })
  }
}

const estimate = z.strictObject({
  mean: z.number(),
  low: z.number(),
  high: z.number(),
  queries: z.int().min(0),
})
const estimates = z.record(z.string(), estimate)

const signals = z.strictObject({
  lexical: z.number().exactOptional(),
  dense: z.number().exactOptional(),
  reading: z.number().exactOptional(),
  crossEncoder: z.number().exactOptional(),
  coverage: z.number(),
  matched: z.array(z.string()),
  lift: z.strictObject({ from: z.string(), share: z.number() }).exactOptional(),
  facets: z.array(z.int()),
  duplicates: z.array(z.string()),
  withheld: z.number().exactOptional(), // of runs kept before reasons were told
  provenance: z.enum(tiers).exclude(['installed']).exactOptional(),
  standsBack: z.strictObject({ share: z.number(), because: z.string(), lift: z.string() }).exactOptional(),
  record: z
    .strictObject({
      runs: z.int(),
      successes: z.int(),
      similarRuns: z.int(),
      similarSuccesses: z.int(),
      medianSeconds: z.number().nullable(),
      estimate: z.number(),
      speaks: z.enum(['for', 'against', 'neither']).default('neither'), // runs of before have none
    })
    .exactOptional(),
})

const outcome = z.strictObject({
  id: z.string(),
  part: z.string(),
  text: z.string(),
  group: z.string().exactOptional(),
  candidates: z.array(
    z.strictObject({ id: z.string(), score: z.number(), signals: signals.exactOptional() }),
  ),
  relevant: z.record(z.string(), z.number()),
  standIns: z.record(z.string(), z.string()).exactOptional(),
  measures: z.record(z.string(), z.number()),
  match: z.enum(['good', 'weak', 'none']),
  tokens: z.number(),
})

const count = z.int().min(0).exactOptional()
const counts = {
  asked: count,
  failed: count,
  requests: count,
  tokens: z.number().exactOptional(),
  cost: z.number().exactOptional(),
}
const reranking = z.strictObject({
  rows: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.enum(['chance', 'first stage', 'reranker']),
      ...counts,
      failure: z.string().exactOptional(),
    }),
  ),
  blocks: z.array(
    z.strictObject({
      part: z.string(),
      estimates: z.array(estimates),
      took: z.array(z.strictObject(counts)).exactOptional(),
      pairs: z.array(
        z.strictObject({
          row: z.int(),
          other: z.int(),
          difference: estimate,
          p: z.number(),
          pHolm: z.number(),
        }),
      ),
      published: z.array(z.strictObject({ name: z.string(), values: z.record(z.string(), z.number()) })),
      note: z.string(),
    }),
  ),
  probes: z
    .array(
      z.strictObject({
        tercile: z.enum(['low', 'medium', 'high']),
        probes: z.int(),
        runs: z.int(),
        won: z.int(),
        lost: z.int(),
        equal: z.int(),
        winRate: z.number(),
        difference: estimate,
        p: z.number(),
      }),
    )
    .exactOptional(),
})

const runSchema: z.ZodType<EvaluationRun> = z.strictObject({
  format: z.literal('audition-run/1'),
  name: z.string(),
  dataset: z.strictObject({ name: z.string(), origin: z.string(), notes: z.array(z.string()) }),
  settings: z.strictObject({
    ranker: z.enum([
      'lexical',
      'dense',
      'hybrid',
      'rrf',
      'learned',
      'reader',
      'cross-encoder',
      'record',
      'given',
    ]),
    givenRun: z.string().exactOptional(),
    firstStage: z.string().exactOptional(),
    model: z.string().nullable(),
    crossEncoder: z.strictObject({ model: z.string(), depth: z.int().min(1) }).exactOptional(),
    corpus: z.enum(['own', 'joined', 'index']),
    instruction: z.enum(['without', 'with']),
    pack: z.enum(['ranking', 'diverse']),
    equivalence: z.enum(['strict', 'aware']).default('strict'), // runs kept before there was a choice
    defended: z.literal(true).exactOptional(),
    absent: z.literal(true).exactOptional(),
    depth: z.int().min(1),
  }),
  measures: z.array(z.string()),
  parts: z.array(z.strictObject({ name: z.string(), category: z.string().exactOptional(), estimates })),
  categories: z.record(z.string(), estimates),
  categoryAverages: z
    .strictObject({
      byQuery: z.record(z.string(), estimates),
      average: z.strictObject({ ofQueries: estimates, ofParts: estimates }),
    })
    .exactOptional(),
  macro: estimates,
  micro: estimates,
  reranking: reranking.exactOptional(),
  outcomes: z.array(outcome),
})
