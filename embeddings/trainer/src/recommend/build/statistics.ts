import { quantile } from '../../../../../src/evaluation/statistics/bootstrap.ts'
import { normalisedText } from '../../../../../src/evaluation/equivalence.ts'
import type { PartStatistics } from '../../../../../src/compose/parts/recommender.ts'
import { type Part, positivesOf } from './parts.ts'

/** What the paper's tables tell of a part. */
export function statisticsOf({ name, profiles, questions }: Part): PartStatistics {
  const positives = questions.map(({ ranking }) => ranking.slice(0, positivesOf[name]))
  const counts = new Map(profiles.map(({ id }) => [id, 0]))
  for (const id of positives.flat()) counts.set(id, (counts.get(id) ?? 0) + 1)
  const popular = [...counts.values()].sort((a, b) => b - a)
  const total = popular.reduce((sum, count) => sum + count, 0)
  const tools = profiles.map((profile) => profile.tools.length)
  const shareOf = (isSo: (count: number) => boolean, values = tools): number =>
    values.filter(isSo).length / Math.max(1, values.length)
  const texts = new Set(questions.map(({ text }) => normalisedText(text)))
  return {
    part: name,
    queries: questions.length,
    agents: profiles.length,
    positives: total,
    density: total / Math.max(1, questions.length * profiles.length),
    repeatedQueries: 1 - texts.size / Math.max(1, questions.length),
    tools: {
      distinct: new Set(profiles.flatMap((profile) => profile.tools)).size,
      mean: tools.reduce((sum, count) => sum + count, 0) / Math.max(1, tools.length),
      median: quantile(tools, 0.5),
      ninetieth: quantile(tools, 0.9),
      most: Math.max(0, ...tools),
      one: shareOf((count) => count === 1),
      two: shareOf((count) => count === 2),
    },
    longTail: {
      once: shareOf((count) => count === 1, popular),
      never: shareOf((count) => count === 0, popular),
      ofTopTenth:
        popular.slice(0, Math.ceil(popular.length / 10)).reduce((sum, count) => sum + count, 0) /
        Math.max(1, total),
    },
  }
}
