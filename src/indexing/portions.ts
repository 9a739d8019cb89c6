import { setImmediate } from 'node:timers/promises'
import { isBundledLocation } from '../catalog/bundled-parts.ts'
import { areComposed } from '../catalog/formats/capability-profile.ts'
import type { Card } from '../domain/card.ts'
import type { CatalogWriter } from '../store/catalog-writer.ts'
import { hasOwnCards, isBundledWanted } from '../trust/bundled/bundled-choice.ts'
import { allNames } from '../trust/review/review-run.ts'
import { scanVersion } from '../trust/review/scan-version.ts'
import { type CardNames, namesOfSource, type SourceNames } from '../trust/scan/rules/card-names.ts'
import type { FoundSources, PlanRequest } from './find-sources.ts'
import { lastRead, type OpenSource } from './open-source.ts'
import {
  isDeclined,
  namesIn,
  type ReadPart,
  readSource,
  readSources,
  type SourceRead,
} from './read-source.ts'

/** Sources of a run that were read, and are planned and committed together. */
export type Portion = {
  readonly parts: readonly ReadPart[]
  /** Names of the cards of all portions and of the store; absent where this is the only one. */
  readonly names?: CardNames | undefined
  /** Absent unless it is the last one. Whether a source of the bundled catalog is read and stays. */
  readonly isWanted?: (place: { readonly location: string }) => boolean
}

/** Cards of a portion from which it is full. */
const usualPortion = 50_000

type Reading = {
  readonly writer: CatalogWriter
  /** Told of cards that will be scanned. */
  readonly onCards: (cards: readonly Card[]) => void
  /** Cards from which a portion is full. */
  readonly most?: number | undefined
}

/**
 * Reads the sources of a run until there are many new cards, and goes on when these are dealt with. What was asked of others (servers,
 * addresses), or has cards of the store beside it, is in the first portion. The bundled catalog comes last, since it is wanted where
 * nobody has cards of their own.
 */
export async function* readPortions(
  run: FoundSources,
  request: PlanRequest,
  { writer, onCards, most = usualPortion }: Reading,
): AsyncGenerator<Portion> {
  const { found, ids, stateOf, states, removed, reviews, named } = run
  const { signal } = request
  const ours = found.filter(({ location }) => isBundledLocation(location))
  const theirs = found.filter((source) => !isBundledLocation(source.location))
  const isWanted = (owner: 'own' | 'none') => isBundledWanted({ named, reviews, owner })
  let isOwner = hasOwnCards(states.filter((state) => !removed.includes(state)))
  let total = theirs.length + ours.filter(isWanted(isOwner ? 'own' : 'none')).length
  request.onSources?.(total)
  const read = readerOf(run, request, { writer, onCards, totalOf: () => total })
  const inOrder = (parts: readonly ReadPart[]): readonly ReadPart[] => {
    const byId = new Map(parts.map((part) => [part.id, part]))
    return found.flatMap((source) => byId.get(ids.get(source)!) ?? [])
  }

  const isAside = ({ isLive, launch, unread = [] }: OpenSource): boolean =>
    isLive || launch !== undefined || unread.length > 0
  const aside = readSources(theirs.filter(isAside), stateOf, { signal, read })
  // It is waited for below: until then nobody else may hear of its end.
  aside.catch(() => undefined)
  // New ones first, so that they are compared with known ones as these are before the run.
  const files = theirs
    .filter((source) => !isAside(source))
    .sort((a, b) => Number(stateOf(a) !== undefined) - Number(stateOf(b) !== undefined))
  let parts: ReadPart[] = []
  let cards = 0
  let names: CardNames | undefined
  for (const [at, source] of files.entries()) {
    await setImmediate()
    signal.throwIfAborted()
    const part = await read(source)
    parts.push(part)
    cards += cardsOf(part)
    isOwner ||= hasCards(part)
    if (cards < most || at === files.length - 1) continue
    if (names === undefined) {
      parts.push(...(await aside))
      const coming = [...files.slice(at + 1), ...ours.filter(isWanted(isOwner ? 'own' : 'none'))]
      names = await namesOfRun(parts, coming, { run, request, writer })
    }
    yield { parts: inOrder(parts), names }
    ;[parts, cards] = [[], 0]
  }
  if (names === undefined) parts.push(...(await aside))
  isOwner ||= (await aside).some(hasCards)
  const isWantedNow = isWanted(isOwner ? 'own' : 'none')
  const oursNow = ours.filter(isWantedNow)
  total = theirs.length + oursNow.length
  const last = await readSources(oursNow, stateOf, { signal, read })
  yield { parts: [...inOrder(parts), ...last], names, isWanted: isWantedNow }
}

/** Reads one source of a run. */
function readerOf(
  run: FoundSources,
  request: PlanRequest,
  { writer, onCards, totalOf }: Pick<Reading, 'writer' | 'onCards'> & { readonly totalOf: () => number },
) {
  const { ids, stateOf, reviews } = run
  let done = 0
  return async (source: OpenSource): Promise<ReadPart> => {
    const [id, state] = [ids.get(source)!, stateOf(source)]
    const kept = await lastRead(id, source.unread ?? [], { reviews, writer })
    const own = { kept, isDeclined: isDeclined(source, reviews, request.declined) }
    const result = run.isElsewhere(source)
      ? leftToItsProject
      : await readSource(source, { id, state }, { ...request, ...harvestOf(source, request), ...own })
    if (result.outcome === 'read' && state?.scan !== scanVersion) onCards(result.cards)
    source.release?.()
    done += 1
    request.onSource?.(id, done, totalOf())
    return { source, id, state, result }
  }
}

/** Names of the cards that were read, of those that will be, and of the rest of the store. */
async function namesOfRun(
  parts: readonly ReadPart[],
  coming: readonly OpenSource[],
  {
    run: { found, ids, stateOf },
    request,
    writer,
  }: { readonly run: FoundSources; readonly request: PlanRequest; readonly writer: CatalogWriter },
): Promise<CardNames> {
  request.onNames?.()
  const names = new Map<string, SourceNames>()
  for (const { id, result } of parts)
    if (result.outcome === 'read') names.set(id, namesOfSource(id, result.cards))
  for (const source of coming.filter(({ isLive }) => !isLive)) {
    await setImmediate()
    const id = ids.get(source)!
    const own = await namesIn(source, { id, state: stateOf(source) }, request.signal)
    if (own !== null) names.set(id, own)
  }
  const ordered = found.flatMap((source) => {
    const id = ids.get(source)!
    const own = names.get(id)
    return own === undefined ? [] : [[id, own] as const]
  })
  return allNames(new Map(ordered), writer)
}

const cardsOf = ({ result }: ReadPart): number => (result.outcome === 'read' ? result.cards.length : 0)

const hasCards = ({ result }: ReadPart): boolean =>
  result.outcome === 'read' && result.cards.length > 0 && !areComposed(result.cards)

/** Servers of the bundled catalog are ours: nobody has to agree. */
const harvestOf = ({ location }: OpenSource, { harvest }: PlanRequest): Pick<PlanRequest, 'harvest'> => ({
  harvest: harvest === 'agreed' && isBundledLocation(location) ? 'allowed' : harvest,
})

/** A server of another project is read by runs that are made there. */
const leftToItsProject: SourceRead = { outcome: 'kept', problems: [], notAsked: 'other project' }
