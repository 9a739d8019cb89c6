import { enrichChange, type KeptEnrichments } from './enrich-cards.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import { type IndexPlan, planIndex } from './index-plan.ts'
import type { IndexOptions, IndexReport } from './index-report.ts'
import type { Surroundings } from './open-source.ts'
import { type CatalogWriter, NotAgreedError, OvertakenError, type Sending } from '../store/catalog-writer.ts'
import { setTimeout as wait } from 'node:timers/promises'

/** Longest wait for one live server, in milliseconds, where nobody says another. */
const defaultTimeoutMs = 30_000

/** Reads the locations, commits what changed as a whole, and reports per source. */
export async function indexSources(
  writer: CatalogWriter,
  surroundings: Surroundings,
  options: IndexOptions,
): Promise<Omit<IndexReport, 'seconds'>> {
  const { onProgress = () => undefined, signal = new AbortController().signal } = options
  const plan = await planIndex(writer, surroundings, {
    locations: options.locations,
    ...(options.found === undefined ? {} : { found: options.found }),
    ...(options.as === undefined ? {} : { as: options.as }),
    harvest: options.harvest ?? 'allowed',
    ...(options.agreed === undefined ? {} : { agreed: options.agreed }),
    ...(options.declined === undefined ? {} : { declined: options.declined }),
    refresh: options.refresh ?? false,
    isBackground: options.isBackground ?? false,
    timeoutMs: options.harvestTimeoutMs ?? defaultTimeoutMs,
    now: new Date(),
    signal,
    onSources: (sources) => onProgress({ step: 'discover', sources }),
    onSource: (source, done, total) => onProgress({ step: 'read', source, done, total }),
  })
  const counts = countsOf(plan)
  checkCount(plan, counts, surroundings.mostCards)
  const agree = async (sending: Sending): Promise<boolean> => (await options.agreeToSend?.(sending)) === true
  const { change, ...enriched } = await enrichChange(plan.change, writer, {
    ...{ agree, signal, dryRun: options.dryRun ?? false },
    kept: surroundings.enrichments ?? nothingKept,
    enricher: surroundings.enricher,
    onProgress: (done, of) =>
      onProgress({ step: 'write', share: 0, what: `enriching ${done} of ${of} cards` }),
  })
  const { put, remove, removeSources, sources, reviews = [], removeReviews = [] } = change
  const changes = [put, remove, removeSources, sources, reviews, removeReviews]
  const isDue = changes.some(({ length }) => length > 0) || !(await writer.isCurrent())
  const sending = isDue ? ((await writer.sending?.(change)) ?? null) : null
  if (options.dryRun !== true && isDue) {
    if (sending !== null && !sending.isAgreed) {
      if (!(await agree(sending))) throw new NotAgreedError(sending)
      writer.agree?.(sending)
    }
    await writer.commit(change, (share, what) => onProgress({ step: 'write', share, what }), signal)
  }
  return {
    sources: plan.plans,
    ...(sending === null ? {} : { sending }),
    ...(enriched.sending === undefined ? {} : { enriching: enriched.sending }),
    ...(enriched.report === undefined ? {} : { enrichment: enriched.report }),
    ...(plan.ofOtherProjects === 0 ? {} : { ofOtherProjects: plan.ofOtherProjects }),
    ...(plan.bundledCardsLeft === 0 ? {} : { bundledCardsLeft: plan.bundledCardsLeft }),
    problems: plan.problems,
    ...counts,
  }
}

const countsOf = ({ states }: Pick<IndexPlan, 'states'>) => ({
  tools: states.reduce((sum, { tools }) => sum + tools, 0),
  agents: states.reduce((sum, { agents }) => sum + agents, 0),
})

/** @throws RemedyError when cards would be added beyond what the index may hold */
function checkCount(
  { change }: Pick<IndexPlan, 'change'>,
  { tools, agents }: ReturnType<typeof countsOf>,
  mostCards = Number.POSITIVE_INFINITY,
): void {
  if (tools + agents <= mostCards || change.put.length === 0) return
  throw new RemedyError(
    `The index would hold ${tools + agents} cards, and may hold ${mostCards}. Nothing was changed.`,
    'Index fewer places, or raise the quota: `audition tenants quota --help`.',
  )
}

const nothingKept: KeptEnrichments = { find: () => undefined, keep: () => undefined }

/** How a change is planned and committed that other writers may overtake. */
export type PlanAgainOptions = {
  /** Called each time that it was overtaken and begins again. */
  readonly onOvertaken?: () => void
  /** Milliseconds before it begins again, the first time; up to twice as long each next time. @defaultValue 200 */
  readonly pauseMs?: number
  readonly signal?: AbortSignal
}

/** Plans of one change, when others overtake each of them. */
const mostPlans = 5

/**
 * Reads the store, plans and commits; all of it again when other writers changed what it was planned on.
 *
 * @param change - opens the store anew each time
 * @throws OvertakenError when others came first every time
 */
export async function planAgain<T>(
  change: () => Promise<T>,
  { onOvertaken, pauseMs = 200, signal }: PlanAgainOptions = {},
): Promise<T> {
  for (let plan = 1; ; plan += 1) {
    try {
      return await change()
    } catch (error) {
      if (!(error instanceof OvertakenError) || plan === mostPlans) throw error
    }
    onOvertaken?.()
    // By chance, so that writers who met once do not meet again.
    await wait(pauseMs * 2 ** (plan - 1) * (0.5 + Math.random()), undefined, signal ? { signal } : {})
  }
}
