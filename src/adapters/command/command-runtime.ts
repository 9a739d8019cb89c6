import type { RuntimeKind } from '../../probing/runtime-kind.ts'
import type { StartSettings } from '../processes/sandbox/sandbox.ts'

/** Capability profiles that are a command. */
export const commandRuntime: RuntimeKind<StartSettings, 'profile'> = {
  kind: 'profile',
  name: 'command',
  permit: 'command',
  permitNames: '<program>',
  permitWords: { one: 'The program', all: 'Every agent whose command line begins with' },
  takesSandbox: true,
  agentKinds: ['profile'],
  accepts: (card) => card.kind === 'agent' && card.runtime?.kind === 'profile' && card.backbone === null,
  text: ({ file }) => `capability profile ${file}`,
  use: () => 'run by probe_agent', // its command stands in its own file
  call: ({ file }, { location }) => ({ via: 'profile', file: location(file) }),
  share: (runtime, { location }) => ({ ...runtime, file: location(runtime.file) }),
  exported: () =>
    'Its command stands in that file and not here: it runs by its id, with probe_agent or `audition run`.',
  open: async (surroundings) => (await import('./command-executor.ts')).commandExecutor(surroundings),
}
