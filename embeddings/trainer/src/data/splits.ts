import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../../../src/domain/json.ts'
import { DatasetError } from '../../../../src/evaluation/datasets/dataset.ts'
import { isForTraining } from '../../../../evals/benchmarks/src/agent-queries.ts'
import { dataFolder } from '../data-folder.ts'

const setSchema = z.strictObject({
  name: z.string().min(1),
  /** What its files hold: tools with or without queries, a catalog of agents, or queries alone. */
  content: z.enum(['tools', 'agents', 'queries']),
  /**
   * `train`; `dev`: read for nothing but to keep its queries out; or some of both: by the field `split` of a query, or
   * by a hash of the agents it asks for.
   */
  use: z.union([
    z.enum(['train', 'dev']),
    z.strictObject({ by: z.literal('split'), train: z.array(z.string()).min(1) }),
    z.strictObject({ by: z.literal('agent') }),
  ]),
  family: z.string().min(1),
  /** Further families that a development set has something in common with. */
  sharesWith: z.array(z.string()).optional(),
  licence: z.string().min(1),
  /** The examples on the cards are the queries of some set, and not read. */
  examples: z.literal('are queries').optional(),
})

const splitsSchema = z.strictObject({
  /** Name to what its sets share. */
  families: z.record(z.string(), z.string()),
  sets: z.array(setSchema),
})

/** Which sets are trained on, which are kept apart, and which of them share a source. */
export type Splits = z.infer<typeof splitsSchema>
/** What is known of one set. */
type KnownSet = Splits['sets'][number]
export type SetUse = KnownSet['use']

let read: Splits | undefined

/**
 * The splits that are published with this package, `embeddings/trainer/data/splits.json`. Read once.
 *
 * @throws DatasetError when the file is absent or breaks its own rules
 */
export function trainingSplits(): Splits {
  if (read === undefined) {
    const path = join(dataFolder, 'splits.json')
    try {
      read = parseSplits(path, readFileSync(path, 'utf8'))
    } catch (cause) {
      if (cause instanceof DatasetError) throw cause
      throw new DatasetError(`${path}: cannot be read.`, 'Install the package again.', { cause })
    }
  }
  return read
}

/** @throws DatasetError that names the field, a set that is listed twice, or a family that is not described */
export function parseSplits(path: string, text: string): Splits {
  const refuse = (message: string, cause?: unknown): never => {
    throw new DatasetError(`${path}: ${message}.`, 'Mend the file.', { cause })
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    refuse('not JSON', cause)
  }
  const { data, error } = splitsSchema.safeParse(json)
  if (data === undefined) {
    const [issue] = error.issues
    return refuse(`"${issue?.path.join('.')}": ${issue?.message}`)
  }
  const names = new Set<string>()
  for (const { name, family, sharesWith = [] } of data.sets) {
    if (names.has(name)) refuse(`lists the set "${name}" twice`)
    names.add(name)
    const unknown = [family, ...sharesWith].find((each) => !Object.hasOwn(data.families, each))
    if (unknown !== undefined) refuse(`set "${name}": the family "${unknown}" is not described`)
  }
  return data
}

/** What is known of a set; undefined for a set of the user's own, all of which is for training. */
export const knownSet = (splits: Splits, name: string): KnownSet | undefined =>
  splits.sets.find((set) => set.name === name)

/** Families to leave out of training, so that a development set is measured by a model that saw none of its relatives. */
export function familiesBehind(splits: Splits, devSet: string): readonly string[] {
  const set = knownSet(splits, devSet)
  return set === undefined ? [] : [set.family, ...(set.sharesWith ?? [])]
}

/** Whether a query of a set with this use may be trained on. */
export function isTrainingQuery(use: SetUse, record: JsonObject): boolean {
  if (use === 'train' || use === 'dev') return use === 'train'
  if (use.by === 'split') return typeof record.split === 'string' && use.train.includes(record.split)
  return isJsonObject(record.relevant) && isForTraining(Object.keys(record.relevant))
}
