import type { Card } from '../../domain/card.ts'
import { findFormers, type Former } from './find-former.ts'
import type { Standing } from './judge-card.ts'
import type { GoneCard, ServerIdentity, SourceReview, Trust } from '../../store/source-review.ts'

/** What was known of a source before a run read it. */
export type SourcePast = {
  /** Changes are held. */
  readonly isGuarded: boolean
  /** Something else answers than the server whose cards are in search. */
  readonly isOtherServer: boolean
  /** Ids in search that were not read. */
  readonly vanishedIds: readonly string[]
  /** Their cards, of a guarded source. */
  readonly vanished: readonly Card[]
  /** Pins that the user accepted. */
  readonly accepted: ReadonlySet<string>
  /** Ids of cards in search that the scan flagged. */
  readonly wasFlagged: ReadonlySet<string>
  /** When a text was first held; undefined for one that was not. */
  heldSince(id: string, pin: string): string | undefined
  /**
   * What a card that was read stands against.
   *
   * @param inSearch - the card of its id in search: null when it cannot be read back, undefined when there is none
   */
  standingOf(card: Card, inSearch: Card | null | undefined): Standing
}

/** What the past of a source is made of. */
export type PastReading = {
  readonly cards: readonly Card[]
  /** Ids in search. */
  readonly known: ReadonlyMap<string, string>
  readonly review: SourceReview
  readonly trust: Trust
  readonly server?: ServerIdentity
}

/** @param stored - cards of the store by id */
export async function sourcePast(
  { cards, known, review, trust, server }: PastReading,
  stored: (ids: readonly string[]) => Promise<readonly Card[]>,
): Promise<SourcePast> {
  const isGuarded = trust === 'untrusted'
  const present = new Set(cards.map(({ id }) => id))
  const vanishedIds = [...known.keys()].filter((id) => !present.has(id))
  const vanished = isGuarded && vanishedIds.length > 0 ? await stored(vanishedIds) : []
  const goneByKey = new Map(review.gone.map((one) => [one.key, one]))
  const formers: Former<GoneCard | undefined>[] = [
    ...vanished.map((card) => ({ card, of: undefined })),
    ...review.gone.flatMap((of) => (of.card === undefined ? [] : [{ card: of.card, of }])),
  ]
  const formerOf = isGuarded && formers.length > 0 ? findFormers(formers) : () => undefined
  const heldBefore = new Map(review.held.map((one) => [`${one.card.id}\n${one.pin}`, one.since]))
  return {
    isGuarded,
    isOtherServer: isGuarded && known.size > 0 && isOther(review.server, server),
    vanishedIds,
    vanished,
    accepted: new Set(review.accepted),
    wasFlagged: new Set(review.flagged),
    heldSince: (id, pin) => heldBefore.get(`${id}\n${pin}`),
    standingOf(card, inSearch) {
      if (inSearch !== undefined) return { was: 'known', card: inSearch }
      if (!isGuarded) return { was: 'new' }
      const gone = goneByKey.get(keyIn(card))
      if (gone !== undefined) return { was: 'gone', gone }
      const former = formerOf(card)
      if (former === undefined) return { was: 'new' }
      return {
        was: 'renamed',
        card: former.card,
        ...(former.of === undefined ? {} : { gone: former.of }),
      }
    },
  }
}

/** Whether something else answers: a part that is not known yet says nothing. */
function isOther(before: ServerIdentity | undefined, now: ServerIdentity | undefined): boolean {
  if (before === undefined || now === undefined) return false
  const isNamed = before.name !== undefined && now.name !== undefined
  return before.launch !== now.launch || (isNamed && before.name !== now.name)
}

/** Characters of the texts of cards that went, kept for one source: of the newest; of older ones the pin alone stays. */
const mostCharacters = 1_000_000

/** The part of a card's id after the slash. */
export const keyIn = ({ id, source }: Card): string => id.slice(source.length + 1)

/** Each key once, the newest of each; all pins, and texts as far as there is room. */
export function boundedGone(gone: readonly GoneCard[]): readonly GoneCard[] {
  const byKey = new Map<string, GoneCard>()
  for (const one of gone) byKey.set(one.key, one)
  let room = mostCharacters
  const bounded = [...byKey.values()].reverse().map((one) => {
    if (one.card === undefined) return one
    room -= JSON.stringify(one.card).length
    return room >= 0 ? one : { key: one.key, pin: one.pin }
  })
  return bounded.reverse()
}
