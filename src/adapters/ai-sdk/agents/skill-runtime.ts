import type { RuntimeKind } from '../../../probing/runtime-kind.ts'
import type { SubagentSurroundings } from './subagent-executor.ts'

/** Skills, which have no runtime of their own: Claude Code runs them where it is installed. */
export const skillRunner: Pick<
  RuntimeKind<SubagentSurroundings>,
  'name' | 'permit' | 'permitNames' | 'accepts' | 'open'
> = {
  name: 'claude-skill',
  permit: 'skill',
  permitNames: '<file>',
  accepts: ({ provenance, ...card }) =>
    card.kind === 'agent' && card.agentKind === 'skill' && provenance.reader === 'claude-skill',
  open: async (surroundings) => (await import('./skill-executor.ts')).skillExecutor(surroundings),
}
