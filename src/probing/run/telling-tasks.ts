import type { CandidateReport, TellingTask } from './probe-report.ts'
import { weighProbes } from '../writing/weigh-probes.ts'

/**
 * The tasks that at least two candidates have a grade on, in the order they were asked, by how much they told them apart. A task of
 * low discrimination is not worth asking again.
 */
export function tellingTasks(candidates: readonly CandidateReport[]): readonly TellingTask[] {
  const grades = new Map<string, number[]>()
  for (const { runs } of candidates) {
    for (const { outcome } of runs) {
      const { task, verdict } = outcome
      if (verdict === null || !('grade' in verdict)) continue
      grades.set(task, [...(grades.get(task) ?? []), verdict.grade])
    }
  }
  const shared = [...grades].flatMap(([probe, all]) => (all.length < 2 ? [] : [{ probe, grades: all }]))
  return weighProbes(shared).map(({ probe, variance, discrimination }) => ({
    task: probe,
    variance,
    discrimination,
  }))
}
