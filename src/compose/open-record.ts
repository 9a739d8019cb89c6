import { join } from 'node:path'
import { lanceTrackRecord } from '../adapters/lancedb/record/track-record.ts'
import { type Config, isAddress } from '../config.ts'
import { transcriptsIn, recordWithTranscripts } from '../probing/record/transcripts.ts'
import { filesFolder } from './folders.ts'
import type { OpenStore } from './open-store.ts'

/** Where transcripts of probes lie. */
export const transcriptsOf = (config: Config) => transcriptsIn(join(filesFolder(config), 'transcripts'))

/** The track record; forgetting outcomes removes their transcripts. */
export const openRecordOf = (config: Config, { openModel }: OpenStore) =>
  recordWithTranscripts(
    lanceTrackRecord(config.home, {
      embed: openModel,
      ...(isAddress(config.home) && { beside: (line: string) => console.error(`audition: ${line}`) }),
    }),
    transcriptsOf(config),
  )

/** Where transcripts of simulations lie. */
export const simulatedTranscriptsOf = (config: Config) =>
  transcriptsIn(join(filesFolder(config), 'simulated', 'transcripts'))

/** What happened when candidates were run on simulated tools: apart from the track record, so that no ranking knows of it. */
export const openSimulatedRecordOf = (config: Config) =>
  recordWithTranscripts(
    lanceTrackRecord(config.home, { ledger: 'simulated', embed: async () => null }),
    simulatedTranscriptsOf(config),
  )
