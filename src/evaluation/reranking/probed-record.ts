import { grouped } from '../../domain/grouped.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../retrieval/ports.ts'
import { aboutTokens } from '../../retrieval/rank/spending.ts'
import { weighedBy } from '../../retrieval/record/weigh-search.ts'
import type { SearchContext } from '../../retrieval/search.ts'
import { embeddingText } from '../../retrieval/text/card-texts.ts'
import type { CrossEncoderStage } from '../../retrieval/rank/cross-encoder.ts'
import type { JudgedQuery, ProbedCandidates } from '../datasets/dataset.ts'
import { recordOf } from '../record/record-rankings.ts'

/** Of a candidate's questions and answers, as AgentSearchBench's variant is read here. */
const mostTokens = 400

/**
 * A reranker that reads of each card also what its probes were answered: whole pairs, the newest first, as long as there is room.
 *
 * @see AgentSearchBench, 2026: probe responses are added to the text that the reranker sees
 */
export const withProbeTexts = (
  stage: CrossEncoderStage,
  { pairs }: Pick<ProbedCandidates, 'pairs'>,
): CrossEncoderStage => ({
  ...stage,
  textOf(card) {
    let left = mostTokens
    const said: string[] = []
    for (const { question, answer } of pairs.get(card.id) ?? []) {
      const text = `Question: ${question}\nAnswer: ${answer}`.slice(0, 4 * left)
      said.push(text)
      left -= aboutTokens(text)
      if (left <= 0) break
    }
    return [embeddingText(card), ...said].join('\n')
  },
})

/** How the graded runs of other tasks weigh in a query, as the track record of a user does. */
export type WeighFor = (query: JudgedQuery, snapshot: CatalogSnapshot) => Pick<SearchContext, 'weigh'>

/** @param model - of the searches: tells which tasks are alike */
export async function weighProbed(
  { runs, hiddenFrom }: ProbedCandidates,
  model: EmbeddingModel | null,
): Promise<WeighFor> {
  const byTask = [...grouped(runs, ({ query }) => query)]
  const texts = byTask.map(([, [first]]) => first!.text)
  const vectors = (await model?.embed(texts, 'query')) ?? []
  const tasks = byTask.map(([id, own], at) => ({
    ...{ id, text: texts[at]!, vector: vectors[at] ?? null, runs: own },
  }))
  const embedding = model && { model: model.id, dimensions: model.dimensions }
  return (query, snapshot) => {
    const hidden = hiddenFrom(query)
    const known = tasks.filter(({ id }) => !hidden.has(id))
    return weighedBy(recordOf(known, embedding), snapshot)
  }
}
