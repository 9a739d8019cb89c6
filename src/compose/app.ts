import type { Config } from '../config.ts'
import { opener } from '../domain/once.ts'
import type { SearchRequest } from '../retrieval/answer.ts'
import { closestCardIds, closestIdsIn, completeIds, completeIdsIn } from '../retrieval/card-ids.ts'
import { stringsIn } from '../retrieval/index/string-table.ts'
import { unknownValues } from '../retrieval/index/unknown-values.ts'
import type { EmbeddingModel } from '../retrieval/ports.ts'
import { placesIn } from '../store/source-review.ts'
import type { Audition } from './audition.ts'
import { bundledFolder } from './folders.ts'
import { languageModelOf } from './language-models.ts'
import type { ModelScores } from './open-model-scores.ts'
import { judgesOf, modelJudgesOf, modelOf } from './open-models.ts'
import { type OpenStore, openStore, type SearchModels } from './open-store.ts'
import type { Trainer } from './parts/trainer.ts'
import { simulatedParts } from './simulating/simulated-parts.ts'

export type { Evaluations } from '../evaluation/evaluations.ts'
export type { IndexOptions, IndexProgress, IndexReport, SourceReport } from '../indexing/index-report.ts'
export type { Probing } from '../probing/run/probing.ts'
export type { StoreDiagnosis } from '../store/diagnosis.ts'
export type { Audition } from './audition.ts'
export type { TrainedModel, TrainingProgress } from './parts/trainer.ts'

/**
 * Opens Audition on the adapters it ships with. Nothing is loaded and no file touched before the first call.
 *
 * @param models - that others search by as well; left out, it opens its own
 */
export function openAudition(config: Config, models?: SearchModels): Audition {
  const guardedFetch = guardedFetchOf(config)
  const userFetch = guardedFetch('user')
  const store = openStore(config, userFetch, models)
  const judges = judgesIn(config)
  const { judge } = judges
  const parts = partsIn(config, store, { userFetch, judge })
  const { openRecord, searches, evaluations, probing, calling } = parts
  const { findabilities, indexing, modelScores, simulated } = parts

  return {
    ...askedOf(config, { store, searches, probing, modelScores, calling, judge, ...simulated.asked }),
    ...decisionsIn(store),
    evaluations,
    findability: async (request) => (await findabilities()).findability(request),
    probing,
    calling,
    ...judges,
    record: openRecord,
    async reranker() {
      const stage = await store.openCrossEncoder()
      return stage && { id: stage.encoder.id, depth: stage.depth }
    },
    ...simulated.asked,
    ...machineOf(config),
    diagnose: store.diagnose,
    storeAge: store.storeAge,
    ...mendingIn(config, userFetch),
    guardedFetch,
    launchOf: async () => (await indexing()).launchOf,
    tryServer: async (...asked) => (await indexing()).tryServer(...asked),
    tryOwnEntry: async (...asked) => (await indexing()).tryOwnEntry(...asked),
    index: async (options) => (await indexing()).index(options),
    train,
    recommend: recommendingBy(() => modelOf(config, userFetch)),
    async close() {
      for (const part of [calling, modelScores, searches, findabilities, openRecord, simulated.openRecord])
        await (await part.opened())?.close()
      await store.close()
    },
  }
}

/** What Audition is made of, each loaded and opened at its first use. */
function partsIn(
  config: Config,
  store: OpenStore,
  { userFetch, judge }: Pick<Audition, 'judge'> & { readonly userFetch: typeof globalThis.fetch },
) {
  const openRecord = opener(async () => (await import('./open-record.ts')).openRecordOf(config, store))
  const searches = opener(async () =>
    (await import('./open-search.ts')).openSearch(config, { ...store, openRecord }),
  )
  const evaluations = opener(async () =>
    (await import('./evaluating/open-evaluating.ts')).openEvaluating(config, store, userFetch),
  )
  const probing = opener(async () =>
    (await import('./open-probes.ts')).openProbes(config, store, {
      openRecord,
      openJudge: () => judge(),
      openSimulatedRecord: () => simulated.openRecord(),
    }),
  )
  const calling = opener(async () => (await import('./open-calls.ts')).openCalls(config, store, openRecord))
  const findabilities = opener(async () =>
    (await import('./evaluating/open-evaluating.ts')).openFindability(config, userFetch),
  )
  const indexing = opener(async () => (await import('./open-indexing.ts')).openIndexing(config, store))
  const modelScores = opener(async () => {
    const { openModelScores } = await import('./open-model-scores.ts')
    return openModelScores(config, { ...store, ...cardsIn(store), openRecord })
  })
  const simulated = simulatedParts(config, store, {
    ...cardsIn(store),
    calling,
    record: openRecord,
    openJudge: () => judge(),
  })
  return {
    openRecord,
    searches,
    evaluations,
    probing,
    calling,
    findabilities,
    indexing,
    modelScores,
    simulated,
  }
}

