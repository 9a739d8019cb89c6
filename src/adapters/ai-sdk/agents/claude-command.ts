import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Environment } from '../../../domain/environment.ts'
import type { AgentFile } from '../../../catalog/agent-files.ts'
import { boundLaunch, type LaunchPart } from '../../../trust/launches/bound-launch.ts'
import { commandParts } from '../../../trust/launches/bound-server.ts'
import { boundedExecution } from '../../../probing/run/bounded-execution.ts'
import type { Execution, ExecutionLimits, Executor, Launch, Task } from '../../../probing/ports.ts'
import { runProgram } from '../../command/run-program.ts'
import { type Containment, describeContainment } from '../../processes/sandbox/sandbox.ts'
import { findProgram } from '../../processes/find-program.ts'
import { resolveLaunch } from '../../processes/resolve-launch.ts'
import { childEnvironment } from '../../processes/expand-variables.ts'
import { removeScratch, scratchFolder } from '../../processes/scratch-folder.ts'
import { answerOf, tellAbsent } from './claude-output.ts'
import { callPolicy } from './policy-settings.ts'
import type { AgentCard } from '../../../domain/card.ts'

/** A sub-agent as its file stands now. */
export type Subagent = Pick<AgentCard, 'name' | 'backbone' | 'policy' | 'tools' | 'servers'> & {
  readonly details?: { readonly [key: string]: string }
  readonly file: string
  readonly instructions: string
}

/** What Claude Code logs in with; nothing else of our environment that could be secret goes to it. */
const ownVariables = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CONFIG_DIR',
]

/**
 * The words after `claude`. The prompt is given as the session's own, since `--agent` is passed over in print mode by some
 * versions. No MCP server is started but those given with it, no session is kept, and what needs a permission is refused.
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
  '-p',
  '--output-format',
  'json',
  '--no-session-persistence',
  '--strict-mcp-config',
  '--permission-mode',
  'dontAsk',
  '--max-turns',
  String(steps),
  ...(cost === null ? [] : ['--max-budget-usd', String(cost)]),
]

/** The same for a skill that lies in the working folder: Claude Code is told to use it, and has of its rights those that the skill itself grants. */
export const skillArguments = (
  name: string,
  limits: Pick<ExecutionLimits, 'steps' | 'cost'>,
): readonly string[] => [
  ...printMode(limits),
  '--allowedTools=Skill',
  `--append-system-prompt=Do the task with the skill ${JSON.stringify(name)}.`,
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
    servers = { needs: [], binds: {} },
  }: {
    readonly permit: string
    readonly file: string
    readonly parts: readonly LaunchPart[]
    /** Permits of the MCP servers that it starts. @defaultValue none */
    readonly servers?: Pick<Launch, 'needs'> & Required<Pick<Launch, 'binds'>>
  },
): Launch {
  const resolved = resolveLaunch({ command: program, args: [], env: {}, cwd: tmpdir() })
  const own = permitOfClaude(program)
  return {
    permit,
    needs: [own, ...servers.needs],
    binds: {
      ...servers.binds,
      [permit]: boundLaunch(file, parts),
      [own]: boundLaunch('claude', commandParts({ command: program, args: [] }, resolved)),
    },
    display: `${file} in ${program}${servers.needs.length === 0 ? '' : `, with ${servers.needs.join(', ')}`}`,
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
    servers = noServers,
    ...claude
  }: ClaudeCode & {
    readonly words: readonly string[]
    /** What lies in its folder. @defaultValue nothing */
    readonly files?: readonly AgentFile[]
    /** Tools that it has not. */
    readonly missing?: readonly string[]
    /** MCP servers that it has. @defaultValue none */
    readonly servers?: AttachedServers
  },
  task: Task,
  { limits, signal, onEvent }: Parameters<Executor['execute']>[2],
): Promise<Execution> {
  const { program, environment, containment } = claude
  const own = ownIn(environment)
  const secrets = [...secretsOfClaude(environment), ...servers.secrets]
  return boundedExecution({ limits, signal, onEvent, secrets }, async (bounds) => {
    bounds.tell({ kind: 'status', text: `started ${program}` })
    if (missing.length > 0)
      bounds.tell({ kind: 'status', text: `tools not attached: ${missing.join(', ')}`, missing })
    const cwd = await scratchFolder()
    // Beside its folder: what servers are started with is not for the agent.
    const beside = servers.allowed.length === 0 ? null : await scratchFolder()
    try {
      for (const { way, text, mode } of files) {
        const path = join(cwd, ...way)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, text, mode === undefined ? {} : { mode })
      }
      const config = beside === null ? null : join(beside, 'mcp.json')
      if (config !== null) await servers.write(config)
      const start = {
        command: program,
        args: [...words, ...(config === null ? [] : wordsOfServers(config, servers))],
        env: childEnvironment(own, environment, process.platform),
        cwd,
      }
      const holding = { bounds, containment, permit: permitOfClaude(program), scratch: cwd }
      const ran = await runProgram(start, task.text, holding)
      tellAbsent(ran, servers.allowed, bounds)
      return answerOf(ran, bounds, secrets)
    } finally {
      await removeScratch(cwd)
      if (beside !== null) await removeScratch(beside)
    }
  })
}

/** MCP servers as Claude Code is given them. */
type AttachedServers = {
  /** Tools that it may call, or servers all of whose tools it may. */
  readonly allowed: readonly string[]
  readonly secrets: readonly string[]
  /** Writes what `--mcp-config` takes. */
  readonly write: (path: string) => Promise<void>
}

const noServers: AttachedServers = { allowed: [], secrets: [], write: async () => {} }

/** All messages are printed, so that the first tells which servers came up and which tools they have. */
const wordsOfServers = (config: string, { allowed }: AttachedServers): readonly string[] => [
  '--verbose',
  `--mcp-config=${config}`,
  `--allowedTools=${allowed.join(',')}`,
]

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
