import { clausesAsWritten } from '../retrieval/glossary/clauses-as-written.ts'
import { shownStep, splitRequest } from '../retrieval/query/facets.ts'
import type { SearchAnswer } from '../retrieval/answer.ts'
import type { ComposingParts } from './ports.ts'
import type { FoundTools } from './tool-evidence.ts'

/** Candidates of a search: of the whole task, and of each step. */
const depths = { whole: 30, step: 15 }

/** Searches for the whole task, and for each of its steps where it has several. */
export async function findTools(
  task: string,
  { servers, search }: Pick<ComposingParts, 'servers' | 'search'>,
  signal?: AbortSignal,
): Promise<FoundTools> {
  const sources = await servers()
  const find = (query: string, k: number): Promise<SearchAnswer> =>
    search({ kind: 'tool', query, k, ...(sources === null ? {} : { filter: { sources } }) }, signal)
  const whole = await find(task, depths.whole)
  const facets = facetsAsWritten(whole, task)
  if (whole.facets.length < 2) return { whole, facets, steps: [] }
  return {
    whole,
    facets,
    steps: await Promise.all(readSteps(whole, task).map((step) => find(step, depths.step))),
  }
}

/** The steps as the person wrote them, where the search read them in English, word by word. */
function facetsAsWritten({ facets, readAs }: SearchAnswer, task: string): readonly string[] {
  if (readAs === undefined) return facets
  if (facets.length < 2) return [task]
  const written = clausesAsWritten(task)
  return written.length === facets.length ? written : facets
}

/** The steps in the words that the search of the whole task read them by: the model knows their vectors still. */
function readSteps({ facets, readAs }: SearchAnswer, task: string): readonly string[] {
  const { asked } = splitRequest(readAs ?? task)
  return facets.map((facet, step) => {
    const read = asked[step]
    return read !== undefined && shownStep(read) === facet ? read : facet
  })
}
