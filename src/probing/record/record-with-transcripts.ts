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
    // What is forgotten loses its transcript, also where forgetting ends with an error.
    const forgetTranscripts = async (): Promise<void> => {
      const left = new Set((await record.list(filter)).map(({ id }) => id))
      await transcripts.forget(outcomes.flatMap(({ id }) => (left.has(id) ? [] : [id])))
    }
    const gone = await record.forget(filter).catch(async (error: unknown) => {
      await forgetTranscripts().catch(() => undefined)
      throw error
    })
    await forgetTranscripts()
    return gone
  },
})
