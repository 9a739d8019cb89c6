import { mulberry32 } from '../../src/domain/random.ts'
import { wholeRow } from '../../src/evaluation/runs/compare-runs.ts'
import type {
  Comparison,
  Estimate,
  Estimates,
  EvaluationRun,
  QueryDifference,
  QueryOutcome,
  RunCandidate,
  RunTiming,
} from '../../src/evaluation/evaluation-run.ts'
import { grouped } from '../../src/domain/grouped.ts'

/** What a made-up run is to be like. */
export type RunShape = {
  readonly name?: string
  readonly queries?: number
  readonly parts?: number
  /** Cards a part has; every query has its relevant ones among them. */
  readonly cards?: number
  /** Words of a query on average. */
  readonly words?: number
  readonly signals?: 'with' | 'without'
  /** 0..1: how often the first candidate is relevant. */
  readonly quality?: number
  readonly seed?: number
}

const syllables =
  'ka lo mi ter sun ra del vo ne quist ba ran tor li pe sha dro men fi gu zel or an ist'.split(' ')

/** A word of its own for every number; the first ones are short, as common words are. */
const word = (number: number): string => {
  const letters: string[] = []
  for (let rest = number + 1; rest > 0; rest = Math.floor(rest / syllables.length))
    letters.push(syllables[rest % syllables.length]!)
  return letters.join('')
}

/** Common words come often, rare ones seldom, as in any language (Zipf). */
const anyWord = (random: () => number): string => word(Math.floor(20_000 ** random()) - 1)

const measures = ['ndcg@10', 'recall@10', 'completeness@10', 'p@1'] as const

const mean = (values: readonly number[]): Estimate => {
  const sum = values.reduce((total, value) => total + value, 0)
  const middle = values.length === 0 ? 0 : sum / values.length
  const half = 0.4 / Math.sqrt(values.length + 1)
  return {
    mean: middle,
    low: Math.max(0, middle - half),
    high: Math.min(1, middle + half),
    queries: values.length,
  }
}

const estimatesOf = (outcomes: readonly QueryOutcome[]): Estimates =>
  Object.fromEntries(measures.map((name) => [name, mean(outcomes.map((one) => one.measures[name] ?? 0))]))

/** A run with queries, candidates and signals like those of a benchmark; the same for the same shape. */
export function madeUpRun(shape: RunShape = {}): EvaluationRun {
  const { name = 'benchmark hybrid own', queries = 120, parts = 4, cards = 1500, words = 27 } = shape
  const { quality = 0.6, signals = 'with', seed = 1 } = shape
  const texts = mulberry32(7)
  const random = mulberry32(seed)
  const categories = ['web', 'code', 'custom']
  const outcomes = Array.from({ length: queries }, (_, number): QueryOutcome => {
    const part = Math.floor((number * parts) / queries)
    const length = Math.max(3, Math.round(words * (0.4 + 1.2 * texts())))
    const text = Array.from({ length }, () => anyWord(texts)).join(' ')
    const needed = 1 + Math.floor(texts() * 3)
    const relevant = Array.from({ length: needed }, () => `part-${part}/tool-${Math.floor(texts() * cards)}`)
    const found = new Set<string>()
    if (random() < quality) found.add(relevant[0]!)
    while (found.size < Math.min(10, cards)) found.add(`part-${part}/tool-${Math.floor(random() * cards)}`)
    const asked = text.split(' ')
    const candidates = [...found].map((id, at): RunCandidate => {
      const score = Math.round((0.95 - at * 0.07 - random() * 0.05) * 10_000) / 10_000
      if (signals === 'without') return { id, score }
      return {
        id,
        score,
        signals: {
          lexical: Math.round(score * 300_000) / 10_000,
          ...(random() < 0.7 ? { dense: Math.round((score - 0.1) * 10_000) / 10_000 } : {}),
          ...(at < 7
            ? { crossEncoder: Math.round((at % 2 === 0 ? score : -20 * score) * 10_000) / 10_000 }
            : {}),
          coverage: Math.round(random() * 10_000) / 10_000,
          matched: asked.filter(() => random() < 0.15).slice(0, 8),
          ...(random() < 0.1 ? { lift: { from: relevant[0]!, share: 0.25 } } : {}),
          facets: random() < 0.2 ? [0, 1] : [],
          duplicates: random() < 0.05 ? [relevant.at(-1)!] : [],
        },
      }
    })
    const hit = candidates[0]!.id === relevant[0] ? 1 : 0
    const share = relevant.filter((id) => found.has(id)).length / needed
    return {
      id: `part-${part}_query_${number}`,
      part: `part-${part}`,
      text,
      ...(number % 3 === 0 ? { group: 'multi-step' } : { group: 'single' }),
      candidates,
      relevant: Object.fromEntries(relevant.map((id, at) => [id, at === 0 ? 2 : 1])),
      measures: {
        'ndcg@10': Math.round(hit * (0.5 + share / 2) * 10_000) / 10_000,
        'recall@10': share,
        'completeness@10': share === 1 ? 1 : 0,
        'p@1': hit,
      },
      match: hit === 1 ? 'good' : share > 0 ? 'weak' : 'none',
      tokens: 200 + Math.floor(random() * 500),
    }
  })
  return runOf(name, outcomes, (part) => categories[Number(part.slice(5)) % categories.length]!)
}

