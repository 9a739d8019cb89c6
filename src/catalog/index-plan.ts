import pLimit from 'p-limit'
import type { Card } from '../domain/card.ts'
import type { SourceReport } from './index-report.ts'
import { contentHash, identify } from './identity.ts'
import { goneSources, lostSources } from './gone-sources.ts'
import { type Opened, type OpenSource, openSources, type Surroundings } from './open-sources.ts'
import {
  type CatalogChange,
  type CatalogWriter,
  HarvestError,
  type Problem,
  type SourceState,
} from './ports.ts'
import { assignIds, distinct, unusedName } from './source-ids.ts'

/** Live servers asked at the same time. */
const harvestConcurrency = 6

/** All an index run would change, and the report of it. */
export type IndexPlan = {
  readonly change: CatalogChange
  readonly plans: readonly SourceReport[]
  /** Problems of locations that gave no source. */
  readonly problems: readonly Problem[]
  /** All sources as they are once the change is committed. */
  readonly states: readonly SourceState[]
  /** Nothing would change but, perhaps, the states of sources. */
  readonly isEmpty: boolean
}

/** What {@link planIndex} is asked. */
export type PlanRequest = {
  readonly locations: readonly string[]
  /** Name of the source when there is one. */
  readonly as?: string
  /** Whether live servers may be started. */
  readonly harvest: boolean
  readonly now: Date
  readonly signal: AbortSignal
  readonly onSources?: (count: number) => void
  readonly onSource?: (source: string, done: number, total: number) => void
}

/** Reads the locations and compares them with the store. Changes nothing. */
export async function planIndex(
  writer: CatalogWriter,
  surroundings: Surroundings,
  request: PlanRequest,
): Promise<IndexPlan> {
  const { signal } = request
  const states = await writer.sources()
  const opened: Opened[] = []
  for (const location of request.locations) opened.push(await openSources(location, surroundings, signal))
  const found = distinct(
    opened.flatMap(({ sources }) => sources),
    states,
  )
  request.onSources?.(found.length)

  const gone = goneSources(opened, found, states)
  const { removed, moved } = gone
  const stateOf = (source: OpenSource): SourceState | undefined =>
    states.find(({ location }) => location === source.location) ?? moved.get(source)
  const ids = assignIds(found, stateOf, states, request.as)
  const limit = pLimit(harvestConcurrency)
  let done = 0
  const parts = await Promise.all(
    found.map((source) => {
      const plan = async (): Promise<PlannedSource> => {
        await breathe(signal)
        const planned = await planSource(source, ids.get(source)!, stateOf(source), writer, request)
        done += 1
        request.onSource?.(planned.plan.source, done, found.length)
        return planned
      }
      return source.isLive ? limit(plan) : plan()
    }),
  )
  const change: CatalogChange = {
    put: parts.flatMap(({ put }) => put),
    remove: parts.flatMap(({ remove }) => remove),
    sources: parts.flatMap(({ state }) => state ?? []),
    removeSources: removed.map(({ id }) => id),
  }
  return {
    change,
    plans: [...parts.map(({ plan }) => plan), ...removed.map(goneReport)],
    problems: [
      ...opened.flatMap(({ problems }) => problems),
      ...lostSources(opened, states, gone).map(noLongerKnown),
      ...unusedName(found, stateOf, request),
    ],
    states: statesAfter(states, change),
    isEmpty: change.put.length + change.remove.length + change.removeSources.length === 0,
  }
}

const statesAfter = (states: readonly SourceState[], change: CatalogChange): readonly SourceState[] => {
  const after = new Map(states.map((state) => [state.id, state]))
  for (const id of change.removeSources) after.delete(id)
  for (const state of change.sources) after.set(state.id, state)
  return [...after.values()]
}

type PlannedSource = {
  readonly plan: SourceReport
  readonly put: readonly Card[]
  readonly remove: readonly string[]
  /** Absent when the state stays as it is. */
  readonly state?: SourceState
}

async function planSource(
  source: OpenSource,
  id: string,
  state: SourceState | undefined,
  writer: CatalogWriter,
  { harvest, now, signal }: PlanRequest,
): Promise<PlannedSource> {
  const counts = { added: 0, changed: 0, unchanged: 0, removed: 0 }
  const base = { source: id, location: source.location, reader: source.reader }
  const cardsKept = (state?.tools ?? 0) + (state?.agents ?? 0)
  if (
    source.fingerprint !== null &&
    state?.fingerprint === source.fingerprint &&
    state.failure === undefined
  ) {
    return {
      plan: { ...base, ...counts, unchanged: cardsKept, problems: state.problems },
      put: [],
      remove: [],
    }
  }
  if (source.isLive && !harvest) {
    return {
      plan: { ...base, ...counts, unchanged: cardsKept, problems: [notAsked(source)] },
      put: [],
      remove: [],
    }
  }
  try {
    const contents = await source.read(signal)
    const { cards, problems } = identify(id, contents.drafts)
    const known = await writer.hashes(id)
    const put = cards.filter((card) => known.get(card.id) !== contentHash(card))
    const present = new Set(cards.map((card) => card.id))
    const remove = [...known.keys()].filter((cardId) => !present.has(cardId))
    const added = put.filter((card) => !known.has(card.id)).length
    const all = [...contents.problems, ...problems]
    const next: SourceState = {
      id,
      location: source.location,
      reader: source.reader,
      ...(source.fingerprint === null ? {} : { fingerprint: source.fingerprint }),
      indexedAt: now.toISOString(),
      tools: cards.filter(({ kind }) => kind === 'tool').length,
      agents: cards.filter(({ kind }) => kind === 'agent').length,
      problems: all.slice(0, keptProblems),
    }
    const changed = put.length - added
    const plan = {
      ...base,
      added,
      changed,
      unchanged: cards.length - put.length,
      removed: remove.length,
      problems: all,
    }
    return { plan, put, remove, state: next }
  } catch (error) {
    signal.throwIfAborted()
    const failure = failureOf(error)
    const kept = state ?? {
      id,
      location: source.location,
      reader: source.reader,
      indexedAt: null,
      tools: 0,
      agents: 0,
      problems: [],
    }
    return {
      plan: { ...base, ...counts, unchanged: cardsKept, failure, problems: [] },
      put: [],
      remove: [],
      state: { ...kept, location: source.location, failure: `${failure.message} ${failure.remedy}` },
    }
  }
}

/** Problems remembered with a source; a run reports all of them. */
const keptProblems = 50

const failureOf = (error: unknown): { readonly message: string; readonly remedy: string } =>
  error instanceof HarvestError
    ? { message: error.message, remedy: error.remedy }
    : {
        message: error instanceof Error ? error.message : String(error),
        remedy: 'Mend the source and index it again; its old cards stay.',
      }

const notAsked = (source: OpenSource): Problem => ({
  severity: 'warning',
  file: source.location,
  message: 'the server was not asked for its tools',
  remedy: 'Index without --no-harvest to start it.',
})

const goneReport = ({ id, location, reader, tools, agents }: SourceState): SourceReport => ({
  source: id,
  location,
  reader,
  added: 0,
  changed: 0,
  unchanged: 0,
  removed: tools + agents,
  problems: [],
})

const noLongerKnown = ({ id, location }: SourceState): Problem => ({
  severity: 'warning',
  file: location,
  message: `was the source "${id}" and is no longer recognised; its old cards stay`,
  remedy: `Mend the file, or run \`audition sources remove ${id}\`.`,
})

/** Lets timers and signals run between two sources. */
const breathe = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    setImmediate(() => (signal.aborted ? reject(signal.reason) : resolve()))
  })
