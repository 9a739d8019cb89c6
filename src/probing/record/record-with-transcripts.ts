import type { TrackRecord } from '../ports.ts'
import type { Transcripts } from './transcripts.ts'

/** A record that takes the transcripts with the outcomes it forgets. */
export const recordWithTranscripts = <Record extends TrackRecord>(
  record: Record,
  transcripts: Pick<Transcripts, 'forget'>,
): Record => ({
  ...record,
  async forget(filter) {
    const outcomes = await record.list(filter)
    const gone = await record.forget(filter)
    await transcripts.forget(outcomes.map(({ id }) => id))
    return gone
  },
})
