import type { RuntimeKind } from '../../../probing/runtime-kind.ts'
import type { SubagentSurroundings } from './subagent-executor.ts'

/** Claude Code sub-agents. */
export const subagentRuntime: RuntimeKind<SubagentSurroundings, 'claude-subagent'> = {
  kind: 'claude-subagent',
  name: 'claude-subagent',
  permit: 'subagent',
  permitNames: '<file>',
  accepts: (card) => card.kind === 'agent' && card.runtime?.kind === 'claude-subagent',
  text: ({ file }) => `Claude Code sub-agent ${file}`,
  use: () => 'a sub-agent of the host',
  call: ({ kind, file }, { location }) => ({ via: kind, file: location(file) }),
  share: (runtime, { location }) => ({ ...runtime, file: location(runtime.file) }),
  open: async (surroundings) => (await import('./subagent-executor.ts')).subagentExecutor(surroundings),
}
