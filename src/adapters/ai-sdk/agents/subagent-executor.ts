import { type LaunchPart, boundLaunch, textPart } from '../../../trust/launches/bound-launch.ts'
import { claudeSubagent } from '../../../catalog/readers/claude-subagent.ts'
import type { Card, AgentCard } from '../../../domain/card.ts'
import { assertUsable } from '../../../probing/run/plan-launch.ts'
import type { CardRunner } from '../../../probing/runtime-kind.ts'
import { requireSameLaunch } from '../../../probing/settings/grants.ts'
import { type Executor, type Launch, RuntimeError } from '../../../probing/ports.ts'
import { documentOfCard, fileOfCard } from '../../../probing/run/profile-file.ts'
import { remoteHost } from '../../../probing/run/bounded-fetch.ts'
import { type Containment, defaultContainment } from '../../processes/sandbox/sandbox.ts'
import { type ModelSurroundings, agentParts, configuredAgent } from './configured-agent.ts'
import {
  claudeArguments,
  executeInClaude,
  findClaude,
  launchOfClaude,
  type Subagent,
  secretsOfClaude,
  skillArguments,
} from './claude-command.ts'
import { claudeServersOf, writeClaudeServers } from './claude-servers.ts'
import { permitsOfServers, secretsOfServers } from './profile-servers.ts'
import { type AgentNote, executeModelAgent } from './model-agent.ts'
import { skillFiles } from '../../../catalog/agent-files.ts'
import { RemedyError } from '../../../domain/remedy-error.ts'

/** What sub-agents are run with. */
export type SubagentSurroundings = ModelSurroundings & {
  /**
   * `claude` runs them in Claude Code's own command where that is installed, with the host's tools that they name, in an
   * empty folder; `model` in our loop, without such tools. @defaultValue 'model'
   */
  readonly runner?: 'model' | 'claude'
}

/**
 * Runs Claude Code sub-agents: the file's prompt on the configured model, or in Claude Code itself. What they cannot have
 * (tools of a host, settings, their model) is told in the transcript.
 */
export function subagentExecutor(options: SubagentSurroundings): CardRunner {
  return {
    secretsOf: async (card) => waysFor(card, options).secrets,
    async plan(card) {
      const { launch, containment } = waysFor(card, options)
      if (containment !== undefined) await assertUsable(containment)
      return launch
    },
    async execute(card, task, run) {
      const { containment, execute, launch } = waysFor(card, options)
      requireSameLaunch(run.launch, launch)
      if (containment !== undefined) await assertUsable(containment)
      return execute(task, run)
    },
  }
}

type Way = {
  readonly launch: Launch
  /** Values that must not be kept. */
  readonly secrets: readonly string[]
  /** What holds the process, where there is one. */
  readonly containment?: Containment
  readonly execute: (
    task: Parameters<Executor['execute']>[1],
    run: Parameters<Executor['execute']>[2],
  ) => ReturnType<Executor['execute']>
}

function waysFor(card: Card, options: SubagentSurroundings): Way {
  const subagent = subagentOf(card)
  const { file } = subagent
  const permit = `subagent:${file}`
  const parts = partsOf(subagent, options)
  const { runner = 'model', environment, containment = defaultContainment } = options
  const program = runner === 'claude' ? findClaude(environment) : undefined
  if (program !== undefined) {
    const claude = { program, environment, containment }
    const { servers, allowed, missing } = claudeServersOf(subagent, options)
    const secrets = secretsOfServers(servers, options)
    const write = (path: string) => writeClaudeServers(path, servers, options)
    return {
      launch: launchOfClaude(claude, { permit, file, parts, servers: permitsOfServers(servers, options) }),
      containment,
      secrets: [...secretsOfClaude(environment), ...secrets],
      execute: (task, run) => {
        const words = claudeArguments(subagent, run.limits)
        return executeInClaude({ ...claude, missing, words, servers: { allowed, secrets, write } }, task, run)
      },
    }
  }
  const { agent, spec, url } = configuredAgent(
    {
      id: card.id,
      backbone: subagent.backbone,
      policy: subagent.policy,
      instructions: subagent.instructions,
      wanted: { servers: [], unattached: [] },
      notes: [
        ...(runner === 'claude' ? [{ text: 'the command claude is not on PATH' }] : []),
        toolsNote(subagent),
      ],
    },
    options,
  )
  return {
    launch: {
      permit,
      needs: [`chat:${url.origin}`],
      binds: { [permit]: boundLaunch(file, parts) },
      display: `${subagent.file} on ${spec}`,
      host: remoteHost(url),
    },
    secrets: agent.secrets,
    execute: (task, run) => executeModelAgent(agent, task, run),
  }
}

