import type { JsonValue } from '../../domain/json.ts'
import { maskedJson } from '../../domain/text/masked-json.ts'
import { maskTokens, valueMasker } from '../../domain/text/secrets.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { TrackRecord } from '../ports.ts'
import type { Transcript, Transcripts } from './transcripts.ts'

/** How many of what is kept hold a secret. */
export type HeldSecrets = { readonly outcomes: number; readonly transcripts: number }

/** What is kept of runs. */
export type KeptRuns = {
  readonly record: Pick<TrackRecord, 'list' | 'replace'>
  readonly transcripts: Pick<Transcripts, 'change'>
}

/**
 * Looks through what is kept for secrets that are known now: values of launches, and tokens that show by their shape what they are. What an
 * older Audition kept may hold some.
 *
 * @param write - masks them there; else they are counted
 */
export async function maskKept(
  { record, transcripts }: KeptRuns,
  { secrets, write }: { readonly secrets: readonly string[]; readonly write: boolean },
): Promise<HeldSecrets> {
  const maskKnown = valueMasker(secrets)
  const mask = (text: string): string => maskTokens(maskKnown(text))
  const outcomes = (await record.list()).flatMap((outcome) => {
    const masked = maskedOutcome(outcome, mask)
    return isSame(outcome, masked) ? [] : [masked]
  })
  const changed = await transcripts.change((transcript) => {
    const masked = maskedTranscript(transcript, mask)
    return isSame(transcript, masked) ? null : masked
  }, write)
  if (write) await record.replace(outcomes)
  return { outcomes: outcomes.length, transcripts: changed }
}

/** By which an outcome is known stays as it is. */
function maskedOutcome(outcome: Outcome, mask: (text: string) => string): Outcome {
  const verdict = maskedJson(outcome.verdict as JsonValue, mask) as Outcome['verdict']
  return { ...outcome, task: mask(outcome.task), verdict }
}

const maskedTranscript = (transcript: Transcript, mask: (text: string) => string): Transcript => ({
  ...(maskedJson(transcript as unknown as JsonValue, mask) as unknown as Transcript),
  outcome: maskedOutcome(transcript.outcome, mask),
})

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
