import { setTimeout as wait } from 'node:timers/promises'
import type { SourceState } from '../../../store/source-state.ts'
import type { RepairStep } from '../../../store/store-repair.ts'
import type { Outcome } from '../../../domain/outcome.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { connectTo, isMade, mayExist } from '../connection.ts'
import { recordTable } from '../schemas.ts'
import type { StoreLocation } from '../store-location.ts'
import { type ExaminedCatalog, examineCatalog } from './examine-catalog.ts'
import type { EnterTable } from './open-damaged.ts'
import { leftoversIn } from './leftovers.ts'
import { statesAfter } from './rebuild-catalog.ts'
import { damageBeside } from './beside.ts'
import { besideSteps, catalogSteps, isWhole, leftoverSteps, recordSteps } from './repair-steps.ts'
import { type SalvagedRecord, salvageRecord } from './salvage-record.ts'

/** What a repair needs besides the store. */
export type RepairSurroundings = {
  /** The configured model. @throws EmbeddingModelError */
  readonly openModel: () => Promise<EmbeddingModel | null>
  /** Outcomes that are kept elsewhere too: in transcripts. Asked for when the record is damaged. */
  readonly outcomesElsewhere: () => Promise<readonly Outcome[]>
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

/** A store as far as it can be read, and what becomes of it. */
type ExaminedStore = {
  /** Null when nothing was ever indexed. */
  readonly catalog: ExaminedCatalog | null
  readonly states: readonly SourceState[]
  readonly toReadAgain: readonly SourceState[]
  readonly catalogSteps: readonly RepairStep[]
  /** Null when nothing was ever recorded. */
  readonly record: SalvagedRecord | null
  readonly outcomes: readonly Outcome[]
  readonly recordSteps: readonly RepairStep[]
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
      const found = await examineOnce(location, surroundings)
      if (found.catalogSteps.length + found.recordSteps.length === 0 || isLast) return found
    } catch (error) {
      if (isLast) throw error
    }
    await wait(pauseMs)
  }
}

async function examineOnce(
  location: StoreLocation,
  surroundings: RepairSurroundings,
): Promise<ExaminedStore> {
  const { openModel, outcomesElsewhere } = surroundings
  const enter = entering(surroundings)
  const connection = await connectTo(location)
  try {
    const model = () => openModel().catch(() => null)
    const catalog = mayExist(location) ? await examineCatalog(location, connection, model, enter) : null
    const rebuilt = catalog === null ? { states: [], toReadAgain: [] } : statesAfter(catalog)
    const record = isMade(location, recordTable) ? await salvageRecord(location, connection, enter) : null
    const elsewhere = record === null || record.damage === null ? [] : await outcomesElsewhere()
    const outcomes = [...elsewhere, ...(record?.outcomes ?? [])]
    const head = catalog !== null && isWhole(catalog) ? catalog.head : null
    return {
      catalog,
      ...rebuilt,
      catalogSteps: catalog === null ? [] : catalogSteps(catalog, rebuilt.toReadAgain),
      record,
      outcomes: [...new Map(outcomes.map((outcome) => [outcome.id, outcome])).values()],
      recordSteps: record === null ? [] : recordSteps(record, elsewhere),
      leftoverSteps: head === null ? [] : leftoverSteps(await leftoversIn(location, connection, head)),
      besideSteps: head === null ? [] : besideSteps(damageBeside(location, head)),
    }
  } finally {
    connection.close()
  }
}
