import type { Card } from '../../domain/card.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { SourceReview } from '../../store/source-review.ts'

/** Why no host gets a server now, and what a person can do about it. */
export type ServerHeld = { readonly message: string; readonly remedy: string }

/**
 * Whether the server of a card may not be put into a host's configuration: the host would show its model all tools of the
 * server, those too that are held, refused or not.
 *
 * @returns null where nothing of it is held, and for cards of no server
 */
export function serverHeld(card: Card, reviews: readonly SourceReview[]): ServerHeld | null {
  const review = card.runtime?.kind === 'mcp' ? reviews.find(({ key }) => key === card.source) : undefined
  const count = review?.held.length ?? 0
  if (count === 0) return null
  const source = printableLine(card.source)
  const them = count === 1 ? 'it' : 'them'
  return {
    message: `The server "${source}" has ${countOf(count, 'held card')}. A host gets all tools of a server, so it would show its model ${them} too, refused or not.`,
    remedy:
      `To use its other tools, let the host call them through Audition, which passes on no held card: \`audition init <host> --call\`${allowText(card)}. ` +
      `Else read what is held (\`audition sources show ${source}\`): only accepting ${them} opens this way.`,
  }
}

const allowText = ({ kind, id }: Card): string =>
  kind === 'tool' ? `, then \`audition allow ${printableLine(id)}\`` : ''
