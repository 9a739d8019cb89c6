import type { RuntimeKind } from '../../../probing/runtime-kind.ts'
import type { ModelSurroundings } from './configured-agent.ts'

/** Capability profiles that name a model. */
export const profileRuntime: RuntimeKind<ModelSurroundings, 'profile'> = {
  kind: 'profile',
  name: 'profile',
  permit: 'profile',
  permitNames: '<file>',
  accepts: (card) => card.kind === 'agent' && card.runtime?.kind === 'profile' && card.backbone !== null,
  text: ({ file }) => `capability profile ${file}`,
  use: () => 'run its YAML',
  call: ({ file }, { location }) => ({ via: 'profile', file: location(file) }),
  share: (runtime, { location }) => ({ ...runtime, file: location(runtime.file) }),
  open: async (surroundings) => (await import('./profile-executor.ts')).profileExecutor(surroundings),
}
