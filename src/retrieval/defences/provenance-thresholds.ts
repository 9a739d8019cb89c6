/** What stands behind a card, the surest first; `proven`: it succeeded here when it was tried. */
export const tiers = ['proven', 'installed', 'accepted', 'stranger', 'newcomer', 'distrusted'] as const

export type Tier = (typeof tiers)[number]

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
