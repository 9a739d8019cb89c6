import { RemedyError } from '../domain/remedy-error.ts'
import {
  type CatalogChange,
  type CatalogWriter,
  NotAgreedError,
  type Sending,
} from '../store/catalog-writer.ts'
import type { SourceState } from '../store/source-state.ts'
import { enrichChange, type KeptEnrichments } from './enrich-cards.ts'
import type { IndexOptions, IndexReport } from './index-report.ts'
import type { SourceSurroundings } from './open-source.ts'

type Committing = Pick<SourceSurroundings, 'enricher' | 'enrichments' | 'mostCards'> &
  Pick<IndexOptions, 'agreeToSend' | 'dryRun'> & {
    readonly write: (share: number, what: string) => void
    readonly signal: AbortSignal
  }

/** What was sent to others, or would be. */
type Sent = Pick<IndexReport, 'sending' | 'enriching' | 'enrichment'>

const nothingKept: KeptEnrichments = {
  find: () => undefined,
  isEmpty: () => true,
  keep: () => undefined,
}

/** Commits the changes of portions; those of all at once where something is counted or agreed to over all cards. */
export function portionCommitter(
  writer: CatalogWriter,
  { enricher, enrichments = nothingKept, mostCards, agreeToSend, dryRun = false, write, signal }: Committing,
) {
  const agree = async (sending: Sending): Promise<boolean> => (await agreeToSend?.(sending)) === true
  let waiting: CatalogChange | null = null
  return {
    /**
     * @param states - all sources as they are then
     * @returns null when the change waits for the next portion
     */
    async commit(
      planned: CatalogChange,
      states: readonly SourceState[],
      isLast: boolean,
    ): Promise<Sent | null> {
      const whole = waiting === null ? planned : joined(waiting, planned)
      waiting = isLast ? null : whole
      if (!isLast && (enricher !== undefined || mostCards !== undefined)) return null
      checkCount(whole, states, mostCards)
      const { change, ...enriched } = await enrichChange(whole, writer, {
        agree,
        signal,
        dryRun,
        kept: enrichments,
        enricher,
        onProgress: (done, of) => write(0, `enriching ${done} of ${of} cards`),
      })
      const isDue = hasContent(change) || (isLast && !(await writer.isCurrent()))
      const sending = isDue ? ((await writer.sending?.(change)) ?? null) : null
      if (!isLast && sending !== null) return null
      waiting = null
      if (!dryRun && isDue) {
        if (sending !== null && !sending.isAgreed) {
          if (!(await agree(sending))) throw new NotAgreedError(sending)
          writer.agree?.(sending)
        }
        await writer.commit(change, write, signal)
      }
      return {
        ...(sending === null ? {} : { sending }),
        ...(enriched.sending === undefined ? {} : { enriching: enriched.sending }),
        ...(enriched.report === undefined ? {} : { enrichment: enriched.report }),
      }
    },
  }
}

const hasContent = ({ models: _, ...change }: CatalogChange): boolean =>
  Object.values(change).some(({ length }) => length > 0)

/** One change that does what two do, of different sources. */
const joined = (first: CatalogChange, second: CatalogChange): CatalogChange => ({
  put: [...first.put, ...second.put],
  remove: [...first.remove, ...second.remove],
  sources: [...first.sources, ...second.sources],
  removeSources: [...first.removeSources, ...second.removeSources],
  models: [...(first.models ?? []), ...(second.models ?? [])],
  reviews: [...(first.reviews ?? []), ...(second.reviews ?? [])],
  removeReviews: [...(first.removeReviews ?? []), ...(second.removeReviews ?? [])],
})

export const countsOf = (states: readonly SourceState[]) => ({
  tools: states.reduce((sum, { tools }) => sum + tools, 0),
  agents: states.reduce((sum, { agents }) => sum + agents, 0),
})

/** @throws RemedyError when cards would be added beyond what the index may hold */
function checkCount(
  { put }: CatalogChange,
  states: readonly SourceState[],
  mostCards = Number.POSITIVE_INFINITY,
): void {
  const { tools, agents } = countsOf(states)
  if (tools + agents <= mostCards || put.length === 0) return
  throw new RemedyError(
    `The index would hold ${tools + agents} cards, and may hold ${mostCards}. Nothing was changed.`,
    'Index fewer places, or raise the quota: `audition tenants quota --help`.',
  )
}
