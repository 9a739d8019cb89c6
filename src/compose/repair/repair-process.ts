import { RemedyError } from '../../domain/remedy-error.ts'
import { StoreError } from '../../adapters/lancedb/store-location.ts'
import { answerSupervisor } from '../../adapters/processes/supervise.ts'
import type { StoreRepair } from '../../store/diagnosis.ts'
import type { Config } from '../../config.ts'
import { readGuards } from '../open-guards.ts'
import { modelOf } from '../open-models.ts'
import { repairHere } from './repair-here.ts'

/** What the process of a repair is asked. */
export type RepairRequest = {
  readonly config: Config
  readonly intent: 'look' | 'mend'
  /** Tables at which a process ended before, and how. */
  readonly givenUp: { readonly [table: string]: string }
}

/** What it answers: what was found and done, or an error of ours. */
export type RepairAnswer =
  | { readonly kind: 'repaired'; readonly repair: StoreRepair }
  | {
      readonly kind: 'failed'
      readonly message: string
      /** Of an error of the store. */
      readonly reason?: string
      readonly remedy?: string
    }

/** A process of its own for a repair: damaged files may take the one that reads them down. */
answerSupervisor(async (asked, at): Promise<RepairAnswer> => {
  const { config, intent, givenUp } = asked as RepairRequest
  try {
    const openModel = async () => modelOf(config, (await readGuards(config)).guard.fetch('user'))
    const repair = await repairHere(config, { intent }, { openModel, givenUp, onTable: at })
    return { kind: 'repaired', repair }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (!RemedyError.isInstance(error)) return { kind: 'failed', message }
    const reason = error instanceof StoreError ? { reason: error.reason } : {}
    return { kind: 'failed', message, remedy: error.remedy, ...reason }
  }
})
