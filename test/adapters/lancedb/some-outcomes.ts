import { randomUUID } from 'node:crypto'
import type { Outcome } from '../../../src/domain/outcome.ts'

/** A successful probe; a test overrides what it is about. */
export const outcomeOf = (parts: Partial<Outcome> = {}): Outcome => ({
  id: randomUUID(),
  card: 'post/send_email',
  cardHash: 'one',
  kind: 'tool',
  task: 'send an email to the team',
  time: '2026-03-01T10:00:00.000Z',
  origin: 'probe',
  executor: 'mcp-tool',
  ending: 'answered',
  verdict: { grade: 5, reason: 'right', judge: 'reference' },
  seconds: 1.5,
  tokens: null,
  cost: null,
  ...parts,
})

/** The verdict of a grade. */
export const graded = (grade: 1 | 2 | 3 | 4 | 5): Outcome['verdict'] => ({
  grade,
  reason: 'because',
  judge: 'reference',
})