/** The way to addresses, within the guards that the settings have at that moment. */
export const guardedFetchOf =
  (config: Config): Audition['guardedFetch'] =>
  (namedBy) =>
  async (input, init) => {
    const { readGuards } = await import('./open-guards.ts')
    return (await readGuards(config)).guard.fetch(namedBy)(input, init)
  }

/** How this machine is set up. */
function machineOf(
  config: Config,
): Pick<Audition, 'languageModel' | 'runtimeSetting' | 'followedLinks' | 'containment'> {
  const machine = opener(async () => (await import('./describe-machine.ts')).describeMachine(config))
  return {
    languageModel: async () => (await machine()).languageModel(),
    runtimeSetting: async (name) => (await machine()).runtimeSetting(name),
    followedLinks: async () => (await machine()).followedLinks(),
    containment: async () => (await machine()).containment(),
  }
}

/** Who grades answers, and who compares them. The settings may change while this runs. */
function judgesIn(config: Config): Pick<Audition, 'judge' | 'modelJudges' | 'comparer'> {
  const gradingsOf = async (gradings: number | undefined): Promise<number> => {
    const { readSettings } = await import('../probing/settings/settings-file.ts')
    return gradings ?? (await readSettings(config.settings)).gradings
  }
  return {
    judge: async (gradings) => judgesOf(config, await gradingsOf(gradings)),
    modelJudges: async (gradings) => modelJudgesOf(config, await gradingsOf(gradings)),
    async comparer() {
      const languageModel = await languageModelOf(config)
      if (languageModel === null) return null
      return (await import('../adapters/ai-sdk/judge/answer-comparer.ts')).answerComparer(languageModel)
    },
  }
}

/** What may be asked of the index, of cards that are not in it, and what may be put together of it. */
function askedOf(
  config: Config,
  parts: Searches,
): ReturnType<typeof searchesIn> &
  ReturnType<typeof cardsIn> &
  Pick<Audition, 'compose' | 'models' | 'makeTasks' | 'passRate'> {
  const known = { ...searchesIn(parts), ...cardsIn(parts.store) }
  const { modelScores, store, probing } = parts
  return {
    ...known,
    async makeTasks(request) {
      const { openTasks } = await import('./evaluating/open-tasks.ts')
      return openTasks(config, store, probing)(request)
    },
    models: async (options) => (await modelScores()).compare(options),
    async passRate(request) {
      const { openPassRates } = await import('./evaluating/open-pass-rate.ts')
      return openPassRates(config, { ...parts, ...known })(request)
    },
    async compose(...asked) {
      const { openComposing } = await import('./open-composing.ts')
      return openComposing(config, {
        ...known,
        modelScores: async (...models) => (await modelScores()).scores(...models),
      })(...asked)
    },
  }
}

type Searches = Pick<Audition, 'calling' | 'judge' | 'probing' | 'simulatedServer'> & {
  readonly store: OpenStore
  readonly searches: () => Promise<Pick<Audition, 'search'>>
  readonly modelScores: () => Promise<ModelScores>
}

/** Searches of the index, and of cards that are not in it. */
const searchesIn = ({ store, searches, probing }: Searches): Pick<Audition, 'search' | 'searchAmong'> => ({
  async search(request, signal) {
    const { search } = await searches()
    const find = (asked: SearchRequest) => search(asked, signal)
    if (request.filter?.hasRuntime !== true || request.pack === 'ranking') return find(request)
    const [{ searchForRunning }, { plan }] = await Promise.all([
      import('../probing/run/ready-first.ts'),
      probing(),
    ])
    return searchForRunning(request, find, { plan, cards: cardsIn(store).cards })
  },
  async searchAmong(cards, request, signal) {
    const { searchAmong } = await import('./search-among.ts')
    return searchAmong(cards, { request, signal }, store)
  },
})

/** What keeps the store sound. */
const mendingIn = (
  config: Config,
  userFetch: ReturnType<Audition['guardedFetch']>,
): Pick<Audition, 'conditionalPuts' | 'repair'> => ({
  async conditionalPuts() {
    const { diagnoseConditionalPuts } = await import('../adapters/lancedb/conditional-puts.ts')
    return diagnoseConditionalPuts(config.home)
  },
  async repair(options) {
    const { openRepair } = await import('./repair/open-repair.ts')
    // The model is opened for this alone: one that was opened before it was mended would say so still.
    return openRepair(config, () => modelOf(config, userFetch))(options)
  },
})

