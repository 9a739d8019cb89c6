import type { Origin } from './identity.ts'
import type { CardDraft, Problem } from './ports.ts'

/** Names longer than this, in characters, belong to no honest tool or agent (MCP allows 128). */
export const longestName = 512

type Draft = { readonly draft: CardDraft; readonly origin: Origin }

/** Drafts without those whose name is too long; each of these is a problem. */
export function withinNameLimit<D extends Draft>(
  drafts: readonly D[],
): { readonly drafts: readonly D[]; readonly problems: readonly Problem[] } {
  const isTooLong = ({ draft }: D): boolean => draft.name.length > longestName
  return {
    drafts: drafts.filter((one) => !isTooLong(one)),
    problems: drafts.filter(isTooLong).map(({ draft, origin }) => ({
      severity: 'error',
      file: origin.location,
      field: 'name',
      message: `"${draft.name.slice(0, 40).toWellFormed()}…" is longer than ${longestName} characters`,
      remedy: 'Give it a shorter name.',
    })),
  }
}
