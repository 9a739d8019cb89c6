import { grouped } from '../../domain/grouped.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../retrieval/ports.ts'
import { aboutTokens } from '../../retrieval/rank/spending.ts'
import { weighedBy } from '../../retrieval/record/weigh-search.ts'
import type { SearchContext } from '../../retrieval/search/search.ts'
import { embeddingText } from '../../retrieval/text/card-texts.ts'
import type { CrossEncoderStage } from '../../retrieval/rank/cross-encoder.ts'
import type { JudgedQuery, ProbedCandidates } from '../datasets/dataset.ts'
import { recordOf } from '../record/record-rankings.ts'
import { type Discrimination, weighProbes } from '../../domain/weigh-probes.ts'
import type { ProbeTercile, QueryOutcome } from '../evaluation-run.ts'
import { bootstrapMean } from '../statistics/bootstrap.ts'
import { randomisationTest } from '../statistics/randomisation-test.ts'

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
    id,
    text: texts[at]!,
    vector: vectors[at] ?? null,
    runs: own,
  }))
  const embedding = model && { model: model.id, dimensions: model.dimensions }
  return (query, snapshot) => {
    const hidden = hiddenFrom(query)
    const known = tasks.filter(({ id }) => !hidden.has(id))
    return weighedBy(recordOf(known, embedding), snapshot)
  }
}

const terciles: readonly Discrimination[] = ['low', 'medium', 'high']

/** The same queries, ranked without and with what some probes told. */
type Ranked = { readonly without: readonly QueryOutcome[]; readonly with: readonly QueryOutcome[] }

/**
 * What probes are worth to a ranking by how much they told candidates apart: a track record of the probes of one tercile of variance alone, and
 * the share of the queries that it ranks better than none.
 *
 * @param measure - by which a ranking is better
 * @param rankBy - ranks all queries by such a record
 * @returns terciles that have probes, from low to high; none where fewer than three probes were graded for two candidates or more
 * @see AgentSearchBench, 2026, section 5: win rates by the variance of probes
 */
export async function probeTerciles(
  probed: ProbedCandidates,
  measure: string,
  rankBy: (weighFor: (model: EmbeddingModel | null) => Promise<WeighFor>) => Promise<Ranked>,
): Promise<readonly ProbeTercile[]> {
  const byProbe = [...grouped(probed.runs, ({ query }) => query).values()].filter(({ length }) => length > 1)
  if (byProbe.length < 3) return []
  const weighed = weighProbes(
    byProbe.map((runs) => ({ probe: runs, grades: runs.map(({ grade }) => grade) })),
  )
  const found: ProbeTercile[] = []
  for (const tercile of terciles) {
    const own = weighed.filter(({ discrimination }) => discrimination === tercile)
    if (own.length === 0) continue
    const runs = own.flatMap(({ probe }) => probe)
    const ranked = await rankBy((model) => weighProbed({ ...probed, runs }, model))
    found.push({ tercile, probes: own.length, runs: runs.length, ...gainOf(ranked, measure) })
  }
  return found
}

/** How the rankings differ, query by query. */
export function gainOf(
  { without, with: withProbes }: Ranked,
  measure: string,
): Pick<ProbeTercile, 'won' | 'lost' | 'equal' | 'winRate' | 'difference' | 'p'> {
  const before = new Map(without.map(({ id, measures }) => [id, measures[measure]]))
  const differences = withProbes.flatMap(({ id, measures }) => {
    const [was, is] = [before.get(id), measures[measure]]
    return was === undefined || is === undefined ? [] : [is - was]
  })
  const won = differences.filter((one) => one > 0).length
  const lost = differences.filter((one) => one < 0).length
  return {
    won,
    lost,
    equal: differences.length - won - lost,
    winRate: differences.length === 0 ? 0 : won / differences.length,
    difference: bootstrapMean(differences),
    p: randomisationTest(differences),
  }
}
