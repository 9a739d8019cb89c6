import { skillFiles } from '../../../catalog/agent-files.ts'
import type { AgentCard, Card } from '../../../domain/card.ts'
import { RemedyError } from '../../../domain/remedy-error.ts'
import { RuntimeError } from '../../../probing/ports.ts'
import { assertUsable } from '../../../probing/run/plan-launch.ts'
import type { CardRunner } from '../../../probing/runtime-kind.ts'
import { requireSameLaunch } from '../../../probing/settings/grants.ts'
import { textPart } from '../../../trust/launches/bound-launch.ts'
import { defaultContainment } from '../../processes/sandbox/sandbox.ts'
import {
  executeInClaude,
  findClaude,
  launchOfClaude,
  secretsOfClaude,
  skillArguments,
} from './claude-command.ts'
import type { SubagentSurroundings } from './subagent-executor.ts'

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
