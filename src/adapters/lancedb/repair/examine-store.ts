import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Outcome } from '../../../domain/outcome.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import type { RepairStep } from '../../../store/diagnosis.ts'
import type { SourceState } from '../../../store/source-state.ts'
import {
  connected,
  isMade,
  mayExist,
  type StoreConnection,
  openMeta,
  type StoreAtHead,
  segmentsIn,
} from '../connection.ts'
import {
  copyStates,
  isListed,
  listSums,
  readLedger,
  readStatesCopy,
  statesCopyFile,
} from '../integrity/ledger.ts'
import { unnamedData } from '../integrity/table-files.ts'
import { type StoreHead, metaTable, modelsTable, recordTables, vectorTables } from '../schemas.ts'
import type { StoreLocation } from '../store-location.ts'
import { type ExaminedCatalog, examineCatalog } from './examine-catalog.ts'
import type { EnterTable } from './open-damaged.ts'
import { statesAfter } from './rebuild-catalog.ts'
import {
  besideSteps,
  catalogSteps,
  isSideMendable,
  isWhole,
  leftoverSteps,
  modelSteps,
  recordSteps,
} from './repair-steps.ts'

import { type SalvagedRecord, salvageRecord, type SalvagedModels, salvageModels } from './salvage-record.ts'

/** What a repair needs besides the store. */
export type RepairSurroundings = {
  /** The configured model. @throws EmbeddingModelError */
  readonly openModel: () => Promise<EmbeddingModel | null>
  /** Outcomes of a table that are kept elsewhere too: in transcripts. Asked for when it is damaged. */
  readonly outcomesElsewhere: (table: ExaminedRecord['table']) => Promise<readonly Outcome[]>
  readonly now: Date
  /** Tables at which an earlier process ended, and how: of these nothing is read. */
  readonly givenUp: { readonly [table: string]: string }
  /** Called before a table is read, and as the work goes on. */
  readonly onTable: (table: string) => void
}

/** @returns what is called before a table is read */
export const entering =
  ({ givenUp, onTable }: Pick<RepairSurroundings, 'givenUp' | 'onTable'>): EnterTable =>
  (table) => {
    onTable(table)
    const ended = givenUp[table]
    if (ended !== undefined) throw new Error(ended)
  }

/** A table of outcomes, and all of it that is known, from elsewhere too. */
export type ExaminedRecord = {
  readonly table: (typeof recordTables)[number]
  readonly salvaged: SalvagedRecord
  readonly outcomes: readonly Outcome[]
  readonly steps: readonly RepairStep[]
}

/** A store as far as it can be read, and what becomes of it. */
export type ExaminedStore = {
  /** Null when nothing was ever indexed. */
  readonly catalog: ExaminedCatalog | null
  readonly states: readonly SourceState[]
  readonly toReadAgain: readonly SourceState[]
  readonly catalogSteps: readonly RepairStep[]
  /** Those to which something was ever recorded. */
  readonly records: readonly ExaminedRecord[]
  readonly recordSteps: readonly RepairStep[]
  readonly models: SalvagedModels
  readonly modelSteps: readonly RepairStep[]
  readonly leftoverSteps: readonly RepairStep[]
  /** What is wrong beside the tables: nothing is lost by it. */
  readonly besideSteps: readonly RepairStep[]
}

const pauseMs = 100

/**
 * Reads all of a store, and changes nothing. Another process may take away what is just read: so what seems damaged is looked at again.
 *
 * @param attempts - how often at most; asked before each
 */
export async function examineStore(
  location: StoreLocation,
  surroundings: RepairSurroundings,
  attempts: () => number,
): Promise<ExaminedStore> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= attempts()
    try {
      const found = await connected(location, (store) => examineOnce(store, surroundings))
      const { length } = [...found.catalogSteps, ...found.recordSteps, ...found.modelSteps]
      if (length === 0 || isLast) return found
    } catch (error) {
      if (isLast) throw error
    }
    await wait(pauseMs)
  }
}

