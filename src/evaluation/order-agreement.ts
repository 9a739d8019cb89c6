import { rank } from '../domain/ranking.ts'
import { kendallTau, spearman } from './measures/correlations.ts'
import { exponentialNdcg } from './measures/ndcg.ts'
import { top1Match } from './measures/first-relevant.ts'
import type { Estimate } from './evaluation-run.ts'
import { bootstrapMean } from './statistics/bootstrap.ts'

const measures = {
  top1: { title: 'top-1 agreement', measure: top1Match, k: 1 },
  spearman: { title: "Spearman's rho", measure: spearman, k: 5 },
  kendall: { title: "Kendall's tau", measure: kendallTau, k: 5 },
  'ndcg@1': { title: 'nDCG@1', measure: exponentialNdcg, k: 1 },
  'ndcg@3': { title: 'nDCG@3', measure: exponentialNdcg, k: 3 },
  'ndcg@5': { title: 'nDCG@5', measure: exponentialNdcg, k: 5 },
} as const

type Name = keyof typeof measures
export type OrderAgreement<Value = number> = { readonly [name in Name]: Value }

export const orderTitles = Object.entries(measures).map(([name, { title }]) => [name as Name, title] as const)

/** Of the paper, with its random order: 55 tasks of Part III, tools simulated by a model, ordered by a model. @see AgentSelect, ICML 2026, table 7 */
export const publishedOrder: { readonly ranked: OrderAgreement; readonly random: OrderAgreement } = {
  ranked: { top1: 0.364, spearman: 0.225, kendall: 0.185, 'ndcg@1': 0.695, 'ndcg@3': 0.819, 'ndcg@5': 0.907 },
  random: { top1: 0.236, spearman: 0, kendall: 0, 'ndcg@1': 0.608, 'ndcg@3': 0.765, 'ndcg@5': 0.88 },
}

/** Candidates of a task that are compared, by their rank in search. */
export const comparedRanks: readonly number[] = [1, 4, 7, 10, 13]

const ofAll = <Value>(of: (name: Name) => Value): OrderAgreement<Value> =>
  Object.fromEntries(orderTitles.map(([name]) => [name, of(name)])) as OrderAgreement<Value>

/**
 * How far a ranking agrees with the order that execution gave. Relevance is 5 less the place, with a gain of 2^relevance - 1.
 *
 * @param places - of each candidate, in the order of the ranking: 1 for the best answer; equal ones share the mean of their places
 */
export function orderAgreement(places: readonly number[]): OrderAgreement {
  const ranking = rank(places.map((_, at) => ({ id: `${at}`, score: -at })))
  const grades = new Map(places.map((place, at) => [`${at}`, comparedRanks.length - place]))
  return ofAll((name) => measures[name].measure.at(ranking, { grades }, measures[name].k))
}

/** What a random order agrees: the mean over all orders. */
export function randomAgreement(places: readonly number[]): OrderAgreement {
  const all = permutations(places).map(orderAgreement)
  return ofAll((name) => all.reduce((sum, one) => sum + one[name], 0) / all.length)
}

const permutations = (values: readonly number[]): readonly (readonly number[])[] =>
  values.length < 2
    ? [values]
    : values.flatMap((value, at) =>
        permutations(values.filter((_, other) => other !== at)).map((rest) => [value, ...rest]),
      )

/** Means over tasks, with intervals, beside those of a random order. */
export function agreementOver(tasks: readonly (readonly number[])[]): {
  readonly ranked: OrderAgreement<Estimate>
  readonly random: OrderAgreement
} {
  const [ranked, random] = [tasks.map(orderAgreement), tasks.map(randomAgreement)]
  return {
    ranked: ofAll((name) => bootstrapMean(ranked.map((one) => one[name]))),
    random: ofAll((name) => random.reduce((sum, one) => sum + one[name], 0) / Math.max(1, random.length)),
  }
}
