import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { cutCounting } from '../../domain/text/cut.ts'
import type { JsonValue } from '../../domain/json.ts'
import { isFile, readable } from '../../domain/paths.ts'
import { parseSealed, sealed } from '../../domain/text/sealed-json.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Execution, TranscriptEvent, TrackRecord } from '../ports.ts'
import { replaceWhole } from '../replace-whole.ts'

/** Everything of one execution, for people who want to know why. Texts are the agent's: data. */
export type Transcript = {
  readonly outcome: Outcome
  /** What was started: the exact line or address, secrets masked. */
  readonly launch: string
  readonly answer: string
  readonly structured?: JsonValue
  readonly failure: string | null
  readonly events: readonly TranscriptEvent[]
  /** Events that were left out of the middle to keep the file small. */
  readonly leftOut: number
}

/** Keeps transcripts, one file each, named by the outcome's id. */
export type Transcripts = {
  keep(outcome: Outcome, launch: string, execution: Execution): Promise<void>
  /** Null when none is kept by this id. @throws Error when the file cannot be read */
  read(id: string): Promise<Transcript | null>
  /** The file of an outcome, whether it is there or not. */
  fileOf(id: string): string
  /**
   * Looks at each that is kept and can be read.
   *
   * @param changed - what is to stand in its place, or null
   * @param write - puts it there
   * @returns how many are to change
   */
  change(changed: (transcript: Transcript) => Transcript | null, write: boolean): Promise<number>
  /** Removes those of these outcomes; ones that are not kept are no error. */
  forget(ids: readonly string[]): Promise<void>
}

/** Bytes a kept transcript takes at most, nearly: texts are cut before events are left out. */
export const transcriptBytes = 256 * 1024
const answerCharacters = 64 * 1024
const textCharacters = 8 * 1024

/** @param folder - absolute; made when the first transcript is kept */
export function transcriptsIn(folder: string): Transcripts {
  const fileOf = (id: string): string => join(folder, `${checkedId(id)}.json`)
  return {
    fileOf,
    async keep(outcome, launch, execution) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await put(fileOf(outcome.id), fitted(outcome, launch, execution))
    },
    async change(changed, write) {
      const files = await readdir(folder).catch(() => [])
      let count = 0
      for (const name of files.filter((one) => outcomeId.test(one.replace(/\.json$/, '')))) {
        const file = join(folder, name)
        const text = isFile(file) ? await readFile(file, 'utf8').catch(() => null) : null
        const other = text === null ? null : changedText(text, file, changed)
        if (other === null) continue
        count += 1
        if (write) await put(file, other)
      }
      return count
    },
    async read(id) {
      if (!outcomeId.test(id)) return null
      try {
        return parseTranscript(await readFile(readable(fileOf(id)), 'utf8'), fileOf(id))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw (error as NodeJS.ErrnoException).code === undefined ? damaged(fileOf(id), error) : error
      }
    },
    async forget(ids) {
      for (const id of ids) if (outcomeId.test(id)) await rm(fileOf(id), { force: true })
    },
  }
}

const put = (file: string, transcript: Transcript): Promise<void> =>
  replaceWhole(file, `${sealed(JSON.stringify(transcript, null, 1))}\n`)

/** Of one that is damaged nothing: `audition doctor` tells of it. */
function changedText(
  text: string,
  file: string,
  changed: (transcript: Transcript) => Transcript | null,
): Transcript | null {
  try {
    return changed(parseTranscript(text, file))
  } catch {
    return null
  }
}

/**
 * A transcript as its file has it.
 *
 * @param file - its name says whose it is
 * @throws Error when it was changed after it was written, or is another outcome's
 */
export function parseTranscript(text: string, file: string): Transcript {
  const transcript = parseSealed(text.trimEnd()) as Transcript
  const { id } = transcript.outcome
  if (id.toLowerCase() !== basename(file, '.json').toLowerCase()) throw new Error(`it is that of ${id}`)
  return transcript
}

const damaged = (file: string, cause: unknown): Error =>
  new Error(
    `The transcript ${file} cannot be read: it is not what was written. Run \`audition doctor --repair\`, which moves it to the damaged files.`,
    { cause },
  )

const outcomeId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Ids of imported outcomes are anybody's; no path is made of one that is no UUID. */
function checkedId(id: string): string {
  if (outcomeId.test(id)) return id.toLowerCase()
  throw new Error(`"${id}" is no UUID, and outcomes are named by UUIDs.`)
}

/** The transcript, cut to size: long texts lose their ends, and then events their middle. */
function fitted(outcome: Outcome, launch: string, execution: Execution): Transcript {
  const { answer, structured, failure } = execution
  const head = {
    outcome,
    launch: cutCounting(launch, textCharacters),
    answer: cutCounting(answer, answerCharacters),
    ...(structured === undefined || bytesOf(structured) > answerCharacters ? {} : { structured }),
    failure: failure === null ? null : cutCounting(failure, textCharacters),
  }
  const events = execution.transcript.map(shortEvent)
  let left = transcriptBytes - bytesOf(head)
  const sizes = events.map(bytesOf)
  const kept = new Set<number>()
  // From both ends inwards: how it began and how it ended tell the most.
  for (let low = 0, high = events.length - 1; low <= high; ) {
    const at = kept.size % 2 === 0 ? low : high
    left -= sizes[at]!
    if (left < 0) break
    kept.add(at)
    if (at === low) low += 1
    else high -= 1
  }
  const shown = events.filter((_, at) => kept.has(at))
  return { ...head, events: shown, leftOut: events.length - shown.length }
}

function shortEvent(event: TranscriptEvent): TranscriptEvent {
  if (event.kind !== 'tool-call') return { ...event, text: cutCounting(event.text, textCharacters) }
  const text = JSON.stringify(event.arguments)
  return text.length <= textCharacters ? event : { ...event, arguments: cutCounting(text, textCharacters) }
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

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
