import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RepairOptions, RepairStep, StoreRepair } from '../../../store/diagnosis.ts'
import type { Outcome } from '../../../domain/outcome.ts'
import { connectTo } from '../connection.ts'
import { readHead, readStoredHead, replaceHead } from '../commit/head.ts'
import { ledgerFile, statesCopyFile } from '../integrity/ledger.ts'
import { openTable } from '../open-table.ts'
import { metaTable, recordTable } from '../schemas.ts'
import { isFolderThere, isRemote, type StoreLocation } from '../store-location.ts'
import { lockOn, lockStore } from '../commit/writer-lock.ts'
import { catalogTables, type ExaminedCatalog } from './examine-catalog.ts'
import { mendBeside, entering, examineStore, type RepairSurroundings } from './examine-store.ts'
import {
  abandonedFolders,
  beginExchange,
  damagedFolderOf,
  finishExchanges,
  putInPlace,
  unfinishedExchanges,
} from './put-in-place.ts'
import { rebuildCatalog } from './rebuild-catalog.ts'
import { abandoned, isMendable, isRecordMendable, staleLock, unfinished } from './repair-steps.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { lanceTrackRecord } from '../record/track-record.ts'
import type { EnterTable } from './open-damaged.ts'
import { salvageRecord } from './salvage-record.ts'
import type { Connection, Table } from '@lancedb/lancedb'
import { forgetUnnamed } from '../commit/retired.ts'
import { writableTables } from '../commit/writable-tables.ts'

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
  const found = await examineStore(location, surroundings, () =>
    lockOn(location) === 'held' ? attemptsBesideWriter : attemptsAlone,
  )
  const steps = [
    ...(abandonedFolders(location).length > 0 ? [abandoned] : []),
    ...found.catalogSteps,
    ...found.recordSteps,
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
  const found = await examineStore(location, surroundings, () => attemptsAlone)
  const { catalog, record } = found
  const isCatalogDamaged = catalog !== null && isMendable(catalog)
  const isRecordDamaged = record !== null && isRecordMendable(record)
  let damagedFolder: string | null = null
  if (isCatalogDamaged || isRecordDamaged) {
    const model = await surroundings.openModel()
    const exchange = beginExchange(location, surroundings.now)
    try {
      if (isCatalogDamaged)
        await rebuildCatalog(exchange.folder, catalog, found.states, model, surroundings.onTable)
      if (isRecordDamaged) await addOutcomes(exchange.folder, found.outcomes, model)
      damagedFolder = damagedFolderOf(location, exchange)
      writeSalvaged(
        location,
        damagedFolder,
        isCatalogDamaged ? catalog : null,
        isRecordDamaged ? found.outcomes : [],
      )
    } catch (error) {
      rmSync(exchange.folder, { recursive: true, force: true })
      throw error
    }
    putInPlace(location, exchange, [
      ...(isCatalogDamaged ? catalogTables : []),
      ...(isRecordDamaged ? [recordTable] : []),
    ])
    if (isRecordDamaged) await addLateOutcomes(location, damagedFolder, model, entering(surroundings))
  }
  if (found.leftoverSteps.length > 0 && catalog?.head) await rollBack(location)
  if (found.leftoverSteps.length + found.besideSteps.length > 0) await accountFor(location)
  return {
    steps: [
      ...before,
      ...found.catalogSteps,
      ...found.recordSteps,
      ...found.leftoverSteps,
      ...found.besideSteps,
    ],
    damagedFolder,
    toReadAgain: found.toReadAgain,
  }
}

async function rollBack(location: StoreLocation): Promise<void> {
  const connection = await connectTo(location)
  try {
    const meta = await openTable(connection, metaTable)
    if (meta !== null) await rollBackLeftovers(location, connection, meta)
  } finally {
    connection.close()
  }
}

async function accountFor(location: StoreLocation): Promise<void> {
  const connection = await connectTo(location)
  try {
    const meta = await openTable(connection, metaTable)
    const head = meta && (await readHead(meta))
    if (head) await mendBeside(location, connection, head)
  } finally {
    connection.close()
  }
}

/** All that could be read, in formats that anything reads. */
function writeSalvaged(
  home: string,
  folder: string,
  catalog: ExaminedCatalog | null,
  outcomes: readonly Outcome[],
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
  if (outcomes.length > 0) write('outcomes.jsonl', outcomes)
}

/** Adds outcomes to the record of a folder, which is made when it is not there. */
async function addOutcomes(
  folder: StoreLocation,
  outcomes: readonly Outcome[],
  model: EmbeddingModel | null,
): Promise<void> {
  const record = lanceTrackRecord(folder, { embed: async () => model })
  try {
    await record.merge(outcomes)
  } finally {
    await record.close()
  }
}

/** Adds what other processes wrote to a record while it was made anew elsewhere. */
async function addLateOutcomes(
  location: StoreLocation,
  damagedFolder: string,
  model: EmbeddingModel | null,
  enter: EnterTable,
): Promise<void> {
  const connection = await connectTo(damagedFolder)
  const { outcomes } = await salvageRecord(damagedFolder, connection, enter).finally(() => connection.close())
  await addOutcomes(location, outcomes, model)
}

/** Rolls every table back to the last commit and forgets all else. Readers see no change. Only by who holds the store. */
async function rollBackLeftovers(
  location: StoreLocation,
  connection: Connection,
  meta: Table,
): Promise<void> {
  const stored = await readStoredHead(meta)
  const { head } = stored
  if (head === null) return
  const tables = writableTables(location, connection, head)
  try {
    await tables.images('tool')
    for (const kind of ['tool', 'agent'] as const) {
      await tables.cards(kind)
      await tables.vectors(kind)
    }
    const next = { ...head, ...(await tables.settle()) }
    if (!(await replaceHead(meta, stored, next))) return
    await tables.prune()
    await forgetUnnamed(location, connection, meta, next)
  } finally {
    tables.close()
  }
}
