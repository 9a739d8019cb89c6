import { maskedJson } from '../../domain/text/masked-json.ts'
import { printable } from '../../domain/text/printable.ts'
import { maskSecrets, maskValues } from '../../domain/text/secrets.ts'
import { assertUsable } from '../../probing/run/assert-usable.ts'
import { requireSameLaunch } from '../../probing/settings/grants.ts'
import { type OpenTranscript, openTranscript } from '../../probing/record/open-transcript.ts'
import type { Execution, ExecutionLimits, Executor, Task } from '../../probing/ports.ts'
import { type Containment, defaultContainment, describeContainment } from '../processes/containment.ts'
import type { Environment } from '../processes/expand-variables.ts'
import type { KnownValues } from '../processes/launch-secrets.ts'
import { removeScratch, scratchFolder } from '../processes/scratch-folder.ts'
import { profileCommand } from './profile-command.ts'
import { limitOf, type ProgramRun, runProgram, stoppedEnd } from './run-program.ts'
import { spokenAnswer } from './spoken-answer.ts'

/** What commands are run with. */
type CommandExecutorOptions = {
  /** Absolute folder of the bundled catalog: the value of `${AUDITION_CATALOG}`. */
  readonly catalogFolder: string
  /** Where variables are looked up; of it a command sees only what any program needs, and what its profile names. */
  readonly environment: Environment
  /** What holds commands. @defaultValue no sandbox, the usual limits */
  readonly containment?: Containment
}

/** Characters of a failed command's stdout that the transcript keeps. */
const mostQuoted = 2_000

/**
 * Runs capability profiles that are a command: `{"task": "...", "arguments": {...}}` as one line on stdin, the answer on
 * stdout as text or as `{"answer": "...", "structured": ...}`. Exit code 0 with an answer is an answer; anything else is none.
 */
export function commandExecutor(options: CommandExecutorOptions): Executor {
  const { containment = defaultContainment } = options
  return {
    name: 'command',
    accepts: (card) => card.kind === 'agent' && card.runtime?.kind === 'profile' && card.backbone === null,
    async plan(card) {
      const { launch } = profileCommand(card, options)
      const own = holding(containment, launch.permit)
      await assertUsable(own)
      return { ...launch, within: describeContainment(own, launch.permit) }
    },
    async execute(card, task, { limits, signal, onEvent, launch: allowed }) {
      const { start, launch, known, needsFolder } = profileCommand(card, options)
      requireSameLaunch(allowed, launch)
      const own = holding(containment, launch.permit)
      await assertUsable(own)
      const transcript = openTranscript(onEvent)
      if (signal.aborted) return executionOf(transcript, notRun, { limits, known })
      transcript.add({ kind: 'status', text: `started ${launch.display}` })
      const bounds = { seconds: limits.seconds, bytes: limits.outputBytes }
      const held = { containment: own, permit: launch.permit }
      if (needsFolder) {
        const run = await runProgram(start, inputOf(task), bounds, signal, held)
        return executionOf(transcript, run, { limits, known })
      }
      const scratch = await scratchFolder()
      try {
        const inScratch = { ...start, cwd: scratch }
        const run = await runProgram(inScratch, inputOf(task), bounds, signal, { ...held, scratch })
        return executionOf(transcript, run, { limits, known })
      } finally {
        await removeScratch(scratch)
      }
    },
  }
}

const holding = (containment: Containment, permit: string): Containment =>
  containment.of?.(permit) ?? containment

const inputOf = ({ text, arguments: given }: Task): string =>
  `${JSON.stringify({ task: text, ...(given === undefined ? {} : { arguments: given }) })}\n`

const notRun: ProgramRun = {
  end: { kind: 'cancelled' },
  stdout: Buffer.alloc(0),
  stderr: { push: () => {}, masked: () => '' },
  bytes: 0,
}

function executionOf(
  transcript: OpenTranscript,
  run: ProgramRun,
  { limits, known }: { readonly limits: ExecutionLimits; readonly known: KnownValues },
): Execution {
  const log = run.stderr.masked(known.inErrors)
  if (log !== '') transcript.add({ kind: 'log', text: log })
  const result = resultOf(run, limits, known)
  if (result.said !== undefined) transcript.add({ kind: 'message', text: result.said })
  if (result.note !== undefined) transcript.add({ kind: 'status', text: result.note })
  const { ending, answer, structured, failure } = result
  return {
    ending,
    answer: answer ?? '',
    ...(structured === undefined ? {} : { structured }),
    failure: failure === null || log === '' ? failure : `${failure}. Its stderr ends with:\n${log}`,
    transcript: transcript.events,
    seconds: transcript.elapsed(),
    outputBytes: run.bytes,
    tokens: null,
    cost: null,
  }
}

type Result = Pick<Execution, 'ending' | 'failure' | 'structured'> & {
  readonly answer?: string
  /** What it printed although it failed. */
  readonly said?: string
  readonly note?: string
}

const resultOf = ({ end, stdout }: ProgramRun, limits: ExecutionLimits, known: KnownValues): Result =>
  end.kind === 'exited' ? exitResult(end, stdout, known) : stoppedEnd(end, limits)

function exitResult(
  { code, signal }: { readonly code: number | null; readonly signal: NodeJS.Signals | null },
  stdout: Buffer,
  known: KnownValues,
): Result {
  if (code !== 0) {
    const limit = limitOf({ code, signal })
    const failure = limit ?? (signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`)
    const said = maskSecrets(printable(stdout.toString('utf8')), known.inErrors).trim()
    return {
      ending: limit === undefined ? 'failed' : 'limit',
      failure,
      ...(said === '' ? {} : { said: shortened(said) }),
    }
  }
  const spoken = spokenAnswer(stdout)
  if (spoken.kind === 'none') return { ending: 'failed', failure: spoken.why }
  const mask = (text: string) => maskValues(text, known.inAnswers)
  return {
    ending: 'answered',
    failure: null,
    answer: mask(spoken.text),
    ...(spoken.structured === undefined ? {} : { structured: maskedJson(spoken.structured, mask) }),
    ...(spoken.note === undefined ? {} : { note: spoken.note }),
  }
}

const shortened = (text: string): string =>
  text.length <= mostQuoted ? text : `${text.slice(0, mostQuoted)}…`
