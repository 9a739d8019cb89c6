import { setImmediate } from 'node:timers/promises'
import type { Card } from '../../domain/card.ts'
import type { CatalogWriter } from '../../store/catalog-writer.ts'
import { type ServerIdentity, type SourceReview, saysNothing, type Trust } from '../../store/source-review.ts'
import type { SourceState } from '../../store/source-state.ts'
import { type GuardedScanOptions, guardedScan } from '../scan/guarded-scan.ts'
import { type CardNames, namesOfSource, namesOfSources, type SourceNames } from '../scan/rules/card-names.ts'
import { firstReview } from './retire.ts'
import { type Reviewed, reviewSource } from './review-source.ts'
import { scanVersion } from './scan-version.ts'

/** A source that was read in this run. */
export type ReadSource = {
  readonly id: string
  readonly state: SourceState | undefined
  readonly cards: readonly Card[]
  readonly server?: ServerIdentity
  /** What holds where the user decided nothing. */
  readonly defaultTrust: Trust
}

/** What a run decided of a source. */
export type RunReview = Reviewed & {
  readonly trust: Trust
  /** What a live server said its version was, when it says another now. */
  readonly version?: { readonly before: string; readonly now: string }
  /** The review to write; absent when it says nothing, and nothing was there. */
  readonly write?: SourceReview
  /** Keys of reviews that this one took over, or leaves empty. */
  readonly forget: readonly string[]
}

/** Reviews the sources of one run, one after the other; what is scanned is compared with the names of all others. */
export async function reviewRun(
  sources: readonly ReadSource[],
  {
    states,
    reviews,
    names,
  }: {
    readonly states: readonly SourceState[]
    readonly reviews: readonly SourceReview[]
    /** Of all cards, see {@link allNames}; absent where these are all sources of the run. */
    readonly names?: CardNames | undefined
  },
  {
    writer,
    signal,
    saidOf,
  }: { readonly writer: CatalogWriter } & Pick<GuardedScanOptions, 'signal' | 'saidOf'>,
): Promise<ReadonlyMap<string, RunReview>> {
  let neighbours = names && Promise.resolve(names)
  const scan = async (cards: readonly Card[]) => {
    if (cards.length === 0) return new Map()
    neighbours ??= allNames(
      new Map(sources.map(({ id, cards: all }) => [id, namesOfSource(id, all)])),
      writer,
    )
    return guardedScan(cards, { neighbours: await neighbours, signal, saidOf })
  }
  const found = new Map<string, RunReview>()
  for (const source of sources) {
    await setImmediate()
    signal.throwIfAborted()
    const { id, state, cards, server, defaultTrust } = source
    const first = await firstReview({ id, launch: server?.launch }, { states, reviews }, writer)
    const trust = first.review.decision ?? defaultTrust
    const reviewed = await reviewSource(
      {
        cards,
        known: await writer.hashes(id),
        review: first.review,
        trust,
        ...(server === undefined ? {} : { server }),
        scan: state === undefined || state.scan === scanVersion ? 'changed' : 'all',
        now: new Date().toISOString(),
      },
      { stored: (ids) => writer.cards(ids), scan },
    )
    const isKnown = reviews.some(({ key }) => key === id)
    const isEmpty = saysNothing(reviewed.review)
    found.set(id, {
      ...reviewed,
      trust,
      ...versions(first.review.server?.version, server?.version),
      ...(isEmpty || isSame(first.review, reviewed.review, isKnown) ? {} : { write: reviewed.review }),
      forget: [...(first.adopted === undefined ? [] : [first.adopted]), ...(isEmpty && isKnown ? [id] : [])],
    })
  }
  return found
}

const versions = (before: string | undefined, now: string | undefined): Pick<RunReview, 'version'> =>
  before === undefined || now === undefined || before === now ? {} : { version: { before, now } }

/** An unchanged review is not written again: an index run that finds nothing new commits nothing but the time. */
const isSame = (before: SourceReview, after: SourceReview, isKnown: boolean): boolean =>
  isKnown && JSON.stringify(before) === JSON.stringify(after)

/** The names of all cards, as the store and this run have them. @param read - those of each source that is read in the run, by its id */
export async function allNames(
  read: ReadonlyMap<string, SourceNames>,
  writer: Pick<CatalogWriter, 'ids'>,
): Promise<CardNames> {
  const stored: { source: string; keys: string[] }[] = []
  for (const { id, source } of await writer.ids()) {
    if (read.has(source)) continue
    if (stored.at(-1)?.source !== source) stored.push({ source, keys: [] })
    stored.at(-1)!.keys.push(id.slice(source.length + 1))
  }
  return namesOfSources([
    ...stored.map(({ source, keys }) => ({ source, keys, names: keys })),
    ...read.values(),
  ])
}
