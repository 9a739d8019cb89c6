import type { Outcome } from '../../../domain/outcome.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { connectTo } from '../connection.ts'
import type { StoreLocation } from '../store-location.ts'
import { lanceTrackRecord } from '../record/track-record.ts'
import type { EnterTable } from './open-damaged.ts'
import { salvageRecord } from './salvage-record.ts'

/** Adds outcomes to the record of a folder, which is made when it is not there. */
export async function addOutcomes(
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
export async function addLateOutcomes(
  location: StoreLocation,
  damagedFolder: string,
  model: EmbeddingModel | null,
  enter: EnterTable,
): Promise<void> {
  const connection = await connectTo(damagedFolder)
  const { outcomes } = await salvageRecord(damagedFolder, connection, enter).finally(() => connection.close())
  await addOutcomes(location, outcomes, model)
}
