import type { Bounds } from '../../domain/bounds.ts'
import { maskedJson } from '../../domain/text/masked-json.ts'
import { printable, printableLine } from '../../domain/text/printable.ts'
import { maskSecrets, maskValues } from '../../domain/text/secrets.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import { assertUsable } from '../../probing/run/assert-usable.ts'
import type { CardRunner } from '../../probing/runtime-kind.ts'
import { requireSameLaunch } from '../../probing/settings/grants.ts'
import { type OpenTranscript, openTranscript } from '../../probing/record/open-transcript.ts'
import { type Execution, RuntimeError, type Task } from '../../probing/ports.ts'
import { type Containment, defaultContainment, describeContainment } from '../processes/containment.ts'
import type { Environment } from '../processes/expand-variables.ts'
import type { KnownValues } from '../processes/launch-secrets.ts'
import { removeScratch, scratchFolder } from '../processes/scratch-folder.ts'
import { profileCommand } from './profile-command.ts'
import {
  type Holding,
  limitOf,
  programBounds,
  type ProgramRun,
  runProgram,
  unansweredEnd,
} from './run-program.ts'
import { spokenAnswer } from './spoken-answer.ts'

/** What commands are run with. */
export type CommandSurroundings = {
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
export function commandExecutor(options: CommandSurroundings): CardRunner {
  const { containment = defaultContainment } = options
  return {
    secretsOf: async (card) => profileCommand(card, options).known.inAnswers,
    async plan(card) {
      const { launch } = profileCommand(card, options)
      const own = containmentOf(containment, launch.permit)
      const fault = await faultOf(own, card.id)
      return {
        ...launch,
        within: describeContainment(own, launch.permit),
        ...(fault === null ? {} : { fault: { message: fault.message, remedy: fault.remedy } }),
      }
    },
    async execute(card, task, { limits, signal, onEvent, launch: allowed }) {
      const { start, launch, known, needsFolder } = profileCommand(card, options)
      requireSameLaunch(allowed, launch)
      const own = containmentOf(containment, launch.permit)
      const fault = await faultOf(own, card.id)
      if (fault !== null) throw fault
      const transcript = openTranscript(onEvent)
      const hint = sandboxHint(own, launch.permit, card.id)
      const bounds = programBounds(limits, signal)
      const holding: Holding = { bounds, containment: own, permit: launch.permit }
      const scratch = needsFolder || signal.aborted ? undefined : await scratchFolder()
      try {
        if (signal.aborted) return executionOf(transcript, notRun, { bounds, known, hint })
        transcript.add({ kind: 'status', text: `started ${launch.display}` })
        const run = await (scratch === undefined
          ? runProgram(start, inputOf(task), holding)
          : runProgram({ ...start, cwd: scratch }, inputOf(task), { ...holding, scratch }))
        return executionOf(transcript, run, { bounds, known, hint })
      } finally {
        bounds.release()
        if (scratch !== undefined) await removeScratch(scratch)
      }
    },
  }
}

const containmentOf = (containment: Containment, permit: string): Containment =>
  containment.of?.(permit) ?? containment

/**
 * Why the sandbox of a command cannot be used, where its permit names it: then the permit is what to change.
 *
 * @throws RuntimeError when the one for all programs cannot be used
 */
async function faultOf(own: Containment, card: string): Promise<RuntimeError | null> {
  if (own.isOfPermit !== true) {
    await assertUsable(own)
    return null
  }
  const fault = await own.sandbox.fault()
  if (fault === null) return null
  const without = `To start it without a sandbox: \`${allowLine(card)} --no-sandbox\`.`
  const remedy = fault.mend === undefined ? without : `${fault.mend} ${without}`
  return new RuntimeError(fault.message, remedy, { cause: fault })
}

/** What a command that failed in a sandbox may lack, and how to give it that. */
function sandboxHint(own: Containment, permit: string, card: string): string {
  const { sandbox } = own
  if (sandbox.name === 'none') return ''
  const open = own.opening(permit)
  const where = `. It ran in a sandbox (${sandbox.describe(open)}), which may be why`
  if (own.isOfPermit !== true) return `${where}: "sandbox" in settings.yaml says what it may use`
  const network = open.network ? '' : `\`${allowLine(card)} --network\` opens the network, `
  return `${where}: ${network}\`${allowLine(card)} --no-sandbox\` starts it without`
}

const allowLine = (card: string): string =>
  `audition allow ${shellWord(printableLine(card), process.platform)}`

const inputOf = ({ text, arguments: given }: Task): string =>
  `${JSON.stringify({ task: text, ...(given === undefined ? {} : { arguments: given }) })}\n`

const notRun: ProgramRun = {
  end: { kind: 'stopped' },
  stdout: Buffer.alloc(0),
  stderr: { push: () => {}, masked: () => '' },
}

function executionOf(
  transcript: OpenTranscript,
  run: ProgramRun,
  { bounds, known, hint }: { readonly bounds: Bounds; readonly known: KnownValues; readonly hint: string },
): Execution {
  const log = run.stderr.masked(known.inErrors)
  if (log !== '') transcript.add({ kind: 'log', text: log })
  const result = resultOf(run, bounds, known)
  if (result.said !== undefined) transcript.add({ kind: 'message', text: result.said })
  if (result.note !== undefined) transcript.add({ kind: 'status', text: result.note })
  const { ending, answer, structured } = result
  const failure = result.failure !== null && ending === 'failed' ? `${result.failure}${hint}` : result.failure
  return {
    ending,
    answer: answer ?? '',
    ...(structured === undefined ? {} : { structured }),
    failure: failure === null || log === '' ? failure : `${failure}. Its stderr ends with:\n${log}`,
    transcript: transcript.events,
    seconds: transcript.elapsed(),
    outputBytes: bounds.bytes(),
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

const resultOf = ({ end, stdout }: ProgramRun, bounds: Bounds, known: KnownValues): Result =>
  end.kind === 'exited' ? exitResult(end, stdout, known) : unansweredEnd(end, bounds)

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