/** What a file may change of the agent that a person allowed: where it runs, what it may use, its model, what it is told to do. */
const partsOf = (
  { tools, backbone, policy, instructions }: Subagent,
  { runner = 'model' }: Pick<SubagentSurroundings, 'runner'>,
): readonly LaunchPart[] => [
  { name: 'runs in', exact: runner === 'claude' ? 'Claude Code' : 'Audition' },
  {
    name: 'tools',
    exact: JSON.stringify(tools.map(({ name }) => name)),
    shown: tools.length === 0 ? 'every tool of its host' : tools.map(({ name }) => name).join(', '),
  },
  { name: 'model', exact: backbone?.id ?? backbone?.name ?? 'that of its host' },
  ...agentParts({ instructions, policy }),
]

function subagentOf(card: Card): Subagent {
  const file = fileOfCard(card)
  const { cards, problems } = claudeSubagent.read(documentOfCard(file))
  const [draft] = cards
  if (draft?.kind !== 'agent') {
    const [problem] = problems
    throw new RuntimeError(
      `${file}: ${problem?.message ?? 'it is no sub-agent any more'}`,
      problem?.remedy ?? 'Restore the file, or run `audition index` again.',
    )
  }
  if (draft.name !== card.name) {
    throw new RuntimeError(
      `${file} holds the sub-agent "${draft.name}" now, not "${card.name}"`,
      'Run `audition index` on its source again.',
    )
  }
  const { name, backbone, policy, tools, servers, details, instructions = '' } = draft
  return {
    name,
    backbone,
    policy,
    tools,
    instructions,
    file,
    ...(servers === undefined ? {} : { servers }),
    ...(details === undefined ? {} : { details }),
  }
}

function toolsNote({ tools }: Subagent): AgentNote {
  const missing = tools.map(({ name }) => name)
  return missing.length === 0
    ? { text: 'its host would give it every tool; none is offered here', missing: ['every tool of its host'] }
    : { text: `tools of its host, not offered here: ${missing.join(', ')}`, missing }
}

/** Runs skills in Claude Code, in a folder that has the skill and nothing else. */
export function skillExecutor({
  environment,
  containment = defaultContainment,
}: SubagentSurroundings): CardRunner {
  const ready = async (card: Card) => {
    const program = findClaude(environment)
    if (program === undefined)
      throw new RuntimeError(
        'it is a skill, which runs in Claude Code, and the command claude is not on PATH',
        'Install Claude Code, or choose another candidate.',
      )
    const files = filesOf(card as AgentCard)
    const claude = { program, environment, containment }
    const file = card.provenance.location
    const parts = files.map(({ way, text }) => textPart(way.slice(3).join('/'), text))
    const launch = launchOfClaude(claude, { permit: `skill:${file}`, file, parts })
    await assertUsable(containment)
    return { claude, files, launch }
  }
  return {
    secretsOf: async () => secretsOfClaude(environment),
    plan: async (card) => (await ready(card)).launch,
    async execute(card, task, run) {
      const { claude, files, launch } = await ready(card)
      requireSameLaunch(run.launch, launch)
      const words = skillArguments(card.name, run.limits)
      return executeInClaude({ ...claude, words, files }, task, run)
    },
  }
}

/** Its files as Claude Code finds the skills of a project. */
function filesOf(card: AgentCard) {
  try {
    return skillFiles(card).map((file) => ({ ...file, way: ['.claude', 'skills', ...file.way] }))
  } catch (error) {
    if (!RemedyError.isInstance(error)) throw error
    throw new RuntimeError(error.message, error.remedy, { cause: error })
  }
}
