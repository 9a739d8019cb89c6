/** What stands before a query and has a place for a task: `Instruct: {task}\nQuery: `, in the spelling of several families. */
const taskPlace = /^(\s*instruct(?:ion)?:[ \t]*)(?:[^\s][^\n]*)?(\n\s*query:[ \t]*)$/i

/**
 * The query as a model wants it that was trained with a task before each query: the instruction stands in the task's place.
 *
 * @param queryPrefix - as the model's repository, its family or the user states it
 * @returns undefined for a model whose prefix has no place for a task
 */
export function instructedQuery(queryPrefix: string, query: string, instruction: string): string | undefined {
  const place = taskPlace.exec(queryPrefix)
  const task = instruction.replace(/\s+/g, ' ').trim()
  return place === null ? undefined : `${place[1]}${task}${place[2]}${query}`
}