async function examineOnce(store: StoreConnection, surroundings: RepairSurroundings): Promise<ExaminedStore> {
  const { openModel } = surroundings
  const { location } = store
  const enter = entering(surroundings)
  const model = () => openModel().catch(() => null)
  const catalog = mayExist(location) ? await examineCatalog(store, { model, enter }) : null
  const rebuilt = catalog === null ? { states: [], toReadAgain: [] } : statesAfter(catalog)
  const records: ExaminedRecord[] = []
  for (const table of recordTables)
    if (isMade(location, table) || isListed(location, table))
      records.push(await examineRecord(store, surroundings, table))
  const head = catalog !== null && isWhole(catalog) ? catalog.head : null
  const models = await salvageModels(store, enter, rebuilt.states)
  const lost = isSideMendable(models) ? models.lost : []
  const alsoLost = lost.filter(({ id }) => !rebuilt.toReadAgain.some((source) => source.id === id))
  return {
    catalog,
    ...rebuilt,
    toReadAgain: [...rebuilt.toReadAgain, ...alsoLost],
    models,
    modelSteps: modelSteps(models),
    catalogSteps: catalog === null ? [] : catalogSteps(catalog, rebuilt.toReadAgain),
    records,
    recordSteps: records.flatMap(({ steps }) => steps),
    leftoverSteps: head === null ? [] : leftoverSteps(leftoversIn({ ...store, head })),
    besideSteps: head === null ? [] : besideSteps(damageBeside(location, head)),
  }
}

async function examineRecord(
  store: StoreConnection,
  surroundings: RepairSurroundings,
  table: ExaminedRecord['table'],
): Promise<ExaminedRecord> {
  const salvaged = await salvageRecord(store, entering(surroundings), table)
  const elsewhere = salvaged.damage === null ? [] : await surroundings.outcomesElsewhere(table)
  const outcomes = [...elsewhere, ...salvaged.outcomes]
  return {
    table,
    salvaged,
    steps: recordSteps(table, salvaged, elsewhere),
    outcomes: [...new Map(outcomes.map((outcome) => [outcome.id, outcome])).values()],
  }
}

/** What runs that were killed or failed left in a store: harmless, and rolled back by the next one that changes anything. */
type Leftovers = { readonly files: number; readonly bytes: number }

/** Counts data files that no committed version names, and tables that the head does not. */
function leftoversIn({ location, head: { versions } }: StoreAtHead): Leftovers {
  const unnamed = [...Object.values(vectorTables), ...segmentsIn(location)].filter(
    (name) => !(name in versions) && existsSync(join(location, `${name}.lance`)),
  )
  const files = [
    ...Object.entries(versions).flatMap(([name, version]) => unnamedData(location, name, version)),
    ...unnamed.flatMap((name) => [`${name}.lance`, ...unnamedData(location, name, 0)]),
  ]
  const sizes = files.map((file) => statSync(join(location, file), { throwIfNoEntry: false }))
  return { files: files.length, bytes: sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0) }
}

/** What is wrong with the files beside the tables of a catalog that is whole, for people. */
function damageBeside(location: StoreLocation, { state }: StoreHead): readonly string[] {
  const { isThere, damaged } = readLedger(location)
  const copy = readStatesCopy(location)
  const isCopied = existsSync(statesCopyFile(location))
  return [
    ...(isThere ? [] : ['its files have no checksums yet']),
    ...(damaged > 0 ? [`${damaged} of the checksums of its files were damaged`] : []),
    ...(copy === null && isCopied ? ['the copy of the states of sources was damaged'] : []),
    ...(copy === null && !isCopied ? ['there is no copy of the states of sources yet'] : []),
    ...(copy !== null && copy.state !== state ? ['the copy of the states of sources is an old one'] : []),
  ]
}

/** Makes the files beside the tables anew, from a catalog that is whole. */
export async function mendBeside({ head, ...store }: StoreAtHead): Promise<void> {
  const { location } = store
  const meta = await openMeta(store)
  if (meta !== null) {
    await copyStates(location, meta, head)
    meta.close()
  }
  const beside = [metaTable, ...recordTables, modelsTable].map((table) => [table, undefined] as const)
  await listSums(location, {}, { ...head.versions, ...Object.fromEntries(beside) })
}
