import type { Outcome } from '../../../src/domain/outcome.ts'

/** What somebody brings of a run elsewhere, without a verdict. */
export const importedOutcome = (parts: Pick<Outcome, 'id' | 'card' | 'task'>): Outcome => ({
  cardHash: 'one',
  kind: 'agent',
  time: '2026-03-01T10:00:00.000Z',
  origin: 'imported',
  executor: 'command',
  ending: 'answered',
  verdict: null,
  seconds: 0.1,
  tokens: null,
  cost: null,
  ...parts,
})
