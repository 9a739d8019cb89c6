import type { Outcome } from '../../src/domain/outcome.ts'
import type { Ranking } from '../../src/domain/ranking.ts'
import { ndcgAt } from '../../src/evaluation/measures/ndcg.ts'
import { bootstrapMean } from '../../src/evaluation/statistics/bootstrap.ts'
import { randomisationTest } from '../../src/evaluation/statistics/randomisation-test.ts'
import type { LiftQuery } from './lift-queries.ts'
import { type RankChanges, rankChanges } from './rank-changes.ts'
import type { Condition, MixedCondition } from './report.ts'

/** What every condition is held against. */
type Known = {
  readonly queries: readonly LiftQuery[]
  readonly soundIds: ReadonlySet<string>
  /** One ranking per query, by description alone. */
  readonly alone: readonly Ranking[]
  /** Candidates of a query that were up for probing. */
  readonly shortlist: number
}

const cutoff = 5

/**
 * @param probes - per candidate; 0 for search alone
 * @param record - the outcomes that search knew
 * @param rankings - one per query
 */
export function conditionOf(
  known: Known,
  probes: number,
  record: readonly Outcome[],
  rankings: readonly Ranking[],
): Condition {
  const { queries, alone } = known
  const values = ndcgs(queries, rankings)
  const before = ndcgs(queries, alone)
  const differences = values.map((value, at) => value - before[at]!)
  const firstIsSound = rankings.filter(([first], at) => first && rightAndSound(known, at).has(first.id))
  const isAlone = probes === 0
  return {
    probes,
    ndcg: bootstrapMean(values),
    rise: isAlone ? null : { estimate: bootstrapMean(differences), p: randomisationTest(differences) },
    soundFirst: firstIsSound.length / Math.max(1, queries.length),
    executions: record.length,
    seconds: record.reduce((sum, { seconds }) => sum + seconds, 0),
    sound: isAlone ? null : changes(known, rankings, (at) => rightAndSound(known, at)),
  }
}

/** The same where some candidates have no record. */
export function mixedConditionOf(
  known: Known,
  mix: {
    readonly probes: number
    readonly probed: ReadonlySet<string>
    readonly candidates: ReadonlySet<string>
  },
  record: readonly Outcome[],
  rankings: readonly Ranking[],
): MixedCondition {
  const { probes, probed, candidates } = mix
  const rightAndSoundIf = (wanted: (id: string) => boolean) => (at: number) =>
    [...rightAndSound(known, at)].filter(wanted)
  const listed = (at: number) =>
    known.alone[at]!.slice(0, known.shortlist).flatMap(({ id }) => (known.soundIds.has(id) ? [id] : []))
  return {
    ...conditionOf(known, probes, record, rankings),
    probed: probed.size,
    unprobed: candidates.size - probed.size,
    soundProbed: changes(
      known,
      rankings,
      rightAndSoundIf((id) => probed.has(id)),
    ),
    soundUnprobed: changes(
      known,
      rankings,
      rightAndSoundIf((id) => !probed.has(id)),
    ),
    soundOfAnyTool: changes(known, rankings, listed),
  }
}

const ndcgs = (queries: readonly LiftQuery[], rankings: readonly Ranking[]): readonly number[] =>
  queries.map(({ grades }, at) => ndcgAt(rankings[at]!, grades, cutoff))

/** Sound variants of the tools that do the job. */
const rightAndSound = ({ queries, soundIds }: Known, at: number): ReadonlySet<string> =>
  new Set([...queries[at]!.grades.keys()].filter((id) => soundIds.has(id)))

function changes(
  { queries, alone }: Known,
  rankings: readonly Ranking[],
  idsOf: (query: number) => Iterable<string>,
): RankChanges {
  const seen = rankChanges()
  for (const [at, { id }] of queries.entries()) {
    const idsIn = (ranking: Ranking) => ranking.map((candidate) => candidate.id)
    seen.add(id, idsIn(alone[at]!), idsIn(rankings[at]!), idsOf(at))
  }
  return seen.summary()
}
