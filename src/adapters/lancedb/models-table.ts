import type { ModelList } from '../../domain/model-card.ts'
import { parseSealed, sealed } from '../../domain/text/sealed-json.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import type { SourceState } from '../../store/source-state.ts'
import { arrowRows } from './native.ts'
import { embedTasks } from './record/record-reader.ts'
import { RecordTable } from './record/record-table.ts'
import { among, modelsSchema, modelsTable } from './schemas.ts'
import type { StoreLocation } from './store-location.ts'

/** What a source says of language models, as the store has it. */
export type StoredModels = {
  readonly source: string
  readonly list: ModelList
  /** Vectors of the tasks of its outcomes in 8 bits, one after the other; null where no model made any. */
  readonly embedded: { readonly model: string; readonly vectors: Int8Array } | null
}

const tableOf = (location: StoreLocation) =>
  new RecordTable(location, { name: modelsTable, schema: modelsSchema, title: 'list of models' })

/**
 * What sources say of language models: few rows, each read whole, beside the catalog. Written before the commit that names the source, so
 * that a row of a source that the head does not know counts for nothing.
 *
 * @throws StoreError when the store cannot be read or written
 */
export function lanceModels(location: StoreLocation) {
  const table = tableOf(location)
  return {
    /** Changes when anything of it does; null when nothing was ever written. */
    version: (): Promise<number | null> => table.read((opened) => opened.version()),
    async read(): Promise<readonly StoredModels[]> {
      const rows = await table.read((opened) => opened.query().toArrow())
      return Array.from({ length: rows?.numRows ?? 0 }, (_, row) => {
        const value = (name: string): unknown => rows!.getChild(name)?.get(row)
        const [model, bytes] = [value('model') as string | null, value('vectors') as Uint8Array | null]
        return {
          source: value('source') as string,
          list: parseSealed(value('list') as string) as ModelList,
          embedded: model === null || bytes === null ? null : { model, vectors: new Int8Array(bytes) },
        }
      })
    },
    close: () => table.close(),
  }
}

/** States of sources, without a fingerprint where the list that it stands for is gone, so that the next index reads them again. */
export async function readAgainWithoutList(
  location: StoreLocation,
  states: readonly SourceState[],
): Promise<readonly SourceState[]> {
  if (states.every(({ models }) => models === undefined)) return states
  const read = (table: RecordTable) => table.read((opened) => opened.query().select(['source']).toArrow())
  // Damage is told by who reads the lists, and by `audition doctor`.
  const rows = await using(location, read).catch(() => undefined)
  if (rows === undefined) return states
  const known = new Set<unknown>(rows?.getChild('source') ?? [])
  return states.map((state) => {
    if (state.models === undefined || known.has(state.id)) return state
    const { fingerprint: _, ...rest } = state
    return rest
  })
}

/** Writes what sources say now. Nothing is sent to a model that others run: then words are compared. */
export async function putModels(
  location: StoreLocation,
  lists: readonly { readonly source: string; readonly list: ModelList }[],
  model: EmbeddingModel | null,
): Promise<void> {
  if (lists.length === 0) return
  const rows: StoredModels[] = []
  for (const { source, list } of lists) rows.push({ source, list, embedded: await embedded(list, model) })
  const batch = arrowRows(modelsSchema, rows, {
    source: ({ source }) => source,
    list: ({ list }) => sealed(JSON.stringify(list)),
    model: (row) => row.embedded?.model ?? null,
    vectors: (row) => row.embedded && new Uint8Array(row.embedded.vectors.buffer),
  })
  await using(location, (table) =>
    table.write((opened) =>
      opened.mergeInsert('source').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(batch),
    ),
  )
}

/** Forgets what sources said that are gone. */
export async function removeModels(location: StoreLocation, sources: readonly string[]): Promise<void> {
  if (sources.length === 0) return
  await using(location, (table) => table.change((opened) => opened.delete(`source ${among(sources)}`)))
}

async function using<T>(location: StoreLocation, use: (table: RecordTable) => Promise<T>): Promise<T> {
  const table = tableOf(location)
  try {
    return await use(table)
  } finally {
    table.close()
  }
}

async function embedded(
  { outcomes }: ModelList,
  model: EmbeddingModel | null,
): Promise<StoredModels['embedded']> {
  if (outcomes.length === 0 || model === null || model.service !== undefined) return null
  const plain = outcomes.length > (model.mostCards ?? outcomes.length) ? (model.plain ?? model) : model
  const made = await embedTasks(
    outcomes.map(({ task }) => task),
    plain,
  )
  const vectors = new Int8Array(outcomes.length * plain.dimensions)
  for (const [at, { task }] of outcomes.entries()) vectors.set(made.get(task)!, at * plain.dimensions)
  return { model: plain.id, vectors }
}
