import type { Qrels } from '../../src/domain/ranking.ts'

/** Qrels as trec_eval's files have them: `query iteration candidate grade`; grades below 0 count as 0. */
export function readTrecQrels(lines: readonly string[]): Qrels {
  const queries = new Map<string, Map<string, number>>()
  for (const line of lines) {
    const [query, , id, grade] = line.trim().split(/[ \t]+/)
    if (query === undefined || id === undefined) continue
    const grades = queries.get(query) ?? new Map<string, number>()
    queries.set(query, grades.set(id, Math.max(Number(grade), 0)))
  }
  return queries
}
