import type { Standing } from '../../store/source-state.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { LexicalProbe } from '../index/lexical-probe.ts'
import type { RankedCard } from '../rank/ranked-card.ts'
import type { Weighed } from '../record/weigh-search.ts'
import { type Tier, tiers } from '../answer.ts'

/** What speaks for one card besides the ranking. */
export type CardProvenance = {
  readonly standing: Standing
  /** What its own verdicts say here; undefined without any. */
  readonly speaks: 'for' | 'against' | 'neither' | undefined
  /** Probability that it serves, by itself: as if there were no card of a lower tier. 0..1. */
  serves(): number
}

type Placed = {
  readonly card: RankedCard
  readonly tier: number
  /** 0 for a card with none of a lower tier before it, and for one that failed here: nothing puts it before another. */
  readonly serves: number
}

/** Proof is of what ran here: it does not outweigh that the user distrusts the source. */
export const tierOf = ({ standing, speaks }: Pick<CardProvenance, 'standing' | 'speaks'>): Tier =>
  speaks === 'for' && standing !== 'distrusted' ? 'proven' : standing

/**
 * Puts no card of a lower tier before one of a higher tier that serves by itself. How surely it must serve depends on the two tiers and on
 * nothing that the lower card says, so that no choice of its words helps. Each card moves up only as far as that needs; all else keeps
 * its order.
 *
 * @param ranked - best first
 * @returns the same cards, best first; the very same list when all are of one tier, or none moves
 */
export function byProvenance(
  ranked: readonly RankedCard[],
  provenanceOf: (card: RankedCard) => CardProvenance,
): readonly RankedCard[] {
  const known = ranked.map((card) => {
    const provenance = provenanceOf(card)
    return { card, provenance, tier: rankOf[tierOf(provenance)] }
  })
  if (known.every(({ tier }) => tier === known[0]!.tier)) return ranked
  let lowest = 0
  const placed = known.map(({ card, tier, provenance }): Placed => {
    lowest = Math.max(lowest, tier)
    const mayMove = tier < lowest && provenance.speaks !== 'against'
    return { card, tier, serves: mayMove ? provenance.serves() : 0 }
  })
  const ordered = withLeader(withNoneBehind(placed))
  return ordered.every(({ card }, place) => card === ranked[place]) ? ranked : withScores(ordered)
}

const rankOf = Object.fromEntries(tiers.map((tier, rank) => [tier, rank])) as {
  readonly [tier in Tier]: number
}

const isBefore = (one: Placed, other: Placed, least: typeof leads): boolean =>
  one.tier < other.tier && one.serves >= least(tiers[one.tier]!, tiers[other.tier]!)

function withNoneBehind(placed: readonly Placed[]): readonly Placed[] {
  const ordered: Placed[] = []
  for (const one of placed) {
    const place = one.serves === 0 ? -1 : ordered.findIndex((other) => isBefore(one, other, neverBehind))
    if (place < 0) ordered.push(one)
    else ordered.splice(place, 0, one)
  }
  return ordered
}

/** The first place takes less: of those that may lead the first card, the surest does. */
function withLeader(placed: readonly Placed[]): readonly Placed[] {
  const first = placed[0]!
  const leader = placed
    .filter((one) => isBefore(one, first, leads))
    .reduce<Placed | undefined>(
      (best, one) => (best === undefined || one.serves > best.serves ? one : best),
      undefined,
    )
  return leader === undefined ? placed : withLeader([leader, ...placed.filter((one) => one !== leader)])
}

/** Part of a score by which the next one is lower at least, where cards have changed places: scores tell the order. */
const step = 1e-6

/** Who stands behind a card with a lower score has no more than that. */
function withScores(ordered: readonly Placed[]): readonly RankedCard[] {
  let before = Number.POSITIVE_INFINITY
  return ordered.map(({ card }) => {
    const score = card.score < before ? card.score : Math.max(0, before * (1 - step))
    before = score
    return score === card.score ? card : { ...card, score }
  })
}

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

/** By the tier of what stands behind. */
type Thresholds = { readonly stranger: number; readonly newcomer: number; readonly distrusted: number }

/**
 * How sure a card must be to serve so that none of a lower tier is put before it. Whoever has been there for long is overtaken only where the
 * ranker is nearly certain: with half of all sources installed and nobody attacking, honest requests then lose nothing. Of a newcomer
 * nothing is known but its words: for the first place it is enough that anything of the user's may be meant. Of requests that
 * something in a catalog serves 98% have a card of that much. docs/decisions/0009-retrieval-attacks.md has the curve.
 */
const ofYours: { readonly [which in 'leads' | 'neverBehind']: Thresholds } = {
  leads: { stranger: 0.75, newcomer: 0.05, distrusted: 0.05 },
  neverBehind: { stranger: 0.75, newcomer: 0.6, distrusted: 0.05 },
}
const ofStrangers: { readonly [which in 'leads' | 'neverBehind']: Thresholds } = {
  leads: { stranger: 0.75, newcomer: 0.15, distrusted: 0.05 },
  neverBehind: { stranger: 0.75, newcomer: 0.6, distrusted: 0.05 },
}

const least =
  (which: 'leads' | 'neverBehind') =>
  (higher: Tier, lower: Tier): number => {
    const of = higher === 'stranger' || higher === 'newcomer' ? ofStrangers : ofYours
    return of[which][lower === 'newcomer' || lower === 'distrusted' ? lower : 'stranger']
  }

/** For the first place. */
export const leads = least('leads')
/** For any place. */
export const neverBehind = least('neverBehind')
