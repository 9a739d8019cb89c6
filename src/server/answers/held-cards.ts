import type { Audition } from '../../compose/audition.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import { oneLine, quoted } from './text.ts'

/** Why a card is held, in a word, and the line by which its user reads it. */
export type HeldCard = { readonly why: string; readonly userRuns: string }

/** Of these ids those whose cards are held. */
export async function heldCards(
  app: Pick<Audition, 'held'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, HeldCard>> {
  if (ids.length === 0) return new Map()
  return new Map(
    (await app.held(ids)).map(({ id, source, why }) => [
      id,
      {
        why: why.join(', '),
        userRuns: `audition sources show ${shellWord(oneLine(source, 200), process.platform)}`,
      },
    ]),
  )
}

/** The same as a sentence of ours. */
export const heldSentence = (id: string, { why, userRuns }: HeldCard): string =>
  `The card ${quoted(id)} is held and not in search (${why}). Only the user can read and release it: ${userRuns}.`
