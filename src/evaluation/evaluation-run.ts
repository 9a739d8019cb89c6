import type { Discrimination } from '../domain/weigh-probes.ts'
import type { RankerName, Signals } from '../retrieval/answer.ts'

/** How rankings were made; together with dataset and catalog code it determines every byte of the results. */
export type RunSettings = {
  /**
   * `record`: nothing was searched, the candidates stand by their track record alone; `given`: the rankings are another
   * system's.
   */
  readonly ranker: RankerName | 'record' | 'given'
  /** The file of the other system's run; present for `given`. */
  readonly givenRun?: string
  /** The file of the run whose first candidates were ranked; absent when the whole corpus was. */
  readonly firstStage?: string
  /** Id of the dense model, or null. */
  readonly model: string | null
  /** The cross-encoder and how many candidates it rescored; absent when none did. */
  readonly crossEncoder?: { readonly model: string; readonly depth: number }
  /** Each part over its own cards, all parts' cards joined, or the user's index. */
  readonly corpus: 'own' | 'joined' | 'index'
  readonly instruction: 'without' | 'with'
  readonly pack: 'ranking' | 'diverse'
  /** Whether only labelled cards count as relevant, or copies of them too. Figures of the two never compare. */
  readonly equivalence: 'strict' | 'aware'
  /** Present where the cards of the dataset were taken for strangers', and the defences had a say. */
  readonly defended?: true
  /** Present where every query was asked once more without what serves it. */
  readonly absent?: true
  /** Candidates kept per query. */
  readonly depth: number
}

/** One candidate of a ranking that was run. */
export type RunCandidate = { readonly id: string; readonly score: number; readonly signals?: Signals }

/** One query's outcome. Nothing here depends on the clock. */
export type QueryOutcome = {
  readonly id: string
  readonly part: string
  readonly text: string
  readonly group?: string
  readonly candidates: readonly RunCandidate[]
  /** Relevant candidates with their grades. */
  readonly relevant: { readonly [id: string]: number }
  /** Copies among the relevant ones that took over a label: id to the labelled card. Absent when none did. */
  readonly standIns?: { readonly [id: string]: string }
  /** By measure name, for example `ndcg@10`; 0..1, rank correlations (`kendall`, `spearman`) -1..1. */
  readonly measures: { readonly [measure: string]: number }
  readonly match: 'good' | 'weak' | 'none'
  /** Estimated tokens of the answer a host would get. */
  readonly tokens: number
}

/** A mean over queries with its 95% bootstrap interval. */
export type Estimate = {
  readonly mean: number
  readonly low: number
  readonly high: number
  readonly queries: number
}

/** Estimates by measure name. */
export type Estimates = { readonly [measure: string]: Estimate }

/** One part's results. */
export type PartSummary = {
  readonly name: string
  readonly category?: string
  readonly estimates: Estimates
}

/**
 * Averages over categories. ToolRet's tables give a column per category and as their Average the unweighted mean of the
 * columns; how the tasks of a category make its column is not stated, so both ways are taken.
 *
 * @see Shi et al., ACL 2025 (ToolRet), Tables 4 and 5
 */
export type CategoryAverages = {
  /** By category: the mean over all its queries. */
  readonly byQuery: { readonly [category: string]: Estimates }
  /** The unweighted mean of the categories: of their means over queries, and of their means over parts. */
  readonly average: { readonly ofQueries: Estimates; readonly ofParts: Estimates }
}

/** What a reranker did and took. */
export type RerankerCounts = {
  /** Queries that it was asked for, and those it failed for, which stand as the stage before left them. */
  readonly asked?: number
  readonly failed?: number
  /** Sent, but for those that the server refused. */
  readonly requests?: number
  readonly tokens?: number
  /** US dollars, where the settings state prices. */
  readonly cost?: number
}

/** One order of the candidates of a reranking task, and what it took in the whole run. */
export type RerankingRow = RerankerCounts & {
  readonly name: string
  /** `chance`: what no text tells, a random order or that of platforms. */
  readonly kind: 'chance' | 'first stage' | 'reranker'
  /** The last reason of a failure. */
  readonly failure?: string
}

