import type { CardIndex } from '../index/card-index.ts'
import type { LexicalProbe } from '../index/lexical-index.ts'
import type { RankedCard } from '../rank/ranked-card.ts'
import type { Weighed } from '../record/weigh-search.ts'
import type { CardProvenance } from './provenance.ts'

/**
 * What speaks for the candidates of a search besides their ranking. Without a learned ranker there is no probability: the share of a
 * request's information that a card holds stands for it. It depends on no other card's words, and of honest requests as many are
 * lost by the same thresholds.
 *
 * @param probe - of the request; null where a learned ranker took part
 */
export function provenanceIn(
  index: CardIndex,
  recordOf: Weighed['signalOf'],
  probe: LexicalProbe | null,
): (card: RankedCard) => CardProvenance {
  return ({ document, serves }) => ({
    standing: index.standing(document),
    speaks: recordOf(document)?.speaks,
    serves: () => serves ?? probe?.of(document).share ?? 0,
  })
}
