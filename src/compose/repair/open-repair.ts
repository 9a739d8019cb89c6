import { freemem, totalmem } from 'node:os'
import { RemedyError } from '../../domain/remedy-error.ts'
import { StoreError } from '../../adapters/lancedb/store-location.ts'
import { supervise } from '../../adapters/processes/supervise.ts'
import type { RepairOptions, StoreRepair } from '../../store/diagnosis.ts'
import type { Config } from '../../config.ts'
import { repairHere } from './repair-here.ts'
import type { RepairAnswer, RepairRequest } from './repair-process.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'

/** A table is read in seconds, some rows at a time, and cards are embedded so: what says nothing for so long hangs. */
const silenceMs = 120_000

/** Processes that may end before the repair is given up: more than there are tables. */
const mostProcesses = 12

const isSource = import.meta.url.endsWith('.ts')
const entry = new URL('./repair-process.js', import.meta.url)

/**
 * Opens the repair of a store and of the files that probes keep beside it. It is done in a process of its own: when that one ends or
 * hangs at a table, the next one passes that table over, as one of which nothing can be read.
 */
export function openRepair(
  config: Config,
  openModel: () => Promise<EmbeddingModel | null>,
): (options: RepairOptions) => Promise<StoreRepair> {
  // Tests run the sources, which Node.js does not read by itself.
  if (isSource)
    return (options) => repairHere(config, options, { openModel, givenUp: {}, onTable: () => undefined })
  return async ({ intent, signal }) => {
    const givenUp: { [table: string]: string } = {}
    for (let turn = 1; ; turn += 1) {
      const request: RepairRequest = { config, intent, givenUp }
      const mostBytes = Math.max(freemem(), totalmem() / 2)
      const ended = await supervise({ entry, request, silenceMs, mostBytes, ...(signal ? { signal } : {}) })
      if (ended.kind === 'answered') return repairOf(ended.answer as RepairAnswer)
      const { at, why } = ended
      if (at === null || at in givenUp || turn === mostProcesses) throw cannotGoOn(config.home, at, why)
      givenUp[at] = `reading it ended the process that tried: ${why}`
    }
  }
}

function repairOf(answer: RepairAnswer): StoreRepair {
  if (answer.kind === 'repaired') return answer.repair
  const { message, reason, remedy } = answer
  if (remedy === undefined) throw new Error(message)
  throw reason === undefined ? new RemedyError(message, remedy) : new StoreError(message, remedy, { reason })
}

const cannotGoOn = (home: string, at: string | null, why: string): StoreError => {
  const where = at === null ? 'as it began' : `at the table "${at}"`
  const reason = `its repair ended ${where}: ${why}`
  return new StoreError(
    `The store in ${home} was not mended: ${reason}. Nothing was changed.`,
    'Move that folder away, and run `audition index` to make the store anew.',
    { reason },
  )
}
