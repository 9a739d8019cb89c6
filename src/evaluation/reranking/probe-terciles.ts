import { grouped } from '../../domain/grouped.ts'
import { type Discrimination, weighProbes } from '../../domain/weigh-probes.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import type { ProbedCandidates } from '../datasets/dataset.ts'
import type { QueryOutcome } from '../runs/evaluation-run.ts'
import { bootstrapMean } from '../statistics/bootstrap.ts'
import { randomisationTest } from '../statistics/randomisation-test.ts'
import type { ProbeTercile } from '../runs/evaluation-run.ts'
import { type WeighFor, weighProbed } from './probed-record.ts'

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