/** A run of the outcomes given, with its means. */
export function runOf(
  name: string,
  outcomes: readonly QueryOutcome[],
  categoryOf: (part: string) => string = () => 'web',
): EvaluationRun {
  const parts = [...grouped(outcomes, ({ part }) => part)].map(([part, own]) => ({
    name: part,
    category: categoryOf(part),
    estimates: estimatesOf(own),
  }))
  const whole = estimatesOf(outcomes)
  return {
    format: 'audition-run/1',
    name,
    dataset: { name: 'benchmark', origin: 'made up for tests', notes: ['3 queries without labels dropped'] },
    settings: {
      ranker: 'hybrid',
      model: 'static/1',
      corpus: 'own',
      instruction: 'without',
      pack: 'ranking',
      equivalence: 'strict',
      depth: 10,
    },
    measures,
    parts,
    categories: Object.fromEntries(
      [...grouped(parts, ({ category }) => category)].map(([category]) => [category, whole]),
    ),
    macro: whole,
    micro: whole,
    outcomes,
  }
}

/** Times as a run on a small machine has them. */
export const madeUpTiming = (p50 = 1.9): RunTiming => ({
  startedAt: '2026-01-02T03:04:05.000Z',
  totalMs: 93_000,
  indexingMs: 12_000,
  searchMs: { p50, p95: p50 * 2.5, p99: p50 * 4, sum: p50 * 20_000 },
})

/** What two runs over the same queries differ by; the p-values are made up. */
export function madeUpComparison(baseline: EvaluationRun, candidate: EvaluationRun): Comparison {
  const places = [
    { name: wholeRow, before: baseline.macro, after: candidate.macro },
    ...candidate.parts.map(({ name, estimates }, at) => ({
      name,
      before: baseline.parts[at]!.estimates,
      after: estimates,
    })),
  ]
  const rows = measures.flatMap((measure) =>
    places.map(({ name, before, after }, at) => {
      const difference = after[measure]!.mean - before[measure]!.mean
      return {
        part: name,
        measure,
        baseline: before[measure]!.mean,
        candidate: after[measure]!.mean,
        difference: {
          mean: difference,
          low: difference - 0.03,
          high: difference + 0.03,
          queries: after[measure]!.queries,
        },
        p: 0.0004 * (at + 1) ** 2,
        pHolm: Math.min(1, 0.004 * (at + 1) ** 2),
      }
    }),
  )
  const differences = candidate.outcomes.map((outcome, at): QueryDifference => {
    const before = baseline.outcomes[at]!.measures['ndcg@10'] ?? 0
    const after = outcome.measures['ndcg@10'] ?? 0
    const relevant = Object.keys(outcome.relevant)
    const worse = after < before ? outcome : baseline.outcomes[at]!
    const first = worse.candidates.findIndex(({ id }) => relevant.includes(id))
    return {
      id: outcome.id,
      part: outcome.part,
      text: outcome.text,
      baseline: before,
      candidate: after,
      above: worse.candidates.slice(0, first === -1 ? 5 : first).map(({ id }) => id),
      relevant,
    }
  })
  const byChange = differences.toSorted((a, b) => a.candidate - a.baseline - (b.candidate - b.baseline))
  return {
    baseline: baseline.name,
    candidate: candidate.name,
    rows,
    regressions: byChange.filter((one) => one.candidate < one.baseline).slice(0, 5),
    wins: byChange
      .filter((one) => one.candidate > one.baseline)
      .reverse()
      .slice(0, 5),
    unmatched: 0,
    unmatchedByPart: [],
  }
}
