import type { Ranking } from '../../domain/ranking.ts'
import { type Measure, relevantOf, relevantWithin } from './measure.ts'

/**
 * Whether the first k hold all that the job takes. Without `needs`, every relevant candidate (ToolRet's C@k); with
 * them, one member of each need (AgentSearchBench's COMP@k, where a need is a subtask with the agents that solved it).
 *
 * A need that nothing serves cannot be met. The paper does not say what becomes of such queries; this measure does not
 * apply to them.
 *
 * @see Shi et al., ACL 2025 (ToolRet), section 4; AgentSearchBench, 2026, COMP@K
 */
export const completeness: Measure = {
  name: 'completeness',
  title: 'Completeness',
  explanation: '1 when everything that the job takes stands among the first k, else 0.',
  cutoff: 'optional',
  at(ranking, { grades, needs }, k) {
    if (needs !== undefined) return needs.length > 0 && meetsAll(ranking, needs, k) ? 1 : 0
    const relevant = relevantOf(grades)
    return relevant > 0 && relevantWithin(ranking, grades, k) === relevant ? 1 : 0
  },
  appliesTo: ({ needs }) =>
    needs === undefined || (needs.length > 0 && needs.every((members) => members.length > 0)),
}

function meetsAll(ranking: Ranking, needs: readonly (readonly string[])[], k: number): boolean {
  const end = Math.min(k, ranking.length)
  const top = new Set<string>()
  for (let index = 0; index < end; index += 1) top.add(ranking[index]!.id)
  return needs.every((members) => members.some((id) => top.has(id)))
}