const train: Audition['train'] = async (options) => {
  const { version, trainer } = await loadTrainer()
  return trainer.trainModel({ ...options, version })
}

const recommendingBy = (openModel: () => Promise<EmbeddingModel | null>): Audition['recommend'] => {
  const loaded = async () => ({ ...(await loadTrainer()), model: await openModel() })
  return {
    async build(options) {
      const { trainer, model } = await loaded()
      return trainer.buildRecommendations({ ...options, model })
    },
    async train(options) {
      const { trainer, model } = await loaded()
      return trainer.trainRecommender({ ...options, model })
    },
    async evaluate(options) {
      const { trainer, model } = await loaded()
      return trainer.evaluateRecommender({ ...options, model })
    },
  }
}

async function loadTrainer(): Promise<{ readonly version: string; readonly trainer: Trainer }> {
  const [{ loadPart }, { packageVersion }] = await Promise.all([
    import('./parts/load-part.ts'),
    import('../package-version.ts'),
  ])
  const version = packageVersion()
  return { version, trainer: await loadPart('audition-trainer', version) }
}

/** What is in the index. */
const cardsIn = ({
  onSnapshot,
  onWhole,
  openReader,
}: OpenStore): Pick<
  Audition,
  'cards' | 'closestIds' | 'unknownValues' | 'completeIds' | 'counts' | 'sources' | 'held' | 'standingBack'
> => ({
  cards: (ids) => onSnapshot((snapshot) => snapshot.cards(ids)),
  closestIds: (id, limit, kind) =>
    onSnapshot(async ({ indexes, engine }) =>
      engine ? closestIdsIn(engine, id, { limit, kind }) : closestCardIds(indexes, id, { limit, kind }),
    ),
  unknownValues: (filter) => onSnapshot(async ({ indexes }) => unknownValues(indexes, filter)),
  completeIds: (prefix, limit, kind) =>
    onSnapshot(async ({ indexes, engine }) =>
      engine
        ? completeIdsIn(engine, prefix, { limit, kind })
        : completeIds(stringsIn(indexes[kind].ids), prefix, limit),
    ),
  counts: () =>
    onSnapshot(async ({ indexes, generation }) => ({
      tools: indexes.tool.total,
      agents: indexes.agent.total,
      generation,
    })),
  sources: async () => (await openReader()).sources(),
  async held(ids) {
    const { heldNotices } = await import('../trust/review/held-notices.ts')
    return heldNotices(await (await openReader()).reviews(), ids)
  },
  async standingBack() {
    const { sourcesStandingBack } = await import('../retrieval/defences/sources-standing-back.ts')
    return onWhole(async ({ indexes }) => sourcesStandingBack(indexes))
  },
})

/** What the user decides about sources and held cards. */
const decisionsIn = ({
  write,
  openReader,
  onSnapshot,
}: OpenStore): Pick<
  Audition,
  | 'removeSources'
  | 'reviews'
  | 'places'
  | 'serverHeld'
  | 'accept'
  | 'accepted'
  | 'refuse'
  | 'takeBack'
  | 'decideTrust'
> => ({
  async removeSources(ids) {
    const { removeSources } = await import('../trust/review/retire.ts')
    await write({}, (writer) => removeSources(writer, ids, bundledFolder))
  },
  reviews: async () => (await openReader()).reviews(),
  places: async () => placesIn(await (await openReader()).reviews()),
  async accept(words, shown) {
    const { acceptCards } = await import('../trust/review/decide.ts')
    return write({}, (writer) => acceptCards(writer, words, shown))
  },
  async refuse(words, shown) {
    const { refuseCards } = await import('../trust/review/refuse.ts')
    return write({}, (writer) => refuseCards(writer, words, shown))
  },
  async takeBack(ids, shown) {
    const { takeBackCards } = await import('../trust/review/refuse.ts')
    return write({}, (writer) => takeBackCards(writer, ids, shown))
  },
  async serverHeld(card) {
    const { serverHeld } = await import('../trust/review/held-server.ts')
    return serverHeld(card, await (await openReader()).reviews())
  },
  async accepted() {
    const { acceptedInSearch } = await import('./accepted-in-search.ts')
    return acceptedInSearch(await (await openReader()).reviews(), onSnapshot)
  },
  async decideTrust(ids, decision) {
    const { decideTrust, forgetDecisions } = await import('../trust/review/decide.ts')
    return write({}, (writer) =>
      decision === 'undecided' ? forgetDecisions(writer, ids) : decideTrust(writer, ids, decision),
    )
  },
})
