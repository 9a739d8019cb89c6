import { join } from 'node:path'
import type { RepairSurroundings } from '../../adapters/lancedb/repair/examine-store.ts'
import { repairStore } from '../../adapters/lancedb/repair/repair-store.ts'
import { simulatedTable } from '../../adapters/lancedb/schemas.ts'
import { isFolderThere } from '../../adapters/lancedb/store-location.ts'
import { type Config, isAddress } from '../../config.ts'
import { keptFileSteps, lookThroughKeptFiles, mendKeptFiles } from '../../probing/record/repair-kept-files.ts'
import type { RepairOptions, StoreRepair } from '../../store/diagnosis.ts'

/** How a repair goes on. */
type RepairWay = Pick<RepairSurroundings, 'openModel' | 'givenUp' | 'onTable'>

/** Looks through a store and the files that probes keep beside it, and mends them, in this process. */
export async function repairHere(
  config: Config,
  options: RepairOptions,
  way: RepairWay,
): Promise<StoreRepair> {
  const folder = isAddress(config.home) ? config.cache : config.home
  const now = new Date()
  // Throws where it cannot be looked into: nothing beside the store is damaged then.
  if (!isAddress(config.home)) isFolderThere(config.home)
  const executed = await lookThroughKeptFiles(
    { transcripts: join(folder, 'transcripts'), probes: join(folder, 'probes.json') },
    now.getTime(),
  )
  const simulated = await lookThroughKeptFiles(
    { transcripts: join(folder, 'simulated', 'transcripts') },
    now.getTime(),
  )
  const repair = await repairStore(config.home, options, {
    ...way,
    outcomesElsewhere: async (table) => (table === simulatedTable ? simulated : executed).outcomes,
    now,
  })
  const kept = {
    damaged: [...executed.damaged, ...simulated.damaged],
    drafts: [...executed.drafts, ...simulated.drafts],
  }
  const steps = [...repair.steps, ...keptFileSteps(kept)]
  if (options.intent === 'look' || kept.damaged.length + kept.drafts.length === 0) return { ...repair, steps }
  const away = repair.damagedFolder ?? join(folder, `damaged-${now.toISOString().replaceAll(':', '-')}`)
  await mendKeptFiles(kept, away)
  return { ...repair, steps, damagedFolder: kept.damaged.length > 0 ? away : repair.damagedFolder }
}
