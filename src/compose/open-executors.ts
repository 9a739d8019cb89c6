import type { PinnedCatalog } from '../trust/review/known-servers.ts'
import type { Config } from '../config.ts'
import type { Card } from '../domain/card.ts'
import { guardsOf, hostUserOf } from './open-guards.ts'
import { packageVersion } from '../package-version.ts'
import { namesHost } from '../probing/settings/allow-list.ts'
import type { Executor } from '../probing/ports.ts'
import type { Settings } from '../probing/settings/settings.ts'

/**
 * Every way to run a card. The code of each is loaded when a card of its sort is planned or run, and not before.
 *
 * @param pinned - what servers may say to models
 */
export function executorsFor(
  config: Config,
  catalogFolder: string,
  settings: Settings,
  pinned: PinnedCatalog,
): readonly Executor[] {
  const { environment, languageModel } = config
  const { prices, subagents } = settings
  const version = packageVersion()
  const isNamed = (permit: string): boolean => namesHost(settings.allow, permit)
  const outside = { ...guardsOf(config, settings), environment, version }
  const onModels = { ...outside, languageModel, prices, catalogFolder, pinned }
  return [
    loaded(
      'command',
      (card) => card.kind === 'agent' && card.runtime?.kind === 'profile' && card.backbone === null,
      async () => {
        const { commandExecutor } = await import('../adapters/command/command-executor.ts')
        return commandExecutor({ ...outside, catalogFolder })
      },
    ),
    loaded(
      'profile',
      (card) => card.kind === 'agent' && card.runtime?.kind === 'profile' && card.backbone !== null,
      async () => {
        const { profileExecutor } = await import('../adapters/ai-sdk/agents/profile-executor.ts')
        return profileExecutor(onModels)
      },
    ),
    loaded(
      'claude-subagent',
      (card) => card.kind === 'agent' && card.runtime?.kind === 'claude-subagent',
      async () => {
        const { subagentExecutor } = await import('../adapters/ai-sdk/agents/subagent-executor.ts')
        return subagentExecutor({ ...onModels, runner: subagents })
      },
    ),
    loaded(
      'openai-chat',
      (card) => card.kind === 'agent' && card.runtime?.kind === 'openai-chat',
      async () => {
        const { chatExecutor } = await import('../adapters/ai-sdk/agents/chat-executor.ts')
        return chatExecutor({ ...outside, catalogFolder, isNamed, pinned })
      },
    ),
    loaded(
      'mcp-tool',
      (card) => card.kind === 'tool' && card.runtime?.kind === 'mcp',
      async () => {
        const { mcpToolExecutor } = await import('../adapters/mcp-client/mcp-tool-executor.ts')
        return mcpToolExecutor({ ...outside, catalogFolder, user: hostUserOf(config) })
      },
    ),
    loaded(
      'a2a',
      (card) => card.runtime?.kind === 'a2a',
      async () => {
        const { a2aExecutor } = await import('../adapters/a2a/a2a-executor.ts')
        return a2aExecutor({ ...outside, isNamed })
      },
    ),
  ]
}

/** An executor that is loaded at its first use. */
function loaded(name: string, accepts: (card: Card) => boolean, load: () => Promise<Executor>): Executor {
  let opened: Promise<Executor> | undefined
  const open = (): Promise<Executor> => {
    opened ??= load()
    return opened
  }
  return {
    name,
    accepts,
    secretsOf: async (card) => (await (await open()).secretsOf?.(card)) ?? [],
    plan: async (card) => (await open()).plan(card),
    execute: async (card, task, options) => (await open()).execute(card, task, options),
  }
}
