import type { QueryTerm } from '../text/analyze.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { RankedCard } from '../rank/ranked-card.ts'
import type { Ranker } from '../retrieve.ts'
import type { Weighed } from '../record/weigh-search.ts'
import type { CardProvenance } from './provenance.ts'

/**
 * What speaks for the candidates of a search besides their ranking. Without a learned ranker there is no probability: the share of a
 * request's information that a card holds stands for it. It depends on no other card's words, and of honest requests as many are
 * lost by the same thresholds.
 */
export function provenanceIn(
  index: CardIndex,
  ranker: Ranker,
  query: readonly QueryTerm[],
  recordOf: Weighed['signalOf'],
): (card: RankedCard) => CardProvenance {
  const probe = ranker === 'learned' ? null : index.probe(query)
  return ({ document, serves }) => ({
    standing: index.standing(document),
    speaks: recordOf(document)?.speaks,
    serves: () => serves ?? probe?.of(document).share ?? 0,
  })
}
