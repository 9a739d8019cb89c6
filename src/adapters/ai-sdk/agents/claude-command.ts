import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { AgentFile } from '../../../catalog/agent-files.ts'
import { boundLaunch, type LaunchPart } from '../../../trust/launches/bound-launch.ts'
import { commandParts } from '../../../trust/launches/bound-server.ts'
import { printable } from '../../../domain/text/printable.ts'
import { maskSecrets } from '../../../domain/text/secrets.ts'
import {
  AgentFailure,
  type Answer,
  type BoundedRun,
  boundedExecution,
} from '../../../probing/run/bounded-execution.ts'
import {
  type Execution,
  type ExecutionLimits,
  type Executor,
  type Launch,
  RuntimeError,
  type Task,
} from '../../../probing/ports.ts'
import { type ProgramRun, runProgram, unansweredEnd } from '../../command/run-program.ts'
import { type Containment, describeContainment } from '../../processes/containment.ts'
import { findProgram } from '../../processes/find-program.ts'
import { resolveLaunch } from '../../processes/resolve-launch.ts'
import { childEnvironment } from '../../processes/child-environment.ts'
import type { Environment } from '../../processes/expand-variables.ts'
import { removeScratch, scratchFolder } from '../../processes/scratch-folder.ts'
import { callPolicy } from './policy-settings.ts'
import type { AgentCard } from '../../../domain/card.ts'

/** A sub-agent as its file stands now. */
export type Subagent = Pick<AgentCard, 'name' | 'backbone' | 'policy' | 'tools'> & {
  readonly file: string
  readonly instructions: string
}

/** What Claude Code logs in with; nothing else of our environment that could be secret goes to it. */
const ownVariables = [
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'CLAUDE_CODE_OAUTH_TOKEN'],
  'CLAUDE_CONFIG_DIR',
]

/** What is no count is as if it were not told. */
const count = z.int().nonnegative().optional().catch(undefined)

/**
 * What Claude Code prints in print mode with `--output-format json`: one object, or the list of all messages with it last.
 *
 * @see https://code.claude.com/docs/en/headless
 */
const resultSchema = z.looseObject({
  type: z.literal('result'),
  subtype: z.string().optional(),
  is_error: z.boolean().optional(),
  result: z.string().optional(),
  num_turns: z.number().optional(),
  total_cost_usd: z.number().nonnegative().optional(),
  usage: z
    .looseObject({
      input_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
      output_tokens: count,
    })
    .optional(),
})
type ClaudeResult = z.output<typeof resultSchema>

/**
 * The words after `claude`. The prompt is given as the session's own, since `--agent` is passed over in print mode by some
 * versions. No MCP server of the user is started, no session is kept, and what needs a permission is refused.
 */
export function claudeArguments(
  { instructions, tools, backbone, policy }: Omit<Subagent, 'file' | 'name'>,
  limits: Pick<ExecutionLimits, 'steps' | 'cost'>,
): readonly string[] {
  const { steps = limits.steps } = callPolicy(policy, '')
  const named = tools.filter(({ name }) => !name.startsWith('mcp__'))
  const builtIn = [...new Set(named.map(({ name }) => name.replace(/\(.*/s, '')))] // `Bash(git log:*)` is the tool Bash
  return [
    ...printMode({ ...limits, steps: Math.min(limits.steps, steps) }),
    ...(instructions === '' ? [] : [`--system-prompt=${instructions}`]),
    ...(builtIn.length === 0 ? [] : [`--tools=${builtIn.join(',')}`]),
    ...(backbone === null ? [] : [`--model=${backbone.id ?? backbone.name}`]),
  ]
}

/** Words that every run has. */
const printMode = ({ steps, cost }: Pick<ExecutionLimits, 'steps' | 'cost'>): readonly string[] => [
  ...['-p', '--output-format', 'json', '--no-session-persistence', '--strict-mcp-config'],
  ...['--permission-mode', 'dontAsk', '--max-turns', String(steps)],
  ...(cost === null ? [] : ['--max-budget-usd', String(cost)]),
]

/** The same for a skill that lies in the working folder: Claude Code is told to use it, and has of its rights those that the skill itself grants. */
export const skillArguments = (
  name: string,
  limits: Pick<ExecutionLimits, 'steps' | 'cost'>,
): readonly string[] => [
  ...printMode(limits),
  ...['--allowedTools=Skill', `--append-system-prompt=Do the task with the skill ${JSON.stringify(name)}.`],
]

/** What the user allows when Claude Code may run. */
const permitOfClaude = (program: string): string => `command:${program}`

/** Claude Code's command, and what it is run with. */
export type ClaudeCode = {
  readonly program: string
  readonly environment: Environment
  readonly containment: Containment
}

/** Where Claude Code is; undefined when it is not on PATH. */
export const findClaude = (environment: Environment): string | undefined =>
  findProgram('claude', childEnvironment({}, environment, process.platform), tmpdir())

/** What running it for an agent's file starts. */
export function launchOfClaude(
  { program, containment }: ClaudeCode,
  {
    permit,
    file,
    parts,
  }: { readonly permit: string; readonly file: string; readonly parts: readonly LaunchPart[] },
): Launch {
  const resolved = resolveLaunch({ command: program, args: [], env: {}, cwd: tmpdir() })
  const own = permitOfClaude(program)
  return {
    permit,
    needs: [own],
    binds: {
      [permit]: boundLaunch(file, parts),
      [own]: boundLaunch('claude', commandParts({ command: program, args: [] }, resolved)),
    },
    display: `${file} in ${program}`,
    host: 'api.anthropic.com',
    within: describeContainment(containment, own),
  }
}

/** Runs Claude Code once, in a folder that is gone afterwards. */
export function executeInClaude(
  {
    words,
    files = [],
    missing = [],
    ...claude
  }: ClaudeCode & {
    readonly words: readonly string[]
    /** What lies in its folder. @defaultValue nothing */
    readonly files?: readonly AgentFile[]
    /** Tools that it has not. */
    readonly missing?: readonly string[]
  },
  task: Task,
  { limits, signal, onEvent }: Parameters<Executor['execute']>[2],
): Promise<Execution> {
  const { program, environment, containment } = claude
  const own = ownIn(environment)
  const secrets = secretsOfClaude(environment)
  return boundedExecution({ limits, signal, onEvent, secrets }, async (bounds) => {
    bounds.tell({ kind: 'status', text: `started ${program}` })
    if (missing.length > 0)
      bounds.tell({ kind: 'status', text: `tools not attached: ${missing.join(', ')}`, missing })
    const cwd = await scratchFolder()
    try {
      for (const { way, text, mode } of files) {
        const path = join(cwd, ...way)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, text, mode === undefined ? {} : { mode })
      }
      const start = {
        command: program,
        args: [...words],
        env: childEnvironment(own, environment, process.platform),
        cwd,
      }
      const holding = { bounds, containment, permit: permitOfClaude(program), scratch: cwd }
      return answerOf(await runProgram(start, task.text, holding), bounds, secrets)
    } finally {
      await removeScratch(cwd)
    }
  })
}

