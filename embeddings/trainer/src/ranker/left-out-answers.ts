import { analyzeQuery } from '../../../../src/retrieval/text/analyze.ts'
import type { BoostedTrees } from '../../../../src/retrieval/rank/boosted-trees.ts'
import { answerRows } from './answer-rows.ts'
import type { JudgedAnswer } from './choose-thresholds.ts'
import type { GradedQuery } from './ranked-corpus.ts'

/** Families are left out in so many groups at most: each takes a ranker and trees of its own. */
const mostGroups = 4

type Training = {
  /** A ranker that was trained without some families; null when nothing is left to train it on. */
  readonly rankerWithout: (families: ReadonlySet<string>) => Promise<BoostedTrees | null>
  readonly treesOf: (queries: readonly GradedQuery[], ranker: BoostedTrees) => Promise<BoostedTrees | null>
}

/**
 * What trees that have seen nothing of a family think of its answers, with and without what serves: the ranker that
 * orders the candidates has not seen it either. So it goes with catalogs that nobody has seen.
 *
 * @param queries - asked both ways
 */
export async function leftOutAnswers(
  queries: readonly GradedQuery[],
  { rankerWithout, treesOf }: Training,
): Promise<readonly JudgedAnswer[]> {
  const judged: JudgedAnswer[] = []
  for (const group of groupsOf(queries)) {
    const isLeftOut = ({ asked }: GradedQuery): boolean => group.has(asked.family)
    const ranker = await rankerWithout(group)
    const trees =
      ranker &&
      (await treesOf(
        queries.filter((query) => !isLeftOut(query)),
        ranker,
      ))
    if (!ranker || !trees) continue
    const own = queries.filter(isLeftOut)
    const { features, grades } = answerRows(own, ranker)
    const logOdds = trees.score(features, grades.length)
    for (const [place, { asked }] of own.entries()) {
      const { kind, family, cards, among } = asked
      const about = { kind, family, cards, words: analyzeQuery(asked.text).length }
      const isForeign = among === 'foreign'
      judged.push(
        { ...about, isServed: true, isForeign: false, logOdds: logOdds[2 * place]! },
        { ...about, isServed: false, isForeign, logOdds: logOdds[2 * place + 1]! },
      )
    }
  }
  return judged
}

/** Families dealt into groups, the largest first, each to the group that has the fewest queries. */
function groupsOf(queries: readonly GradedQuery[]): readonly ReadonlySet<string>[] {
  const counts = new Map<string, number>()
  for (const { asked } of queries) counts.set(asked.family, (counts.get(asked.family) ?? 0) + 1)
  const groups = Array.from({ length: Math.min(mostGroups, counts.size) }, () => ({
    families: new Set<string>(),
    queries: 0,
  }))
  const largestFirst = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  for (const [family, count] of largestFirst) {
    const least = groups.reduce((best, group) => (group.queries < best.queries ? group : best))
    least.families.add(family)
    least.queries += count
  }
  return groups.map(({ families }) => families)
}
