import type { AgentCard, ToolCard } from '../../src/domain/card.ts'
import * as cards from './fake-audition.ts'
import type { ScoredCard, SearchAnswer, Signals } from '../../src/retrieval/answer.ts'

/** A small tool card; a test overrides what it is about. */
export const toolCard = (parts: Partial<ToolCard> = {}): ToolCard => ({
  ...cards.toolCard('tracker/create_issue'),
  description: 'Creates an issue in a project and returns its number.',
  provenance: { reader: 'mcp', location: '/home/ann/.mcp.json' },
  ...parts,
})

/** A small agent card; a test overrides what it is about. */
export const agentCard = (parts: Partial<AgentCard> = {}): AgentCard => ({
  ...cards.agentCard('agents/lease-reviewer'),
  title: 'Lease reviewer',
  description: 'Reviews leases and lists the risky clauses.',
  provenance: { reader: 'profile-yaml', location: '/home/ann/agents/lease-reviewer.yaml' },
  ...parts,
})

/** Signals of a candidate found by one word. */
export const signalsOf = (parts: Partial<Signals> = {}): Signals => ({
  coverage: 0.5,
  matched: ['issue'],
  facets: [],
  duplicates: [],
  ...parts,
})

/** A candidate with a score. */
export const scored = (
  card: ScoredCard['card'],
  score: number,
  signals: Partial<Signals> = {},
): ScoredCard => ({ card, score, signals: signalsOf(signals) })

/** A good answer with these candidates; a test overrides what it is about. */
export const answerOf = (
  kind: SearchAnswer['kind'],
  candidates: readonly ScoredCard[],
  parts: Partial<SearchAnswer> = {},
): SearchAnswer => ({
  kind,
  candidates,
  match: 'good',
  note: '',
  facets: ['the whole query'],
  searched: 120,
  ranker: 'hybrid',
  generation: 3,
  ...parts,
})
