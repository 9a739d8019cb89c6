import { printable, printableLine } from '../../domain/text/printable.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import { assertUsable } from '../../probing/run/assert-usable.ts'
import {
  AgentFailure,
  type Answer,
  type BoundedRun,
  boundedExecution,
} from '../../probing/run/bounded-execution.ts'
import type { CardRunner } from '../../probing/runtime-kind.ts'
import { requireSameLaunch } from '../../probing/settings/grants.ts'
import { RuntimeError, type Task } from '../../probing/ports.ts'
import { type Containment, defaultContainment, describeContainment } from '../processes/containment.ts'
import type { Environment } from '../processes/expand-variables.ts'
import type { KnownValues } from '../processes/launch-secrets.ts'
import { removeScratch, scratchFolder } from '../processes/scratch-folder.ts'
import { profileCommand } from './profile-command.ts'
import { type ProgramRun, runProgram, unansweredEnd } from './run-program.ts'
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
      const { permit } = launch
      const own = containmentOf(containment, permit)
      const fault = await faultOf(own, card.id)
      if (fault !== null) throw fault
      return boundedExecution({ limits, signal, onEvent, secrets: known.inAnswers }, async (bounds) => {
        const scratch = needsFolder ? undefined : await scratchFolder()
        const held = scratch === undefined ? {} : { scratch }
        try {
          bounds.tell({ kind: 'status', text: `started ${launch.display}` })
          const holding = { bounds, containment: own, permit, ...held }
          const run = await runProgram({ ...start, cwd: scratch ?? start.cwd }, inputOf(task), holding)
          return answerOf(run, bounds, { known, hint: sandboxHint(own, permit, card.id) })
        } finally {
          if (scratch !== undefined) await removeScratch(scratch)
        }
      })
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

/** @throws AgentFailure when it gave none */
function answerOf(
  { end, stdout, stderr }: ProgramRun,
  bounds: BoundedRun,
  { known, hint }: { readonly known: KnownValues; readonly hint: string },
): Answer {
  const log = stderr.masked(known.inErrors)
  if (log !== '') bounds.tell({ kind: 'log', text: log })
  const spoken = end.kind === 'exited' && end.code === 0 ? spokenAnswer(stdout) : undefined
  if (spoken?.kind === 'answer') {
    if (spoken.note !== undefined) bounds.tell({ kind: 'status', text: spoken.note })
    return spoken
  }
  const said = maskSecrets(printable(stdout.toString('utf8')), known.inErrors).trim()
  if (spoken === undefined && said !== '') bounds.tell({ kind: 'message', text: shortened(said) })
  const { ending, failure } =
    spoken === undefined ? unansweredEnd(end, bounds) : { ending: 'failed' as const, failure: spoken.why }
  const why = ending === 'failed' ? `${failure}${hint}` : `${failure}`
  throw new AgentFailure(log === '' ? why : `${why}. Its stderr ends with:\n${log}`, ending)
}

const shortened = (text: string): string =>
  text.length <= mostQuoted ? text : `${text.slice(0, mostQuoted)}…`
