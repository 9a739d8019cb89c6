import { setTimeout as wait } from 'node:timers/promises'
import { demoCatalog, isBundledLocation } from '../catalog/bundled-parts.ts'
import { type CatalogWriter, OvertakenError } from '../store/catalog-writer.ts'
import { scanAhead, type ScanAhead } from '../trust/scan/scan-ahead.ts'
import { countsOf, portionCommitter } from './commit-portions.ts'
import { type FoundSources, findSources, type PlanRequest } from './find-sources.ts'
import { type PortionPlan, planPortion } from './index-plan.ts'
import type { IndexOptions, IndexReport, SourceReport, IndexProgress } from './index-report.ts'
import type { SourceSurroundings } from './open-source.ts'
import { type Portion, readPortions } from './portions.ts'
import type { SourceState } from '../store/source-state.ts'

/** Longest wait for one live server, in milliseconds, where nobody says another. */
const defaultTimeoutMs = 30_000

/**
 * Reads the locations, commits what changed in portions of whole sources, and reports per source. Most runs are one portion. A run that
 * is stopped leaves the portions before as they are; the next one finds them unchanged, and goes on.
 */
export async function indexSources(
  writer: CatalogWriter,
  surroundings: SourceSurroundings,
  options: IndexOptions,
): Promise<Omit<IndexReport, 'seconds'>> {
  const { onProgress = () => undefined, signal = new AbortController().signal, dryRun = false } = options
  const progress = portionProgress(onProgress)
  const request = requestOf(options, { ...progress.request, signal })
  const run = await findSources(writer, surroundings, request)
  const { write } = progress
  const committer = portionCommitter(writer, { ...surroundings, ...options, write, signal })
  const states = new Map(run.states.map((state) => [state.id, state]))
  const reports: Omit<PortionPlan, 'change'>[] = []
  let sent = {}
  const ahead = scanAhead()
  const take = async (portion: Portion): Promise<void> => {
    progress.begin(portion.parts.length)
    const saidOf = progress.lookingThrough(ahead.saidOf)
    const { change, ...report } = await planPortion(portion, run, { writer, request, saidOf })
    reports.push(report)
    for (const id of change.removeSources) states.delete(id)
    for (const state of change.sources) states.set(state.id, state)
    const isLast = portion.isWanted !== undefined
    const committed = await committer.commit(change, [...states.values()], isLast)
    sent = { ...sent, ...committed }
    const { tools, agents } = countsOf([...states.values()])
    if (committed !== null && !isLast && !dryRun) progress.committed(tools + agents)
  }
  try {
    const portions = readPortions(run, request, { writer, onCards: ahead.add, most: options.portionCards })
    let portion = await portions.next()
    while (!portion.done) {
      // The next portion is read before one is dealt with: a thread scans it meanwhile.
      const next = await portions.next()
      await take(portion.value)
      portion = next
    }
  } finally {
    await ahead.close()
  }
  const switchedOff = reports.flatMap((report) => report.switchedOff)
  return {
    sources: inOrder(reports, run),
    ...sent,
    ...(run.ofOtherProjects === 0 ? {} : { ofOtherProjects: run.ofOtherProjects }),
    ...bundledLeft(switchedOff),
    problems: run.problems,
    ...countsOf([...states.values()]),
  }
}

/** How many cards of the bundled catalog left search, and how many of them are the demonstration's. */
function bundledLeft(
  states: readonly SourceState[],
): Pick<IndexReport, 'bundledCardsLeft' | 'demoCardsLeft'> {
  const left = countsOf(states)
  const demo = countsOf(states.filter(({ location }) => demoCatalog.some((part) => part === location)))
  const counts = { bundledCardsLeft: left.tools + left.agents, demoCardsLeft: demo.tools + demo.agents }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}

/** What was read in the order in which it was found, the bundled catalog after it; then the rest. */
function inOrder(
  reports: readonly Omit<PortionPlan, 'change'>[],
  { found, ids }: FoundSources,
): readonly SourceReport[] {
  const isOurs = ({ location }: { readonly location: string }): number => Number(isBundledLocation(location))
  const order = new Map(found.toSorted((a, b) => isOurs(a) - isOurs(b)).map((one, at) => [ids.get(one), at]))
  const plans = reports.flatMap((report) => report.plans)
  return [
    ...plans.sort((a, b) => order.get(a.source)! - order.get(b.source)!),
    ...reports.flatMap(({ others }) => others),
  ]
}

const requestOf = (
  options: IndexOptions,
  watched: Pick<PlanRequest, 'signal' | 'onSources'>,
): PlanRequest => {
  const { locations, found, as, agreed, declined } = options
  return {
    locations,
    ...(found === undefined ? {} : { found }),
    ...(as === undefined ? {} : { as }),
    harvest: options.harvest ?? 'allowed',
    ...(agreed === undefined ? {} : { agreed }),
    ...(declined === undefined ? {} : { declined }),
    refresh: options.refresh ?? false,
    isBackground: options.isBackground ?? false,
    timeoutMs: options.harvestTimeoutMs ?? defaultTimeoutMs,
    now: new Date(),
    ...watched,
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

/** Tells of a run: of one with several portions how far it is over all of them, by the sources that are committed. */
function portionProgress(onProgress: (event: IndexProgress) => void) {
  let total = 0
  let done = 0
  let current = 0
  let cards = 0
  let reached = 0
  let isSeveral = false
  const write = (share: number, what: string): void => {
    if (!isSeveral) {
      onProgress({ step: 'write', share, what })
      return
    }
    const held = cards === 0 ? '' : `; the index has ${cards.toLocaleString('en')} cards`
    // The next portion is read before one is committed.
    reached = Math.max(reached, (done + share * current) / Math.max(1, total))
    onProgress({ step: 'write', share: reached, what: what + held })
  }
  const request: Required<Pick<PlanRequest, 'onSources' | 'onSource' | 'onNames'>> = {
    onSources(sources) {
      total = sources
      onProgress({ step: 'discover', sources })
    },
    onSource(source, read, of) {
      total = of
      if (isSeveral) write(0, `reading ${read} of ${of} sources: ${source}`)
      else onProgress({ step: 'read', source, done: read, total: of })
    },
    onNames() {
      isSeveral = true
      write(0, 'reading the names of all cards')
    },
  }
  return {
    request,
    write,
    /** Tells of every thousand cards whose texts are looked through. */
    lookingThrough(saidOf: ScanAhead['saidOf']): ScanAhead['saidOf'] {
      let looked = 0
      return (card) => {
        if (looked % 1000 === 0)
          write(0, looked === 0 ? 'looking through the cards' : `${looked} cards looked through`)
        looked += 1
        return saidOf(card)
      }
    },
    /** A portion of so many sources is dealt with from now on. */
    begin(sources: number): void {
      done += current
      current = sources
    },
    /** @param now - cards that the index holds */
    committed(now: number): void {
      cards = now
      onProgress({ step: 'committed', cards })
    },
  }
}
