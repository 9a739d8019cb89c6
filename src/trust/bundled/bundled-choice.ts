import { type BundledChoice, type SourceReview, emptyReview } from '../../store/source-review.ts'
import type { CatalogChange } from '../../store/catalog-writer.ts'
import type { SourceState } from '../../store/source-state.ts'
import { bundledPartOf, bundledParts, isBundledLocation, looksBundled } from '../../catalog/bundled-parts.ts'

/** What was decided about a location of the bundled catalog, or about the part that it belongs to. */
export function bundledChoice(location: string, reviews: readonly SourceReview[]): BundledChoice | undefined {
  const own = reviews.find(({ key }) => key === location)?.bundled
  return own ?? reviews.find(({ key }) => key === bundledPartOf(location))?.bundled
}

/** What the store has to remember so that a decision holds, and to forget since it took its place. */
export function deciding(
  locations: readonly string[],
  bundled: BundledChoice,
  reviews: readonly SourceReview[],
): Required<Pick<CatalogChange, 'reviews' | 'removeReviews'>> {
  const isOverruled = ({ key }: SourceReview): boolean =>
    !locations.includes(key) && locations.some((location) => location === bundledPartOf(key))
  return {
    reviews: locations
      .filter((location) => bundledChoice(location, reviews) !== bundled)
      .map((location) => ({ ...emptyReview(location), bundled })),
    removeReviews: reviews.filter(isOverruled).map(({ key }) => key),
  }
}

/**
 * Whether sources of the bundled catalog are read and stay: those that are named in this run or were switched on, and the rest
 * as long as the user has nothing of their own and did not remove them.
 *
 * @param named - locations of it that the user named in this run
 * @param owner - whether the user has cards of their own
 */
export const isBundledWanted =
  ({
    named,
    reviews,
    owner,
  }: {
    readonly named: readonly string[]
    readonly reviews: readonly SourceReview[]
    readonly owner: 'own' | 'none'
  }) =>
  ({ location }: { readonly location: string }): boolean => {
    if (named.some((one) => location === one || bundledPartOf(location) === one)) return true
    const choice = bundledChoice(location, reviews)
    return choice === undefined ? owner === 'none' : choice === 'on'
  }

/** Whether the user has something in search that neither came with Audition nor was composed by it. */
export const hasOwnCards = (states: readonly SourceState[]): boolean =>
  states.some(
    ({ location, tools, agents, composed }) =>
      !isBundledLocation(location) && composed !== true && tools + agents > 0,
  )

/** Where the bundled catalog stands: in search, `off` beside sources of the user's, or removed by the user. */
export function bundledStanding(
  states: readonly SourceState[],
  reviews: readonly SourceReview[],
): 'on' | 'off' | 'removed' {
  if (states.some(({ location }) => looksBundled(location))) return 'on'
  const isRemoved = bundledParts.some((part) => bundledChoice(part, reviews) === 'removed')
  return isRemoved ? 'removed' : 'off'
}
