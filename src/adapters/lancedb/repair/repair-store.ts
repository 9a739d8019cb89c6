import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import type { RepairOptions, RepairStep, StoreRepair } from '../../../store/diagnosis.ts'
import { noHead, readHead, readStoredHead, replaceHead } from '../head.ts'
import { openTable } from '../pointed-table.ts'
import { forgetUnnamed } from '../commit/retired.ts'
import { TablesInPlace } from '../commit/tables-in-place.ts'
import { lockOn, lockStore } from '../commit/writer-lock.ts'
import { connected, isSegmentTable, type StoreConnection, segmentsIn } from '../connection.ts'
import { ledgerFile, statesCopyFile } from '../integrity/ledger.ts'
import { dropUnnamedData } from '../integrity/table-files.ts'
import { strangeEntries } from '../integrity/strange-entries.ts'
import { putModels } from '../models-table.ts'
import { lanceTrackRecord } from '../record/track-record.ts'
import { metaTable, modelsTable, simulatedTable } from '../schemas.ts'
import { isFolderThere, isRemote, type StoreLocation } from '../store-location.ts'
import { catalogTables, type ExaminedCatalog } from './examine-catalog.ts'
import {
  type ExaminedRecord,
  type ExaminedStore,
  entering,
  examineStore,
  mendBeside,
  type RepairSurroundings,
} from './examine-store.ts'
import {
  abandonedFolders,
  beginExchange,
  damagedFolderOf,
  finishExchanges,
  putAside,
  putInPlace,
  unfinishedExchanges,
} from './put-in-place.ts'
import { rebuildCatalog } from './rebuild-catalog.ts'
import { abandoned, isMendable, isSideMendable, staleLock, strangeSteps, unfinished } from './repair-steps.ts'
import { salvageRecord } from './salvage-record.ts'

/**
 * Looks through a local store, and mends it when it is asked to: the cards, as JSON, are the truth that all else is made from anew.
 * Nothing that is damaged is deleted: it is moved to `damaged-<time>` in the store's folder, with what could be read of it beside.
 *
 * @throws StoreError when the folder cannot be opened or written
 */
export async function repairStore(
  location: StoreLocation,
  options: RepairOptions,
  surroundings: RepairSurroundings,
): Promise<StoreRepair> {
  if (isRemote(location) || !isFolderThere(location)) return nothingFound
  if (options.intent === 'look') return look(location, surroundings)
  const stale = lockOn(location) === 'stale'
  const unlock = await lockStore(location, options.signal)
  try {
    return withLock(await mend(location, surroundings), stale)
  } finally {
    unlock()
  }
}

const nothingFound: StoreRepair = { steps: [], damagedFolder: null, toReadAgain: [] }

const withLock = (repair: StoreRepair, stale: boolean): StoreRepair =>
  stale ? { ...repair, steps: [staleLock, ...repair.steps] } : repair

/** Looks at what seems damaged: beside a process that writes the catalog, and while nobody does but, perhaps, to the record. */
const attemptsBesideWriter = 10
const attemptsAlone = 3

async function look(location: StoreLocation, surroundings: RepairSurroundings): Promise<StoreRepair> {
  if (unfinishedExchanges(location).length > 0) return { ...nothingFound, steps: [unfinished] }
  const strange = strangeEntries(location)
  if (strange.length > 0) return { ...nothingFound, steps: strangeSteps(strange) }
  const found = await examineStore(location, surroundings, () =>
    lockOn(location) === 'held' ? attemptsBesideWriter : attemptsAlone,
  )
  const steps = [
    ...(abandonedFolders(location).length > 0 ? [abandoned] : []),
    ...found.catalogSteps,
    ...found.recordSteps,
    ...found.modelSteps,
    // Whoever holds the store has files under way that no commit names yet.
    ...(lockOn(location) === 'held' ? [] : [...found.leftoverSteps, ...found.besideSteps]),
  ]
  const repair = { steps, damagedFolder: null, toReadAgain: found.toReadAgain }
  return withLock(repair, lockOn(location) === 'stale')
}

async function mend(location: StoreLocation, surroundings: RepairSurroundings): Promise<StoreRepair> {
  const before: RepairStep[] = []
  if (unfinishedExchanges(location).length > 0) {
    finishExchanges(location)
    before.push(unfinished)
  }
  for (const folder of abandonedFolders(location)) {
    rmSync(folder, { recursive: true })
    before.push(abandoned)
  }
  const strange = strangeEntries(location)
  const asideFolder = putAside(location, strange, surroundings.now)
  before.push(...strangeSteps(strange))
  const found = await examineStore(location, surroundings, () => attemptsAlone)
  const damagedFolder = (await exchangeDamaged(location, found, surroundings)) ?? asideFolder
  if (found.leftoverSteps.length > 0 && found.catalog?.head) await connected(location, rollBackLeftovers)
  if (found.leftoverSteps.length + found.besideSteps.length > 0) await connected(location, accountFor)
  return {
    steps: [
      ...before,
      ...found.catalogSteps,
      ...found.recordSteps,
      ...found.modelSteps,
      ...found.leftoverSteps,
      ...found.besideSteps,
    ],
    damagedFolder,
    toReadAgain: found.toReadAgain,
  }
}

