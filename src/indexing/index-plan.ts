import { isBundledLocation } from '../catalog/bundled-parts.ts'
import type { CatalogChange, CatalogWriter } from '../store/catalog-writer.ts'
import { emptyReview } from '../store/source-review.ts'
import type { SourceState } from '../store/source-state.ts'
import { deciding } from '../trust/bundled/bundled-choice.ts'
import { retireSources } from '../trust/review/retire.ts'
import { type ReadSource, reviewRun } from '../trust/review/review-run.ts'
import type { ScanAhead } from '../trust/scan/scan-ahead.ts'
import { defaultTrust, isBound, storedStanding } from '../trust/standing.ts'
import type { FoundSources, PlanRequest } from './find-sources.ts'
import { movedSources } from './gone-sources.ts'
import type { SourceReport } from './index-report.ts'
import { goneReport, planSource, unreadSource } from './plan-source.ts'
import type { Portion } from './portions.ts'
import { declining, type ReadPart } from './read-source.ts'

/** The key of the row that is there until the first run over sources of others is over: what came with it is nobody's newcomer. */
const firstRun = 'first-run'

/** All that a portion would change, and the report of it. */
export type PortionPlan = {
  readonly change: CatalogChange
  /** Of the sources that were read. */
  readonly plans: readonly SourceReport[]
  /** Of the others, with the last portion. */
  readonly others: readonly SourceReport[]
  /** Sources of the bundled catalog that leave search, since the user has sources of their own now. */
  readonly switchedOff: readonly SourceState[]
}

/** Compares a portion with the store; with the last one also what was not read of it. Changes nothing. */
export async function planPortion(
  { parts, names, isWanted }: Portion,
  run: FoundSources,
  {
    writer,
    request,
    saidOf,
  }: { readonly writer: CatalogWriter; readonly request: PlanRequest } & Pick<ScanAhead, 'saidOf'>,
): Promise<PortionPlan> {
  const { states, reviews, named, removed } = run
  const { signal, now } = request
  const reviewed = await reviewRun(
    parts.flatMap((part) => readOf(part)),
    { states, reviews, names },
    { writer, signal, saidOf },
  )
  const beginning = runBeginning(run)
  const facts = { now, isFirst: beginning !== 'past', moved: await movedSources(parts, states, writer) }
  const isLast = isWanted !== undefined
  const planned = parts.map((part) => planSource(part, reviewed.get(part.id), facts))
  const unread = isLast ? [...run.unread].map(unreadSource) : []
  const switchedOff = isLast
    ? states.filter(
        (state) => !removed.includes(state) && isBundledLocation(state.location) && !isWanted(state),
      )
    : []
  const removeSources = isLast ? [...removed, ...switchedOff, ...run.copies].map(({ id }) => id) : []
  const reviewedAll = [...reviewed.values()]
  const changes: ReviewChanges[] = [
    await retireSources({ ids: removeSources, by: 'place' }, reviews, writer),
    deciding(isLast ? named : [], 'on', reviews),
    declining(parts, isLast ? (request.declined ?? []) : [], reviews),
    ...(isLast ? [run.places] : []),
    isLast ? firstRunOver(beginning, names !== undefined) : firstRunBegun(beginning),
    {
      reviews: reviewedAll.flatMap(({ write }) => write ?? []),
      removeReviews: reviewedAll.flatMap(({ forget }) => forget),
    },
  ]
  return {
    change: {
      put: reviewedAll.flatMap(({ put }) => put),
      remove: reviewedAll.flatMap(({ remove }) => remove),
      sources: eachOnce([
        ...(isLast ? run.renamed : []),
        ...[...planned, ...unread].flatMap(({ state }) => state ?? []),
      ]).filter(({ id }) => !removeSources.includes(id)),
      removeSources,
      models: parts.flatMap(modelsOf),
      reviews: changes.flatMap((one) => one.reviews),
      removeReviews: changes.flatMap((one) => one.removeReviews),
    },
    plans: planned.map(({ plan }) => plan),
    others: [...unread.map(({ plan }) => plan), ...(isLast ? removed.map(goneReport) : [])],
    switchedOff,
  }
}

type ReviewChanges = Required<Pick<CatalogChange, 'reviews' | 'removeReviews'>>

/** Whether this is the first run over sources of others, or a portion of it after the first; `past` of every later run. */
type Beginning = 'first' | 'marked' | 'past'

function runBeginning({ states, reviews }: FoundSources): Beginning {
  if (reviews.some(({ key }) => key === firstRun)) return 'marked'
  return states.some((state) => isBound(storedStanding(state))) ? 'past' : 'first'
}

/** Remembers the first run until its last portion. */
const firstRunBegun = (beginning: Beginning): ReviewChanges => ({
  reviews: beginning === 'first' ? [emptyReview(firstRun)] : [],
  removeReviews: [],
})

/** @param isPortion - of several, so that another one may have remembered the first run */
const firstRunOver = (beginning: Beginning, isPortion: boolean): ReviewChanges => ({
  reviews: [],
  removeReviews: beginning === 'marked' || (beginning === 'first' && isPortion) ? [firstRun] : [],
})

const modelsOf = ({ id, result }: ReadPart): NonNullable<CatalogChange['models']> =>
  result.outcome === 'read' && result.models !== undefined ? [{ source: id, list: result.models }] : []

/** The last state of each id. */
const eachOnce = (states: readonly SourceState[]): readonly SourceState[] => [
  ...new Map(states.map((state) => [state.id, state])).values(),
]

const readOf = ({ source, id, state, result }: ReadPart): ReadSource[] =>
  result.outcome === 'read' ? [{ ...result, id, state, defaultTrust: defaultTrust(source) }] : []
