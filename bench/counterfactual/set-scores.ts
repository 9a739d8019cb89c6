import { evidenceOf, findTools } from '../../src/assembling/tool-evidence.ts'
import { toolsetScore } from '../../src/assembling/candidates.ts'
import { type SearchContext, search } from '../../src/retrieval/search/search.ts'
import { type Ideal, type Scores, toolsOf } from './edits.ts'

/** How right the tools of the right agent and of its edits are as sets, by what composing knows of tools. */
export async function setScores(
  text: string,
  ideal: Ideal,
  context: SearchContext,
): Promise<{ readonly making: Scores; readonly judging: Scores }> {
  const found = await findTools(text, {
    search: (request, signal) => search(context, request, signal),
    servers: async () => null,
  })
  const known = evidenceOf(found, () => true)
  const variants = toolsOf(ideal)
  const ids = new Set(known.map(({ card }) => card.id))
  const strange = Object.values(variants)
    .flat()
    .filter(({ id }) => !ids.has(id))
  const evidence = [
    ...known,
    ...strange.map((card) => ({ card, need: 0, serves: found.facets.map(() => 0) })),
  ]
  const placeOf = new Map(evidence.map(({ card }, place) => [card.id, place]))
  const scoresBy = (beta?: number): Scores => {
    const score = toolsetScore(evidence, beta)
    return Object.fromEntries(
      Object.entries(variants).map(([variant, tools]) => [
        variant,
        score(tools.map(({ id }) => placeOf.get(id)!)),
      ]),
    ) as Scores
  }
  return { making: scoresBy(), judging: scoresBy(1) }
}
