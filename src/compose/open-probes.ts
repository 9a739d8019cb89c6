import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { JudgePanel } from '../probing/judges/combine-judges.ts'
import type { Executor, TrackRecord } from '../probing/ports.ts'
import { keptProbesIn } from '../probing/record/kept-probes.ts'
import { demoTasks } from '../probing/run/demo-tasks.ts'
import { openProbing } from '../probing/run/open-probing.ts'
import type { Probing } from '../probing/run/probing.ts'
import { answerKeysIn } from '../probing/writing/answer-keys.ts'
import { tasksOfCard } from '../probing/writing/tasks-of-card.ts'
import { bundledFolder, catalogFolder, filesFolder } from './folders.ts'
import { transcriptsOf } from './open-record.ts'
import type { OpenStore } from './open-store.ts'
import type { PinnedCatalog } from '../trust/review/known-servers.ts'
import { guardsOf, hostUserOf } from './open-guards.ts'
import { packageVersion } from '../package-version.ts'
import { namesHost } from '../probing/settings/allow-list.ts'
import { executorOf } from '../probing/runtime-kind.ts'
import type { Settings } from '../probing/settings/settings.ts'
import { runtimes, type RuntimeSurroundings } from './runtimes.ts'
import type { Neighbour } from '../trust/scan/scan-cards.ts'
import { type CatalogReader, type CatalogSnapshot, NoIndexError } from '../retrieval/ports.ts'
import type { StringTable } from '../retrieval/index/string-table.ts'

/** The demonstration: its profiles, and the compiled catalog that holds the right answers to its tasks. */
const demo = { profiles: join(bundledFolder, 'demo', 'profiles'), compiled: catalogFolder }

/** The part of the composition root that knows how probes are run, graded and kept. */
export function openProbes(
  config: Config,
  { openReader, onSnapshot }: OpenStore,
  {
    openRecord,
    openJudge,
  }: { readonly openRecord: () => Promise<TrackRecord>; readonly openJudge: () => Promise<JudgePanel> },
): Probing {
  const pinned = pinnedCatalog(openReader, onSnapshot)
  return openProbing({
    executors: (settings) => executorsFor({ config, catalogFolder, settings, pinned }),
    openJudge,
    async openWriter() {
      if (config.languageModel === null) return null
      const { probeWriter } = await import('../adapters/ai-sdk/judge/probe-writer.ts')
      return probeWriter(config.languageModel)
    },
    openRecord,
    transcripts: transcriptsOf(config),
    keptProbes: keptProbesIn(join(filesFolder(config), 'probes.json')),
    async ownTasks(card, count) {
      const known = await demoTasks(card, demo)
      if (known.length > 0) return known.slice(0, count)
      return tasksOfCard(
        card,
        count,
        card.kind === 'tool' ? { answers: await answerKeysIn(catalogFolder) } : {},
      )
    },
    settingsFile: config.settings,
    catalog: bundledFolder,
  })
}

/** Every way to run a card. The code of each is loaded when a card of its sort is planned or run, and not before. */
export function executorsFor({
  config,
  catalogFolder,
  settings,
  pinned,
}: {
  readonly config: Config
  /** Absolute folder of the bundled catalog. */
  readonly catalogFolder: string
  readonly settings: Settings
  /** What servers may say to models. */
  readonly pinned: PinnedCatalog
}): readonly Executor[] {
  const surroundings: RuntimeSurroundings = {
    ...guardsOf(config, settings),
    ...{ catalogFolder, pinned },
    environment: config.environment,
    version: packageVersion(),
    languageModel: config.languageModel,
    prices: settings.prices,
    runner: settings.subagents,
    isNamed: (permit) => namesHost(settings.allow, permit),
    user: hostUserOf(config),
  }
  return runtimes.map((runtime) => executorOf(runtime, surroundings))
}

/**
 * The catalog as it is committed, for comparing what servers say while a run goes on.
 *
 * @param onSnapshot - reads a snapshot, again when a commit took it away meanwhile
 */
export function pinnedCatalog(
  openReader: () => Promise<CatalogReader>,
  onSnapshot: <T>(use: (snapshot: CatalogSnapshot) => Promise<T>) => Promise<T>,
): PinnedCatalog {
  let known: { readonly generation: number; readonly names: readonly Neighbour[] } | null = null
  return {
    sources: async () => (await openReader()).sources(),
    reviews: async () => (await openReader()).reviews(),
    async tools(source) {
      await (await openReader()).snapshot('now') // reviews are the newest too
      return onSnapshot((snapshot) => snapshot.cards(idsOfSource(snapshot.indexes.tool.ids, source)))
    },
    async names() {
      try {
        return await onSnapshot(async ({ generation, indexes }) => {
          if (known?.generation !== generation)
            known = { generation, names: Object.values(indexes).flatMap(({ ids }) => namesOf(ids)) }
          return known.names
        })
      } catch (error) {
        if (error instanceof NoIndexError) return []
        throw error
      }
    },
  }
}

/** Ids are in order: those of a source stand together. */
function idsOfSource(ids: StringTable, source: string): readonly string[] {
  const found: string[] = []
  for (let index = ids.lowerBound(`${source}/`); index < ids.size; index++) {
    const id = ids.at(index)
    if (!id.startsWith(`${source}/`)) break
    found.push(id)
  }
  return found
}

/** No source has a slash in its id. */
const namesOf = (ids: StringTable): readonly Neighbour[] =>
  Array.from({ length: ids.size }, (_, index) => {
    const id = ids.at(index)
    const slash = id.indexOf('/')
    return { id, source: id.slice(0, slash), name: id.slice(slash + 1) }
  })
