import type { Grades } from '../../../../src/domain/ranking.ts'
import type { AgentTask, ByAgent } from './agentsearch-tasks.ts'

/** The score from which a response counts as solved. */
const solvedFrom = 4
/** Agents that are reranked for one task. */
const poolSize = 20

/**
 * How grades for reranking are made: as published; or from the judged scores, an undocumented success losing half a
 * subtask (as the benchmark's code does it), half its grade (as its paper words it), or nothing.
 */
export type Discount = 'published' | 'subtract' | 'halve' | 'none'

/** What a task's reranking is measured by: the agents to order, and how good they are. */
type Reranking = { readonly pool: readonly string[]; readonly grades: ByAgent }

/** Agents that solved a task, or some part of it; by label where the scores are not published. */
export function relevantAgents({ scores, subtaskLabels, labels }: AgentTask): ReadonlySet<string> {
  const lists = scores?.map(solvers) ?? subtaskLabels?.map(labelled) ?? [labelled(labels ?? new Map())]
  return new Set(lists.flat())
}

/**
 * For Completeness: one list of agents per subtask, empty when nobody solved it.
 *
 * @param solversOf - agents that solved the single task of this text; subtasks are single tasks, and inherit their runs
 * @returns no list at all when it is not published who solved which subtask
 */
export function subtaskNeeds(
  task: AgentTask,
  solversOf: (text: string) => readonly string[] | undefined,
): readonly (readonly string[])[] {
  if (task.scores !== undefined) return task.scores.map(solvers)
  if (task.subtaskLabels !== undefined) return task.subtaskLabels.map(labelled)
  if (task.subtasks.length === 0) return [[...relevantAgents(task)]]
  const found = task.subtasks.map(solversOf)
  return found.every((agents) => agents !== undefined) ? found : []
}

/**
 * The judged agents with the highest grades, at most 20, and their grades: subtasks solved, less the discount.
 *
 * @returns undefined when neither grades nor scores are published
 * @see AgentSearchBench, 2026: the published grades subtract 0.5 from counts, where the paper speaks of discounting
 */
export function reranking(task: AgentTask, discount: Discount): Reranking | undefined {
  const published = task.ranking
  if (published !== undefined && (discount === 'published' || task.scores === undefined)) {
    return { pool: [...published.keys()], grades: published }
  }
  if (task.scores === undefined) return undefined
  const counts = new Map<string, number>()
  for (const scores of task.scores) {
    for (const [agent, score] of scores) {
      counts.set(agent, (counts.get(agent) ?? 0) + (score >= solvedFrom ? 1 : 0))
    }
  }
  // Best first by what was solved, cut, discounted, and put in order again: the benchmark's own two steps.
  const best = [...counts].sort(([, a], [, b]) => b - a).slice(0, poolSize)
  const graded = best.map(([agent, count]): [string, number] => {
    // An agent that the consistency judge did not see counts as undocumented, as in the benchmark's code.
    const isDocumented = task.documented === undefined || (task.documented.get(agent) ?? 0) !== 0
    return [agent, isDocumented ? count : discounted(count, discount)]
  })
  graded.sort(([, a], [, b]) => b - a)
  return { pool: graded.map(([agent]) => agent), grades: new Map(graded) }
}

const discounted = (count: number, discount: Discount): number => {
  if (discount === 'halve') return count / 2
  return discount === 'none' ? count : Math.max(0, count - 0.5)
}

/** Steps by which published grades may differ: whole, half, thirds of a share … */
const scales = [1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 30, 60, 100, 1000]

/**
 * Grades as whole numbers, multiplied by the smallest factor that makes them so. nDCG does not change: its gain is the
 * grade itself, and the factor cancels.
 */
export function wholeGrades(values: ByAgent): Grades {
  const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 1e-6 * Math.max(1, Math.abs(value))
  const scale =
    scales.find((factor) => [...values.values()].every((value) => isWhole(value * factor))) ?? 1000
  return new Map([...values].map(([agent, value]) => [agent, Math.max(0, Math.round(value * scale))]))
}

const solvers = (scores: ByAgent): readonly string[] =>
  [...scores].filter(([, score]) => score >= solvedFrom).map(([agent]) => agent)

const labelled = (labels: ByAgent): readonly string[] =>
  [...labels].filter(([, label]) => label > 0).map(([agent]) => agent)