type ClaudeEnd = Pick<Execution, 'ending' | 'failure'> & { readonly answer?: string }

/** @throws AgentFailure when it gave none */
function answerOf(run: ProgramRun, bounds: BoundedRun, secrets: readonly string[]): Answer {
  const log = run.stderr.masked(secrets)
  const result = run.end.kind === 'exited' ? resultIn(run.stdout) : undefined
  const tokens = result === undefined ? null : tokensOf(result)
  if (tokens !== null) bounds.countTokens(tokens.input, tokens.output)
  if (result?.total_cost_usd !== undefined) bounds.countCost(result.total_cost_usd)
  const {
    ending,
    failure,
    answer = '',
  } = result === undefined ? endWithout(run.end, bounds) : endOfResult(result, bounds.limits)
  if (log !== '') bounds.tell({ kind: 'log', text: log })
  if (failure !== null) throw new AgentFailure(maskSecrets(printable(failure), secrets), ending)
  const text = printable(answer)
  bounds.tell({ kind: 'message', text })
  return { text }
}

function endWithout(end: ProgramRun['end'], bounds: BoundedRun): ClaudeEnd {
  const { ending, failure } = unansweredEnd(end, bounds)
  const isExit = end.kind === 'exited' && ending === 'failed'
  return { ending, failure: isExit ? `${failure}, and gave no result` : failure }
}

function endOfResult(result: ClaudeResult, { steps, tokens }: ExecutionLimits): ClaudeEnd {
  const limit = (failure: string): ClaudeEnd => ({ ending: 'limit', failure })
  const failed = (failure: string): ClaudeEnd => ({ ending: 'failed', failure })
  const said = result.result?.trim() ?? ''
  const used = tokensOf(result)
  if (result.subtype === 'error_max_turns') {
    return limit(`it was not done after ${result.num_turns ?? steps} turns`)
  }
  if (result.subtype === 'error_max_budget_usd') return limit('it cost more than its limit')
  if (tokens !== null && used !== null && used.input + used.output > tokens) {
    return limit(`it used more than ${tokens.toLocaleString('en')} tokens`)
  }
  if (result.is_error === true) {
    if (/\/login\b|invalid api key/i.test(said)) throw notLoggedIn()
    return failed(said || `it failed (${result.subtype ?? 'no reason given'})`)
  }
  return said === '' ? failed('it answered nothing') : { ending: 'answered', failure: null, answer: said }
}

const notLoggedIn = (): RuntimeError =>
  new RuntimeError('Claude Code is not logged in', 'Run `claude` once and log in, or set ANTHROPIC_API_KEY.')

function resultIn(stdout: Buffer): ClaudeResult | undefined {
  try {
    const printed: unknown = JSON.parse(stdout.toString('utf8'))
    const last: unknown = Array.isArray(printed) ? printed.at(-1) : printed
    const read = resultSchema.safeParse(last)
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}

/** What the cache held was read by the model too. */
function tokensOf({ usage }: ClaudeResult): Execution['tokens'] {
  if (usage === undefined) return null
  const { input_tokens = 0, cache_creation_input_tokens = 0, cache_read_input_tokens = 0 } = usage
  return {
    input: input_tokens + cache_creation_input_tokens + cache_read_input_tokens,
    output: usage.output_tokens ?? 0,
  }
}

/** The variables that Claude Code is given of its own. */
const ownIn = (environment: Environment): { readonly [name: string]: string } =>
  Object.fromEntries(
    ownVariables.flatMap((name): [string, string][] => {
      const value = environment[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )

export const secretsOfClaude = (environment: Environment): readonly string[] =>
  Object.entries(ownIn(environment)).flatMap(([name, value]) => (/KEY|TOKEN/.test(name) ? [value] : []))