/** Makes what is damaged anew, and puts it in place. @returns the folder to which the damaged tables went; null when there were none */
async function exchangeDamaged(
  location: StoreLocation,
  found: ExaminedStore,
  surroundings: RepairSurroundings,
): Promise<string | null> {
  const catalog = found.catalog !== null && isMendable(found.catalog) ? found.catalog : null
  const records = found.records.filter(({ salvaged }) => isSideMendable(salvaged))
  const lists = isSideMendable(found.models) ? found.models.lists : null
  if (catalog === null && records.length === 0 && lists === null) return null
  const model = await surroundings.openModel()
  const exchange = beginExchange(location, surroundings.now)
  const damagedFolder = damagedFolderOf(location, exchange)
  try {
    const { onTable } = surroundings
    if (catalog !== null)
      await rebuildCatalog(exchange.folder, { ...catalog, states: found.states }, { model, onTable })
    for (const record of records) await addOutcomes(exchange.folder, record, model)
    if (lists !== null) await putModels(exchange.folder, lists, model)
    writeSalvaged(location, damagedFolder, { catalog, records, lists })
  } catch (error) {
    rmSync(exchange.folder, { recursive: true, force: true })
    throw error
  }
  putInPlace(location, exchange, [
    ...(catalog !== null ? [...catalogTables, ...segmentsIn(location), ...segmentsIn(exchange.folder)] : []),
    ...records.map(({ table }) => table),
    ...(lists !== null ? [modelsTable] : []),
  ])
  for (const { table } of records) {
    // What other processes wrote to the record while it was made anew.
    const late = await connected(damagedFolder, (store) =>
      salvageRecord(store, entering(surroundings), table),
    )
    await addOutcomes(location, { table, outcomes: late.outcomes }, model)
  }
  return damagedFolder
}

async function accountFor(store: StoreConnection): Promise<void> {
  const meta = await openTable(store.connection, metaTable)
  const head = meta && (await readHead(meta))
  if (head) await mendBeside({ ...store, head })
}

/** All that could be read, in formats that anything reads. */
function writeSalvaged(
  home: string,
  folder: string,
  {
    catalog,
    records,
    lists,
  }: {
    readonly catalog: ExaminedCatalog | null
    readonly records: readonly ExaminedRecord[]
    readonly lists: ExaminedStore['models']['lists'] | null
  },
): void {
  mkdirSync(folder, { recursive: true })
  for (const file of [ledgerFile(home), statesCopyFile(home)])
    if (existsSync(file)) copyFileSync(file, join(folder, basename(file)))
  const write = (name: string, items: readonly unknown[]): void =>
    writeFileSync(join(folder, name), items.map((item) => `${JSON.stringify(item)}\n`).join(''))
  if (catalog !== null) {
    write('cards.jsonl', catalog.cards)
    write('sources.jsonl', catalog.states)
  }
  for (const { table, outcomes } of records)
    if (outcomes.length > 0)
      write(table === simulatedTable ? 'simulated-outcomes.jsonl' : 'outcomes.jsonl', outcomes)
  if (lists !== null && lists.length > 0) write('models.jsonl', lists)
}

/** Adds outcomes to the record of a folder, which is made when it is not there. */
async function addOutcomes(
  folder: StoreLocation,
  { table, outcomes }: Pick<ExaminedRecord, 'table' | 'outcomes'>,
  model: EmbeddingModel | null,
): Promise<void> {
  const record = lanceTrackRecord(
    folder,
    table === simulatedTable
      ? { ledger: 'simulated', embed: async () => null }
      : { embed: async () => model },
  )
  try {
    await record.merge(outcomes)
  } finally {
    await record.close()
  }
}

/** Rolls every table back to the last commit and forgets all else. Readers see no change. Only by who holds the store. */
async function rollBackLeftovers(store: StoreConnection): Promise<void> {
  const meta = await openTable(store.connection, metaTable)
  const stored = meta === null ? noHead : await readStoredHead(meta)
  const { head } = stored
  if (meta === null || head === null) return
  const tables = new TablesInPlace(store, head, { manyRows: Number.POSITIVE_INFINITY })
  try {
    for (const name of Object.keys(head.versions)) if (!isSegmentTable(name)) await tables.reopened(name)
    const next = { ...head, ...(await tables.settle()) }
    if (!(await replaceHead(meta, stored, { next }))) return
    await tables.prune()
    // LanceDB leaves those that are younger than every version it keeps.
    for (const name of Object.keys(next.versions)) dropUnnamedData(store.location, name)
    await forgetUnnamed({ ...store, head: next }, { before: head, landing: async () => meta })
  } finally {
    tables.close()
  }
}
