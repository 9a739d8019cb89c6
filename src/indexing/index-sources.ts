import { planIndex } from './index-plan.ts'
import type { IndexOptions, IndexReport } from './index-report.ts'
import type { Surroundings } from './open-source.ts'
import { type CatalogWriter, NotAgreedError, OvertakenError } from '../store/catalog-writer.ts'
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
  const { sources, reviews = [], removeReviews = [] } = plan.change
  const statesChanged = sources.length + reviews.length + removeReviews.length > 0
  const isDue = !plan.isEmpty || statesChanged || !(await writer.isCurrent())
  const sending = isDue ? ((await writer.sending?.(plan.change)) ?? null) : null
  if (options.dryRun !== true && isDue) {
    if (sending !== null && !sending.isAgreed) {
      if ((await options.agreeToSend?.(sending)) !== true) throw new NotAgreedError(sending)
      writer.agree?.(sending)
    }
    await writer.commit(plan.change, (share, what) => onProgress({ step: 'write', share, what }), signal)
  }
  return {
    sources: plan.plans,
    ...(sending === null ? {} : { sending }),
    ...(plan.ofOtherProjects === 0 ? {} : { ofOtherProjects: plan.ofOtherProjects }),
    ...(plan.bundledCardsLeft === 0 ? {} : { bundledCardsLeft: plan.bundledCardsLeft }),
    problems: plan.problems,
    tools: plan.states.reduce((sum, { tools }) => sum + tools, 0),
    agents: plan.states.reduce((sum, { agents }) => sum + agents, 0),
  }
}

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
