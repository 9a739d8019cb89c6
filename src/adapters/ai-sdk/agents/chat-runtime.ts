import type { RuntimeKind } from '../../../probing/runtime-kind.ts'
import type { SessionSettings } from './attached-tools.ts'

/** Capability profiles that name an address of OpenAI's chat protocol. */
export const chatRuntime: RuntimeKind<SessionSettings, 'openai-chat'> = {
  kind: 'openai-chat',
  name: 'openai-chat',
  permit: 'chat',
  permitNames: '<origin>',
  accepts: (card) => card.kind === 'agent' && card.runtime?.kind === 'openai-chat',
  text: ({ file }) => `chat address of the profile ${file}`,
  use: () => 'a chat address that its profile states',
  call: ({ file }, { location }) => ({ via: 'profile', file: location(file) }), // its profile says where
  share: (runtime, { location }) => ({ ...runtime, file: location(runtime.file) }),
  exported: () =>
    'Its chat address stands in that file and not here: it runs by its id, with probe_agent or `audition run`.',
  open: async (surroundings) => (await import('./chat-executor.ts')).chatExecutor(surroundings),
}
