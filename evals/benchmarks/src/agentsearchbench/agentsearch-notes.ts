import { counted, type JudgedQuery } from '../../../../src/evaluation/datasets/dataset.ts'
import type { AgentTask } from './agentsearch-tasks.ts'

/** A task, and the query made of it; undefined when it cannot be measured. */
type JudgedTask = { readonly task: AgentTask; readonly query: JudgedQuery | undefined }

/**
 * What a reader should know of the judgements before comparing figures.
 *
 * @param known - ids of all cards
 */
export function judgementNotes(
  judged: readonly JudgedTask[],
  known: ReadonlySet<string>,
  hasDocuments: boolean,
  values: ReadonlyMap<string, string>,
): readonly string[] {
  const queries = judged.flatMap(({ query }) => query ?? [])
  const rerank = values.get('protocol') === 'rerank' ? judged.filter(({ query }) => query !== undefined) : []
  const asked = values.get('discount')
  const contradicting = judged.filter(
    ({ task }) =>
      task.labels !== undefined &&
      [...(task.ranking ?? [])].some(([agent, grade]) => grade > 0 && !task.labels?.has(agent)),
  )
  return [
    ...(hasDocuments
      ? []
      : ['There are no documents of the agents: only their ids are searched, and no text can find them.']),
    ...counted(
      judged.length - queries.length,
      'task was left out: no agent solved it, or its grades are not published.',
      'tasks were left out: no agent solved them, or their grades are not published.',
    ),
    ...counted(
      queries.filter(({ needs }) => needs?.length === 0 || needs?.some((need) => need.length === 0)).length,
      'task has a subtask that nobody solved, or whose solvers are not published: Completeness passes over it.',
      'tasks have a subtask that nobody solved, or whose solvers are not published: Completeness passes over them.',
    ),
    ...counted(
      contradicting.length,
      'task grades an agent for reranking that its labels do not call relevant; both are kept as published.',
      'tasks grade agents for reranking that their labels do not call relevant; both are kept as published.',
    ),
    ...counted(
      asked === 'published' ? 0 : rerank.filter(({ task }) => task.scores === undefined).length,
      `task has no judged scores: its published grades stand in place of the discount "${asked}".`,
      `tasks have no judged scores: their published grades stand in place of the discount "${asked}".`,
    ),
    ...counted(
      rerank.filter(
        ({ task }) =>
          task.scores !== undefined &&
          task.documented === undefined &&
          (task.ranking === undefined || asked !== 'published'),
      ).length,
      'task does not say which success is documented: nothing is discounted.',
      'tasks do not say which success is documented: nothing is discounted.',
    ),
    ...counted(
      new Set(queries.flatMap(({ grades }) => [...grades.keys()]).filter((id) => !known.has(id))).size,
      'judged agent has no document and cannot be found.',
      'judged agents have no document and cannot be found.',
    ),
  ]
}
