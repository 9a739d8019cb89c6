import type { Card } from '../../domain/card.ts'
import { addTo } from '../../domain/grouped.ts'
import { normalised } from '../../domain/text/normalised.ts'
import { keyOfName } from '../../domain/text/word-rules.ts'
import type { GoneCard, HeldCard, ServerIdentity, SourceReview, Trust } from '../../store/source-review.ts'
import type { Precedent } from './judge-card.ts'
import { keyIn, refusedFirst } from './gone-cards.ts'
import { inputsPinOf, textPinOf } from './pin.ts'
import { refusalsOf } from './refusals.ts'

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
  /** Pins of texts that the user refused, with the change for which they are held. */
  readonly refused: ReadonlyMap<string, HeldCard['change']>
  /** Ids of cards in search that the scan flagged. */
  readonly wasFlagged: ReadonlySet<string>
  /** Since when a text is held, from now on where it was not, and whether it was refused. */
  heldSince(id: string, pin: string, now: string): Pick<HeldCard, 'since' | 'refused'>
  /**
   * What a card that was read stands against.
   *
   * @param inSearch - the card of its id in search: null when it cannot be read back, undefined when there is none
   */
  precedentOf(card: Card, inSearch: Card | null | undefined): Precedent
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
  const presentKeys = new Set(cards.map(keyIn))
  const vanishedIds = [...known.keys()].filter((id) => !present.has(id))
  const vanished = isGuarded && vanishedIds.length > 0 ? await stored(vanishedIds) : []
  // What was in search last counts before what was refused of that key.
  const goneByKey = new Map([...review.gone].sort(refusedFirst).map((one) => [one.key, one]))
  const refusals = refusalsOf(review, server)
  const formers: Former<GoneCard | undefined>[] = [
    ...vanished.map((card) => ({ card, of: undefined })),
    ...review.gone.flatMap((of) => {
      const { card } = of
      // What was refused and is still there is no other card's past.
      const isHere = of.refused && presentKeys.has(of.key)
      return card === undefined || isHere ? [] : [{ card, of }]
    }),
  ]
  const formerOf = isGuarded && formers.length > 0 ? findFormers(formers) : () => undefined
  const heldBefore = new Map(review.held.map(({ card, pin, since }) => [`${card.id}\n${pin}`, since]))
  return {
    isGuarded,
    isOtherServer: isGuarded && known.size > 0 && isOther(review.server, server),
    vanishedIds,
    vanished,
    accepted: new Set(review.accepted),
    refused: refusals.changes,
    wasFlagged: new Set(review.flagged),
    heldSince: (id, pin, now) => {
      const isRefused = refusals.isRefused(id, pin)
      return { since: heldBefore.get(`${id}\n${pin}`) ?? now, ...(isRefused ? { refused: true } : {}) }
    },
    precedentOf(card, inSearch) {
      if (inSearch !== undefined) return { was: 'known', card: inSearch }
      if (!isGuarded) return { was: 'new' }
      const gone = goneByKey.get(keyIn(card))
      if (gone !== undefined) return { was: 'gone', gone }
      const former = formerOf(card) ?? refusals.copiedBy(card)
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

/** A card that is gone, and may have come back under another name. */
type Former<Of> = { readonly card: Card; readonly of: Of }

/** Share of the shorter text's words that both have, from which on one is the other rewritten. */
const nearEqual = 0.7
/** Texts with fewer words say too little to be told apart by them. */
const fewestWords = 4
/** Words by which likely candidates are looked up, and candidates compared: what bounds the work. */
const lookedUp = 8
const mostCompared = 200

/**
 * Finds which of the cards that went a new one is: one with the same name but for look-alike letters, case and
 * punctuation; one that says the same under another name; one that takes the same inputs; one whose words are nearly the
 * same, however much was added.
 *
 * @param formers - earlier ones win
 * @returns a lookup, undefined for a card that is none of them
 */
export function findFormers<Of>(formers: readonly Former<Of>[]): (card: Card) => Former<Of> | undefined {
  const exact = new Map<string, Former<Of>>()
  const words = new Map<string, Former<Of>[]>()
  const sets = new Map<Former<Of>, ReadonlySet<string>>()
  for (const former of formers) {
    for (const key of exactKeys(former.card)) if (!exact.has(key)) exact.set(key, former)
    const set = wordsOf(former.card)
    sets.set(former, set)
    for (const word of set) addTo(words, word, former)
  }

  const nearest = (card: Card): Former<Of> | undefined => {
    const own = wordsOf(card)
    const rare = [...own]
      .filter((word) => words.has(word))
      .sort((a, b) => words.get(a)!.length - words.get(b)!.length)
      .slice(0, lookedUp)
    const likely = new Set<Former<Of>>()
    for (const word of rare) {
      for (const former of words.get(word)!) if (likely.size < mostCompared) likely.add(former)
    }
    let best: { readonly former: Former<Of>; readonly share: number } | undefined
    for (const former of likely) {
      if (former.card.kind !== card.kind) continue
      const share = sharedPart(own, sets.get(former)!)
      if (share >= nearEqual && share > (best?.share ?? 0)) best = { former, share }
    }
    return best?.former
  }

  return (card) => {
    for (const key of exactKeys(card)) {
      const former = exact.get(key)
      if (former !== undefined) return former
    }
    return nearest(card)
  }
}

/** What makes two cards the same by itself, the surest first. */
function exactKeys(card: Card): readonly string[] {
  const inputs = inputsPinOf(card)
  const name = skeleton(card.name)
  return [
    ...(card.description.trim() === '' && inputs === null ? [] : [`text ${textPinOf(card)}`]),
    ...(name === '' ? [] : [`name ${card.kind} ${name}`]),
    ...(inputs === null ? [] : [`inputs ${inputs}`]),
  ]
}

/** Letters of other scripts that look like Latin ones, and the Latin one before them: the few that names are forged with. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  'aаα bв cс dԁ eеёε hнһ iіїιı jј kкκ lӏ1 mм oоο0 pрρ qԛ sѕ tтτ uυ vν wԝ xхχ yу'
    .split(' ')
    .flatMap(([latin = '', ...others]) => others.map((other) => [other, latin])),
)

/** A name without case, punctuation and the tricks of look-alike letters. */
const skeleton = (name: string): string =>
  [...keyOfName(name)].map((letter) => lookAlikes.get(letter) ?? letter).join('')

/** The words of a card's texts, lower-case. */
function wordsOf(card: Card): ReadonlySet<string> {
  const inputs =
    card.kind === 'tool'
      ? card.parameters.flatMap(({ name, description }) => [name, description])
      : [card.instructions ?? '']
  const text = normalised([card.description, ...inputs].join(' '), 'NFKC').toLowerCase()
  return new Set(text.match(/[\p{L}\p{N}]+/gu) ?? [])
}

/** Share of the smaller set that the other has too, 0..1; 0 where the smaller one says too little. */
function sharedPart(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a]
  if (small.size < fewestWords) return 0
  let shared = 0
  for (const word of small) if (large.has(word)) shared += 1
  return shared / small.size
}
