import type { Standing } from '../../store/source-state.ts'
import type { CandidateEvidence } from '../rank/candidate-features.ts'
import type { ScoreList } from '../rank/fusion.ts'
import { type LearnedRanker, probabilitiesByLearned, type ScoredBeside } from '../rank/learned-ranker.ts'

/** Candidates of the ranking among which a lower tier shows. */
const head = 10
/** Candidates that are scored again, the best of the plain fusion. */
const mostAgain = 24

/** Tiers by what is left out below them: what the user has, and all that is known for long. */
const cuts: readonly ReadonlySet<Standing>[] = [
  new Set<Standing>(['installed', 'accepted']),
  new Set<Standing>(['installed', 'accepted', 'stranger']),
]

/**
 * Probabilities of candidates as if there were none of a lower tier: a ranker compares candidates, so that one that repeats the request
 * makes all others look worse. Only where the head of a ranking mixes tiers.
 *
 * @param fused - of the plain fusion
 * @param scores - probabilities among all
 * @param besides - as for `rankByLearned`
 */
export function scoresAlone(
  ranker: LearnedRanker,
  evidence: CandidateEvidence,
  {
    fused,
    scores,
    besides,
  }: { readonly fused: ScoreList; readonly scores: ScoreList; readonly besides?: ScoredBeside | undefined },
): ScoreList {
  const { index } = evidence
  const standings = headOf(scores).map((document) => index.standing(document))
  const alone = new Map<number, number>()
  for (const cut of cuts) {
    if (standings.every((standing) => cut.has(standing))) continue
    const left = [...fused]
      .filter(
        ([document]) =>
          cut.has(index.standing(document)) &&
          (besides?.scored ?? []).every(({ scores: beside }) => beside.has(document)),
      )
      .sort((a, b) => b[1] - a[1] || b[0] - a[0])
      .slice(0, mostAgain)
    if (left.every(([document]) => alone.has(document))) continue
    const own = probabilitiesByLearned(ranker, among(cut, evidence), { fused: new Map(left), besides })
    for (const [document, score] of own) if (!alone.has(document)) alone.set(document, score)
  }
  return alone
}

/** Whether the head of a ranking has a card of a lower tier. */
export const mixesTiers = (index: CandidateEvidence['index'], scores: ScoreList): boolean =>
  headOf(scores).some((document) => !cuts[0]!.has(index.standing(document)))

function headOf(scores: ScoreList): readonly number[] {
  const least = Float64Array.from(scores.values()).sort().at(-head) ?? 0
  return [...scores.keys()].filter((document) => scores.get(document)! >= least)
}

function among(cut: ReadonlySet<Standing>, evidence: CandidateEvidence): CandidateEvidence {
  const kept = (list: ScoreList): ScoreList =>
    new Map([...list].filter(([document]) => cut.has(evidence.index.standing(document))))
  const { lexical, dense, reading } = evidence
  return {
    ...evidence,
    lexical: kept(lexical),
    dense: kept(dense),
    ...(reading ? { reading: { ...reading, list: kept(reading.list) } } : {}),
  }
}
