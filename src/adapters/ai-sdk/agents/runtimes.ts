import type { RunnerKind, RuntimeKind } from '../../../probing/runtime-kind.ts'
import type { ModelSurroundings } from './configured-agent.ts'
import type { SessionSettings } from './attached-tools.ts'
import type { SubagentSurroundings } from './subagent-executor.ts'

/** Capability profiles that name an address of OpenAI's chat protocol. */
export const chatRuntime: RuntimeKind<SessionSettings, 'openai-chat'> = {
  kind: 'openai-chat',
  name: 'openai-chat',
  permit: 'chat',
  permitNames: '<origin>',
  permitWords: { one: 'The chat service at', all: 'Every chat service at an address that begins with' },
  agentKinds: ['profile'],
  accepts: (card) => card.kind === 'agent' && card.runtime?.kind === 'openai-chat',
  text: ({ file }) => `chat address of the profile ${file}`,
  use: () => 'a chat address that its profile states',
  call: ({ file }, { location }) => ({ via: 'profile', file: location(file) }), // its profile says where
  share: (runtime, { location }) => ({ ...runtime, file: location(runtime.file) }),
  exported: () =>
    'Its chat address stands in that file and not here: it runs by its id, with probe_agent or `audition run`.',
  open: async (surroundings) => (await import('./chat-executor.ts')).chatExecutor(surroundings),
}

/** Capability profiles that name a model. */
export const profileRuntime: RuntimeKind<ModelSurroundings, 'profile'> = {
  kind: 'profile',
  name: 'profile',
  permit: 'profile',
  permitNames: '<file>',
  permitWords: { one: 'The agent of the file', all: 'Every agent whose file begins with' },
  agentKinds: ['profile'],
  accepts: (card) => card.kind === 'agent' && card.runtime?.kind === 'profile' && card.backbone !== null,
  text: ({ file }) => `capability profile ${file}`,
  use: () => 'run its YAML',
  call: ({ file }, { location }) => ({ via: 'profile', file: location(file) }),
  share: (runtime, { location }) => ({ ...runtime, file: location(runtime.file) }),
  open: async (surroundings) => (await import('./profile-executor.ts')).profileExecutor(surroundings),
}

/** Claude Code sub-agents. */
export const subagentRuntime: RuntimeKind<SubagentSurroundings, 'claude-subagent'> = {
  kind: 'claude-subagent',
  name: 'claude-subagent',
  permit: 'subagent',
  permitNames: '<file>',
  permitWords: { one: 'The sub-agent of the file', all: 'Every sub-agent whose file begins with' },
  agentKinds: ['subagent'],
  accepts: (card) => card.kind === 'agent' && card.runtime?.kind === 'claude-subagent',
  text: ({ file }) => `Claude Code sub-agent ${file}`,
  use: () => 'a sub-agent of the host',
  call: ({ kind, file }, { location }) => ({ via: kind, file: location(file) }),
  share: (runtime, { location }) => ({ ...runtime, file: location(runtime.file) }),
  open: async (surroundings) => (await import('./subagent-executor.ts')).subagentExecutor(surroundings),
}

/** Skills, which have no runtime of their own: Claude Code runs them where it is installed. */
export const skillRunner: RunnerKind<SubagentSurroundings> = {
  name: 'claude-skill',
  permit: 'skill',
  permitNames: '<file>',
  permitWords: { one: 'The skill of the file', all: 'Every skill whose file begins with' },
  accepts: ({ provenance, ...card }) =>
    card.kind === 'agent' && card.agentKind === 'skill' && provenance.reader === 'claude-skill',
  open: async (surroundings) => (await import('./subagent-executor.ts')).skillExecutor(surroundings),
}
