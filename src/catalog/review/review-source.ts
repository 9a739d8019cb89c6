import type { Card, CardKind } from '../../domain/card.ts'
import { contentHash } from '../identity.ts'
import type { Finding } from '../scan/finding.ts'
import { boundedGone, keyIn } from './gone-cards.ts'
import { judgeCard, type Standing } from './judge-card.ts'
import { type Former, findFormers } from './find-former.ts'
import { pinOf } from './pin.ts'
import { type HeldTool, settleOwner } from './settle-owners.ts'
import {
  type GoneCard,
  type HeldCard,
  isQuarantined,
  type ServerIdentity,
  type SourceReview,
  type Trust,
} from './source-review.ts'

/** One source as a run read it, beside what the store has of it. */
export type SourceReading = {
  /** As read, each id once. */
  readonly cards: readonly Card[]
  /** Ids and content hashes of the source's cards in search. */
  readonly known: ReadonlyMap<string, string>
  readonly review: SourceReview
  readonly trust: Trust
  /** What answered; absent for files. */
  readonly server?: ServerIdentity
  /** `all`: the store's cards were looked through by another version of the scan, or never. */
  readonly scan: 'changed' | 'all'
  /** ISO 8601. */
  readonly now: string
}

/** What a review asks of others. */
export type ReviewAids = {
  /** Cards of the store by id. */
  stored(ids: readonly string[]): Promise<readonly Card[]>
  scan(cards: readonly Card[]): Promise<ReadonlyMap<string, readonly Finding[]>>
}

