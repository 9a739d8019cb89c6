import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RepairOptions, RepairStep, StoreRepair } from '../../../store/store-repair.ts'
import type { Outcome } from '../../../domain/outcome.ts'
import { connectTo } from '../connection.ts'
import { readHead } from '../commit/head.ts'
import { ledgerFile } from '../integrity/ledger.ts'
import { statesCopyFile } from '../integrity/states-copy.ts'
import { openTable } from '../open-table.ts'
import { metaTable, recordTable } from '../schemas.ts'
import { isFolderThere } from '../store-folder.ts'
import { isRemote, type StoreLocation } from '../store-location.ts'
import { lockOn, lockStore } from '../commit/writer-lock.ts'
import { catalogTables, type ExaminedCatalog } from './examine-catalog.ts'
import { mendBeside } from './beside.ts'
import { entering, examineStore, type RepairSurroundings } from './examine-store.ts'
import {
  abandonedFolders,
  beginExchange,
  damagedFolderOf,
  finishExchanges,
  putInPlace,
  unfinishedExchanges,
} from './put-in-place.ts'
import { rebuildCatalog } from './rebuild-catalog.ts'
import { addLateOutcomes, addOutcomes } from './rebuild-record.ts'
import { abandoned, isMendable, isRecordMendable, staleLock, unfinished } from './repair-steps.ts'
import { rollBackLeftovers } from './roll-back-leftovers.ts'

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