/** Orders of the same candidates side by side, for a part or over all. */
export type RerankingBlock = {
  /** A part or category; `wholeRow` for the mean over them. */
  readonly part: string
  /** A row each, by measure; empty for a reranker that never succeeded. */
  readonly estimates: readonly Estimates[]
  /** What each row took in this part; absent in runs of earlier versions. */
  readonly took?: readonly RerankerCounts[]
  /**
   * Every two rows by the headline: how far `row` is above `other`, by their numbers, and the p-value of a paired randomisation test, by
   * itself and after Holm's correction over the pairs of the block.
   */
  readonly pairs: readonly {
    readonly row: number
    readonly other: number
    readonly difference: Estimate
    readonly p: number
    readonly pHolm: number
  }[]
  /** Rows of a publication where its protocol and tasks are these; empty elsewhere. */
  readonly published: readonly PublishedRow[]
  /** Where they come from, or why they may not stand here; empty when nothing is published. */
  readonly note: string
}

/** What a publication says of one system, 0..1, by measure. */
export type PublishedRow = { readonly name: string; readonly values: { readonly [measure: string]: number } }

/** What a run of a reranking task is set beside. */
export type RerankingTable = {
  readonly rows: readonly RerankingRow[]
  readonly blocks: readonly RerankingBlock[]
  /** What a record of probes is worth to the first stage, by their variance; absent where none are known. */
  readonly probes?: readonly ProbeTercile[]
}

/** Probes of one tercile of variance, and what a record of them alone does to the headline. */
export type ProbeTercile = {
  readonly tercile: Discrimination
  readonly probes: number
  readonly runs: number
  /** Queries that rise, fall and stay. */
  readonly won: number
  readonly lost: number
  readonly equal: number
  readonly winRate: number
  readonly difference: Estimate
  /** Of a paired randomisation test. */
  readonly p: number
}

/** A run of a dataset. Equal inputs give equal bytes: latencies are kept apart. */
export type EvaluationRun = {
  readonly format: 'audition-run/1'
  /** A name for people and files, for example `toolret lexical joined`. */
  readonly name: string
  readonly dataset: { readonly name: string; readonly origin: string; readonly notes: readonly string[] }
  readonly settings: RunSettings
  readonly measures: readonly string[]
  readonly parts: readonly PartSummary[]
  /** By category: the unweighted mean of its parts. */
  readonly categories: { readonly [category: string]: Estimates }
  /** Absent where parts have no categories. */
  readonly categoryAverages?: CategoryAverages
  /** Unweighted mean over parts (macro), and over all queries (micro). */
  readonly macro: Estimates
  readonly micro: Estimates
  /** Of a reranking task. */
  readonly reranking?: RerankingTable
  readonly outcomes: readonly QueryOutcome[]
}

/** Times of a run: never part of its bytes. Milliseconds. */
export type RunTiming = {
  readonly startedAt: string
  readonly totalMs: number
  readonly indexingMs: number
  readonly searchMs: {
    readonly p50: number
    readonly p95: number
    readonly p99: number
    readonly sum: number
  }
}

/** What two runs over the same queries differ by. */
export type Comparison = {
  readonly baseline: string
  readonly candidate: string
  /** Per part and for the whole: difference of means, its interval, and the p-value of a paired randomisation test. */
  readonly rows: readonly {
    readonly part: string
    readonly measure: string
    readonly baseline: number
    readonly candidate: number
    readonly difference: Estimate
    readonly p: number
    /** After Holm's correction over the parts of one measure. */
    readonly pHolm: number
  }[]
  /** Largest losses and wins by the headline measure. */
  readonly regressions: readonly QueryDifference[]
  readonly wins: readonly QueryDifference[]
  /** Queries that only one of the runs has. */
  readonly unmatched: number
  /** The same by part, where there are any: those that only the baseline has, and those that only the candidate has. */
  readonly unmatchedByPart: readonly {
    readonly part: string
    readonly baseline: number
    readonly candidate: number
  }[]
}

/** One query in both runs. */
export type QueryDifference = {
  readonly id: string
  readonly part: string
  readonly text: string
  readonly baseline: number
  readonly candidate: number
  /** What ranked above the first relevant candidate in the worse run. */
  readonly above: readonly string[]
  readonly relevant: readonly string[]
}