/** What becomes of the cards of a source. */
export type Reviewed = {
  readonly put: readonly Card[]
  readonly remove: readonly string[]
  readonly review: SourceReview
  /** Cards in search once this is committed. */
  readonly inSearch: { readonly [kind in CardKind]: number }
  readonly added: number
  readonly changed: number
  /** Findings of this run by card id. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>
}

/** The cards of a source that went, by what is known of them. */
type FormerPlace = 'search' | GoneCard

/**
 * Decides of each card that was read whether it gets into search or is held, and what stays there in its place. Tools
 * first, then the agents that own them, whose lists of tools show only what is in search.
 */
export async function reviewSource(reading: SourceReading, aids: ReviewAids): Promise<Reviewed> {
  const { cards, known, review, trust, server, now } = reading
  const isGuarded = trust === 'untrusted'
  const isOtherServer = isGuarded && known.size > 0 && isOther(review.server, server)
  const present = new Set(cards.map(({ id }) => id))
  const vanishedIds = [...known.keys()].filter((id) => !present.has(id))
  const vanished = isGuarded && vanishedIds.length > 0 ? await aids.stored(vanishedIds) : []
  const goneByKey = new Map(review.gone.map((one) => [one.key, one]))
  const formers: Former<FormerPlace>[] = [
    ...vanished.map((card) => ({ card, of: 'search' as const })),
    ...review.gone.flatMap((of) => (of.card === undefined ? [] : [{ card: of.card, of }])),
  ]
  const formerOf = isGuarded && formers.length > 0 ? findFormers(formers) : () => undefined
  const accepted = new Set(review.accepted)
  const heldBefore = new Map(review.held.map((one) => [`${one.card.id}\n${one.pin}`, one.since]))
  const wasFlagged = new Set(review.flagged)

  const put: Card[] = []
  const held: HeldCard[] = []
  const heldTools: HeldTool[] = []
  const owners: Card[] = []
  const flagged: string[] = []
  const remove = new Set<string>()
  const cameBack = new Set<GoneCard>()
  const renamed = new Set<string>()
  const kinds = new Map<string, CardKind>()
  const allFindings = new Map<string, readonly Finding[]>()
  let added = 0
  let changed = 0

  const differs = (card: Card): boolean => known.get(card.id) !== contentHash(card)

  const pass = async (group: readonly Card[]): Promise<void> => {
    const others = new Set(group.filter(differs))
    const scanned = reading.scan === 'all' || isOtherServer ? group : [...others]
    const findings = scanned.length === 0 ? new Map<string, readonly Finding[]>() : await aids.scan(scanned)
    for (const [id, found] of findings) allFindings.set(id, found)
    const wanted = [...others].filter(
      ({ id }) => known.has(id) && (isGuarded || isQuarantined({ findings: findings.get(id) ?? [] })),
    )
    const olds = new Map(
      (wanted.length === 0 ? [] : await aids.stored(wanted.map(({ id }) => id))).map((one) => [one.id, one]),
    )
    const oldFindings =
      reading.scan === 'all' && olds.size > 0
        ? await aids.scan([...olds.values()])
        : new Map<string, readonly Finding[]>()

    for (const card of group) {
      const found = findings.get(card.id) ?? []
      const isKnown = known.has(card.id)
      const isUnchanged = isKnown && !others.has(card)
      if (isUnchanged && !isOtherServer && found.length === 0) {
        kinds.set(card.id, card.kind)
        // Another version of the scan finds nothing here: the flag goes.
        if (wasFlagged.has(card.id)) {
          if (reading.scan === 'all') put.push(card)
          else flagged.push(card.id)
        }
        continue
      }
      const gone = goneByKey.get(keyIn(card))
      const former = isKnown || gone !== undefined ? undefined : formerOf(card)
      const standing: Standing = isKnown
        ? { was: 'known', card: isUnchanged ? card : (olds.get(card.id) ?? null) }
        : gone !== undefined && isGuarded
          ? { was: 'gone', gone }
          : former === undefined
            ? { was: 'new' }
            : former.of === 'search'
              ? { was: 'renamed', card: former.card }
              : { was: 'renamed', card: former.card, pin: former.of.pin }
      const { verdict, pin, change } = judgeCard(card, standing, {
        isGuarded,
        isOtherServer,
        accepted,
        findings: found,
        before: review.server ?? server,
        now: server,
      })
      if (verdict === 'take') {
        const flags = found.length === 0 ? card : { ...card, flags: found }
        if (!isUnchanged || found.length > 0 || wasFlagged.has(card.id)) put.push(flags)
        if (found.length > 0) flagged.push(card.id)
        if (!isKnown) added += 1
        else if (!isUnchanged) changed += 1
        kinds.set(card.id, card.kind)
        if (gone !== undefined) cameBack.add(gone)
        if (former?.of === 'search') renamed.add(former.card.id)
        else if (former !== undefined) cameBack.add(former.of)
        continue
      }
      const { pinned, restored, replaces } = placeOf(card, standing, isUnchanged, found)
      const isPoisonedToo =
        pinned !== null &&
        isQuarantined({ findings: oldFindings.get(pinned.id) ?? [] }) &&
        !accepted.has(pinOf(pinned, review.server ?? server))
      const keeps = replaces !== undefined && !isPoisonedToo
      if (isKnown && !keeps) remove.add(card.id)
      if (keeps && pinned !== null) {
        kinds.set(replaces, pinned.kind)
        if (wasFlagged.has(replaces)) flagged.push(replaces)
        if (restored && gone !== undefined) {
          put.push(pinned)
          cameBack.add(gone)
        }
      }
      held.push({
        card,
        pin,
        since: heldBefore.get(`${card.id}\n${pin}`) ?? now,
        ...(keeps ? { replaces } : {}),
        ...(change === undefined ? {} : { change }),
        ...(!keeps && standing.was === 'renamed' ? { former: standing.card } : {}),
        findings: found,
      })
      if (card.kind === 'tool') heldTools.push({ card, pinned: keeps ? pinned : null })
    }
  }

  await pass(cards.filter(({ kind }) => kind === 'tool'))
  const agents = cards.filter(({ kind }) => kind === 'agent')
  await pass(
    agents.map((card) => {
      const settled = settleOwner(card, heldTools)
      if (settled !== card) owners.push(card)
      return settled
    }),
  )

  const isKept = new Set(held.map(({ replaces }) => replaces))
  for (const card of vanished) {
    // Until its user accepts another server, the cards of the one before stay.
    if (isOtherServer && !renamed.has(card.id)) kinds.set(card.id, card.kind)
    else if (!isKept.has(card.id)) remove.add(card.id)
  }
  if (!isGuarded) for (const id of vanishedIds) remove.add(id)
  const nowGone = vanished
    .filter(({ id }) => remove.has(id) && !renamed.has(id))
    .map((card) => ({ key: keyIn(card), pin: pinOf(card, review.server ?? server), card }))
  const waitsForServer = isOtherServer && held.some(({ change }) => change !== undefined)
  const pinnedServer = waitsForServer ? review.server : (server ?? review.server)
  const inSearch = { tool: 0, agent: 0 }
  for (const kind of kinds.values()) inSearch[kind] += 1
  return {
    put,
    remove: [...remove],
    review: {
      key: review.key,
      ...(pinnedServer === undefined ? {} : { server: pinnedServer }),
      ...(waitsForServer && server !== undefined ? { otherServer: server } : {}),
      ...(review.decision === undefined ? {} : { decision: review.decision }),
      accepted: review.accepted,
      held,
      gone: boundedGone([...review.gone.filter((one) => !cameBack.has(one)), ...nowGone]),
      flagged: [...new Set(flagged)].sort(),
      owners,
    },
    inSearch,
    added,
    changed,
    findings: allFindings,
  }
}

/** What stands in search while a card is held. */
function placeOf(
  card: Card,
  standing: Standing,
  isUnchanged: boolean,
  findings: readonly Finding[],
): { readonly pinned: Card | null; readonly restored: boolean; readonly replaces?: string } {
  switch (standing.was) {
    case 'new':
      return { pinned: null, restored: false }
    case 'known': {
      // What is in search is the very text that the scan now finds at fault.
      if (isUnchanged && isQuarantined({ findings })) return { pinned: null, restored: false }
      return { pinned: standing.card, restored: false, replaces: card.id }
    }
    case 'renamed':
      return standing.pin === undefined
        ? { pinned: standing.card, restored: false, replaces: standing.card.id }
        : { pinned: null, restored: false }
    case 'gone': {
      const { card: old } = standing.gone
      if (old === undefined) return { pinned: null, restored: false }
      const { id, source, provenance, runtime } = card
      // In the order of the old one's fields, since the content hash goes by it.
      const pinned = { ...old, id, source, provenance, ...(runtime === undefined ? {} : { runtime }) } as Card
      return { pinned, restored: true, replaces: id }
    }
  }
}

/** Whether something else answers: a part that is not known yet says nothing. */
function isOther(before: ServerIdentity | undefined, now: ServerIdentity | undefined): boolean {
  if (before === undefined || now === undefined) return false
  const isNamed = before.name !== undefined && now.name !== undefined
  return before.launch !== now.launch || (isNamed && before.name !== now.name)
}
