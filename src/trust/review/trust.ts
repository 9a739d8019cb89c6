import { isBundledLocation } from '../../catalog/bundled-parts.ts'
import type { Trust } from '../../store/source-review.ts'

/**
 * Whether changes of a source are taken at once when the user said nothing: yes for the bundled catalog and for files and
 * folders on this machine, whose owner made the change or let it in; no for live servers and addresses, whose text may
 * change at any time without anybody here doing anything.
 */
export function defaultTrust({
  location,
  isLive,
}: {
  readonly location: string
  readonly isLive: boolean
}): Trust {
  if (isBundledLocation(location)) return 'trusted'
  return isLive || /^https?:/i.test(location) ? 'untrusted' : 'trusted'
}
