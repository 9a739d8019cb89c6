import { cut } from '../../domain/text/cut.ts'
import { printable, printableLine } from '../../domain/text/printable.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import { assertUsable } from '../../probing/run/plan-launch.ts'
import {
  AgentFailure,
  type Answer,
  boundedExecution,
  type BoundedRun,
} from '../../probing/run/bounded-execution.ts'
import type { CardRunner } from '../../probing/runtime-kind.ts'
import { requireSameLaunch } from '../../probing/settings/grants.ts'
import { RuntimeError, type Task } from '../../probing/ports.ts'
import {
  type Containment,
  defaultContainment,
  describeContainment,
  type StartSettings,
} from '../processes/sandbox/sandbox.ts'
import type { KnownValues } from '../processes/launch-secrets.ts'
import { removeScratch, scratchFolder } from '../processes/scratch-folder.ts'
import { profileCommand } from './profile-command.ts'
import { type ProgramRun, runProgram, unansweredEnd } from './run-program.ts'
import { isJsonObject, type JsonValue } from '../../domain/json.ts'

/** Characters of a failed command's stdout that the transcript keeps. */
const mostQuoted = 2_000

/**
 * Runs capability profiles that are a command: `{"task": "...", "arguments": {...}}` as one line on stdin, the answer on
 * stdout as text or as `{"answer": "...", "structured": ...}`. Exit code 0 with an answer is an answer; anything else is none.
 */
export function commandExecutor(options: StartSettings): CardRunner {
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

const shortened = (text: string): string => cut(text, mostQuoted)

/** What a program printed, understood as an answer. */
type SpokenAnswer =
  | {
      readonly kind: 'answer'
      readonly text: string
      readonly structured?: JsonValue
      readonly note?: string
    }
  | { readonly kind: 'none'; readonly why: string }

/** Share of characters that may be unreadable before the output counts as binary. */
const mostUnreadable = 0.1

/**
 * Reads the answer of a command agent: plain text, or JSON `{"answer": "...", "structured": ...}`. Text is shown as people
 * may see it: without control characters and terminal sequences, white space around it cut off, a few bytes that are no UTF-8 replaced.
 */
export function spokenAnswer(bytes: Buffer): SpokenAnswer {
  if (bytes.includes(0)) return { kind: 'none', why: 'it printed binary data, not text' }
  const decoded = bytes.toString('utf8')
  const unreadable = decoded.split('\ufffd').length - 1
  if (unreadable > decoded.length * mostUnreadable)
    return { kind: 'none', why: 'it printed binary data, not text in UTF-8' }
  const spoken = jsonAnswer(decoded) ?? { text: decoded }
  const text = printable(spoken.text).trim()
  if (text === '') return { kind: 'none', why: 'it printed no answer' }
  return {
    kind: 'answer',
    text,
    ...(spoken.structured === undefined ? {} : { structured: spoken.structured }),
    ...(unreadable > 0 && !bytes.equals(Buffer.from(decoded))
      ? { note: 'its answer holds bytes that are no UTF-8; they were replaced' }
      : {}),
  }
}

/** Any other JSON is a text like all texts, with more fields too: then it is what the task asked for. */
function jsonAnswer(text: string): { readonly text: string; readonly structured?: JsonValue } | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return undefined
    const { answer, structured, ...others } = value
    if (typeof answer !== 'string' || Object.keys(others).length > 0) return undefined
    return { text: answer, ...(structured === undefined ? {} : { structured }) }
  } catch {
    return undefined
  }
}
