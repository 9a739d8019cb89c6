import type { RankerName } from '../../src/retrieval/answer.ts'
import type { Estimate } from '../../src/evaluation/evaluation-run.ts'
import type { RankChanges } from './rank-changes.ts'

/** What probes did for the ranking. */
export type ProbeLiftReport = {
  readonly catalog: {
    readonly servers: number
    readonly tools: number
    readonly sound: number
    /** Tools that were probed: those among the first `shortlist` of some query. */
    readonly probed: number
    readonly shortlist: number
  }
  readonly ranker: RankerName
  /** Id of the embedding model; null when words alone were searched. */
  readonly model: string | null
  /** What the track record weighed. */
  readonly recordWeight: number
  readonly queries: number
  /** Search alone first, then with more and more probes per candidate. */
  readonly conditions: readonly Condition[]
  /** Some of the candidates were left unprobed. */
  readonly mixed: MixedCondition
  /** One line per fault, and one for the sound variants. */
  readonly findings: readonly FaultFinding[]
  readonly cost: {
    /** Wall time of all probes together, starting the servers included. */
    readonly seconds: number
    readonly probes: number
  }
}

/** How well a ranking does, with one amount of knowledge. */
export type Condition = {
  /** Probes per candidate; 0 is search alone. */
  readonly probes: number
  readonly ndcg: Estimate
  /** Over search alone, paired by query; null for search alone. */
  readonly rise: { readonly estimate: Estimate; readonly p: number } | null
  /** Share of queries whose first candidate is a sound variant of the right tool. */
  readonly soundFirst: number
  /** Executions that made the record, and their wall times added up. */
  readonly executions: number
  readonly seconds: number
  /** The sound variants of the right tools, against search alone; null for search alone. */
  readonly sound: RankChanges | null
}

export type MixedCondition = Condition & {
  /** Candidates that were left unprobed, and those that were probed. */
  readonly unprobed: number
  readonly probed: number
  /** Sound variants of the right tools that were not probed, against search alone. */
  readonly soundUnprobed: RankChanges
  /** Sound variants of the right tools that were. */
  readonly soundProbed: RankChanges
  /** Every sound variant of any tool on the shortlist, against search alone. */
  readonly soundOfAnyTool: RankChanges
}

/** Whether probes noticed what is wrong. */
export type FaultFinding = {
  readonly fault: string
  readonly variants: number
  /** Variants with a probe that failed, by number of probes. */
  readonly found: readonly { readonly probes: number; readonly variants: number }[]
}
