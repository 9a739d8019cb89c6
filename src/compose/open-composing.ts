import { agentShortlister } from '../adapters/ai-sdk/judge/agent-shortlister.ts'
import { callableModels } from '../adapters/ai-sdk/models/callable-models.ts'
import { composeAgents } from '../assembling/compose-agents.ts'
import type { ComposingParts } from '../assembling/ports.ts'
import { serverOfTool } from '../assembling/server-of-tool.ts'
import type { Config } from '../config.ts'
import { readSettings } from '../probing/settings/settings-file.ts'
import type { Audition } from './audition.ts'
import { languageModelWith } from './language-models.ts'
import { hostUserOf } from './open-guards.ts'

/** The part of the composition root that puts agents together for a task. */
export function openComposing(
  config: Config,
  {
    search,
    sources,
    modelScores,
  }: Pick<Audition, 'search' | 'sources'> & { readonly modelScores: ComposingParts['modelScores'] },
): Audition['compose'] {
  const user = hostUserOf(config)
  return async (task, options = {}) => {
    const settings = await readSettings(config.settings)
    const languageModel = languageModelWith(config, settings)
    return composeAgents(task, options, {
      search,
      // A server that failed the last time has cards still, and cannot be started.
      servers: async () =>
        (await sources())
          .filter(({ reader, failure }) => reader === 'mcp-server' && failure === undefined)
          .map(({ id }) => id),
      serverOf: (tool) => serverOfTool(tool, user),
      models: callableModels(languageModel, settings.prices),
      modelScores,
      shortlister: languageModel === null ? null : agentShortlister(languageModel),
    })
  }
}
