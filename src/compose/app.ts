import { join, relative } from 'node:path'
import type { WriterOptions } from '../adapters/lancedb/commit/lance-writer.ts'
import type { Audition } from './audition.ts'
import type { PlanAgainOptions } from '../indexing/plan-again.ts'
import type { CatalogWriter } from '../store/catalog-writer.ts'
import type { StoreDiagnosis } from '../store/diagnosis.ts'
import { type Config, isAddress } from '../config.ts'
import { crossEncoderOf, judgesOf, modelOf } from './open-models.ts'
import { opener } from '../domain/once.ts'
import { packageRoot } from '../package-root.ts'
import { contains } from '../domain/paths/contains.ts'
import type { SearchRequest } from '../retrieval/answer.ts'
import { closestCardIds, completeIds } from '../retrieval/index/card-ids.ts'
import { EmbeddingModelError } from '../retrieval/rank/embedding-model-error.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../retrieval/ports.ts'
import { unknownValues } from '../retrieval/index/unknown-values.ts'

export type { Audition } from './audition.ts'
export type { IndexOptions, IndexProgress, IndexReport, SourceReport } from '../indexing/index-report.ts'
export type { StoreDiagnosis } from '../store/diagnosis.ts'
export type { Evaluations } from '../evaluation/evaluations.ts'
export type { Probing } from '../probing/run/probing.ts'
export type { TrainedModel, TrainingProgress } from './trainer.ts'

/** Opens Audition on the adapters it ships with. Nothing is loaded and no file touched before the first call. */
export function openAudition(config: Config): Audition {
  const openReader = opener(async () =>
    (await import('../adapters/lancedb/lance-reader.ts')).lanceReader(config.home),
  )
  const openModel = opener(() => modelOf(config, guardedFetch('user')))
  const openCrossEncoder = opener(() => crossEncoderOf(config, guardedFetch('user')))
  const harvesterFor = async (timeoutMs?: number) => {
    const { mcpHarvester } = await import('../adapters/mcp-client/mcp-harvester.ts')
    const { packageVersion } = await import('../package-version.ts')
    return mcpHarvester({
      ...(await guards()),
      catalogFolder,
      environment: config.environment,
      version: packageVersion(),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    })
  }

  const guards = async () => (await import('./open-guards.ts')).readGuards(config)

  const launchOf: Audition['launchOf'] = async () => {
    const { boundEntry } = await import('../adapters/mcp-client/bound-entry.ts')
    return (entry) => boundEntry(entry, { environment: config.environment, catalogFolder })
  }

  const guardedFetch: Audition['guardedFetch'] = (namedBy) => async (input, init) =>
    (await guards()).guard.fetch(namedBy)(input, init)

  /**
   * A commit may forget the state a search is reading: then the search is made once more on the new state, and again if
   * commits follow each other that fast.
   */
  async function onSnapshot<T>(use: (snapshot: CatalogSnapshot) => Promise<T>): Promise<T> {
    const reader = await openReader()
    let snapshot = await reader.snapshot()
    for (let attempt = 1; ; attempt++) {
      try {
        return await use(snapshot)
      } catch (error) {
        const newer = await reader.snapshot('now')
        if (newer === snapshot || attempt === mostAttempts) throw error
        snapshot = newer
      }
    }
  }

  async function write<T>(
    options: Omit<WriterOptions, 'model'> & Pick<PlanAgainOptions, 'onOvertaken'>,
    use: (writer: CatalogWriter) => Promise<T>,
  ): Promise<T> {
    const [{ lanceWriter }, { planAgain }] = await Promise.all([
      import('../adapters/lancedb/commit/lance-writer.ts'),
      import('../indexing/plan-again.ts'),
    ])
    return planAgain(async () => {
      const writer = await lanceWriter(config.home, { model: await openModel(), ...options })
      try {
        return await use(writer)
      } finally {
        await writer.close()
      }
    }, options)
  }

  /** The model that made a snapshot's vectors; null without any. */
  async function modelFor({ embedding }: CatalogSnapshot): Promise<EmbeddingModel | null> {
    if (embedding === null) return null
    const model = await openModel()
    if (model !== null && model.id !== embedding.model) throw modelMismatch(embedding.model, model.id)
    return model
  }

  /** The model that would make vectors; what was configured, and the fault, where that cannot be opened. */
  const configuredModel = async (): Promise<Pick<StoreDiagnosis, 'configuredModel' | 'modelFault'>> => {
    try {
      return { configuredModel: (await openModel())?.id ?? null }
    } catch (error) {
      if (!(error instanceof EmbeddingModelError)) throw error
      const { message, remedy } = error
      return { configuredModel: config.model, modelFault: { message, remedy } }
    }
  }

  const benchmarks = opener(async () => {
    const [{ loadPart, MissingPartError }, { packageVersion }] = await Promise.all([
      import('./load-part.ts'),
      import('../package-version.ts'),
    ])
    try {
      return await loadPart('audition-benchmarks', packageVersion())
    } catch (error) {
      if (!(error instanceof MissingPartError)) throw error
      return { recipes: [], missing: `${error.message} ${error.remedy}` }
    }
  })

  const evaluations = opener(async () => {
    const { openEvaluations } = await import('../evaluation/open-evaluations.ts')
    return openEvaluations({
      folder: isAddress(config.home) ? config.cache : config.home,
      bundledFolder: join(packageRoot, 'evals'),
      benchmarks,
      downloads: join(config.cache, 'datasets'),
      fetch: guardedFetch('user'),
      openModel,
      modelIs: config.model === null ? 'shipped' : 'chosen',
      openCrossEncoder,
      openQueryWriter: async () => {
        if (config.languageModel === null) return null
        const { queryWriter } = await import('../adapters/ai-sdk/judge/query-writer.ts')
        return queryWriter(config.languageModel)
      },
      onIndex: (use) => onSnapshot(async (snapshot) => use(snapshot, await modelFor(snapshot))),
    })
  })

  const transcripts = opener(async () => {
    const { transcriptsIn } = await import('../probing/record/transcripts.ts')
    return transcriptsIn(join(isAddress(config.home) ? config.cache : config.home, 'transcripts'))
  })

  const openRecord = opener(async () => {
    const [{ lanceTrackRecord }, { recordWithTranscripts }] = await Promise.all([
      import('../adapters/lancedb/record/track-record.ts'),
      import('../probing/record/record-with-transcripts.ts'),
    ])
    return recordWithTranscripts(lanceTrackRecord(config.home, { embed: openModel }), await transcripts())
  })

  const searches = opener(async () => {
    const { openSearch } = await import('./open-search.ts')
    return openSearch(config, { onSnapshot, openModel, modelFor, openCrossEncoder, openRecord })
  })

  // The settings may change while this runs.
  const judge = async (gradings?: number) => {
    const { readSettings } = await import('../probing/settings/settings-file.ts')
    return judgesOf(config, gradings ?? (await readSettings(config.settings)).gradings)
  }

  const probing = opener(async () => {
    const [
      { openProbing },
      { executorsFor },
      { pinnedCatalog },
      { demoTasks },
      { answerKeysIn },
      { tasksOfCard },
      { keptProbesIn },
    ] = await Promise.all([
      import('../probing/run/open-probing.ts'),
      import('./open-executors.ts'),
      import('./open-pinned-catalog.ts'),
      import('../probing/run/demo-tasks.ts'),
      import('../probing/writing/answer-keys.ts'),
      import('../probing/writing/tasks-of-card.ts'),
      import('../probing/record/kept-probes.ts'),
    ])
    const pinned = pinnedCatalog(openReader, onSnapshot)
    return openProbing({
      executors: (settings) => executorsFor(config, catalogFolder, settings, pinned),
      openJudge: () => judge(),
      async openWriter() {
        if (config.languageModel === null) return null
        const { probeWriter } = await import('../adapters/ai-sdk/judge/probe-writer.ts')
        return probeWriter(config.languageModel)
      },
      openRecord,
      transcripts: await transcripts(),
      keptProbes: keptProbesIn(join(isAddress(config.home) ? config.cache : config.home, 'probes.json')),
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
  })

  return {
    async search(request, signal) {
      const { search } = await searches()
      const find = (asked: SearchRequest) => search(asked, signal)
      if (request.filter?.hasRuntime !== true || request.pack === 'ranking') return find(request)
      const [{ searchForRunning }, { plan }] = await Promise.all([
        import('../probing/run/ready-first.ts'),
        probing(),
      ])
      return searchForRunning(request, find, plan)
    },
    evaluations,
    probing,
    judge,
    record: openRecord,
    cards: (ids) => onSnapshot((snapshot) => snapshot.cards(ids)),
    closestIds: (id, limit, kind) =>
      onSnapshot(async ({ indexes }) => closestCardIds(indexes, id, limit, kind)),
    unknownValues: (filter) => onSnapshot(async ({ indexes }) => unknownValues(indexes, filter)),
    completeIds: (prefix, limit, kind) =>
      onSnapshot(async ({ indexes }) => completeIds(indexes[kind].ids, prefix, limit)),
    counts: () =>
      onSnapshot(async ({ indexes, generation }) => ({
        tools: indexes.tool.size,
        agents: indexes.agent.size,
        generation,
      })),
    sources: async () => (await openReader()).sources(),
    async reranker() {
      const stage = await openCrossEncoder()
      return stage && { id: stage.encoder.id, depth: stage.depth }
    },
    async languageModel() {
      if (config.languageModel === null) return null
      const { checkedModel } = await import('../adapters/ai-sdk/models/language-model.ts')
      checkedModel(config.languageModel)
      return config.languageModel.spec
    },
    async agentOrigins() {
      const { originsWithTokens } = await import('../adapters/a2a/agent-tokens.ts')
      return originsWithTokens(config.environment)
    },
    async diagnose() {
      const { diagnoseStore } = await import('../adapters/lancedb/diagnose-store.ts')
      const stored = await diagnoseStore(config.home)
      return { ...stored, ...(await configuredModel()) }
    },
    async conditionalPuts() {
      const { diagnoseConditionalPuts } = await import('../adapters/lancedb/commit/conditional-puts.ts')
      return diagnoseConditionalPuts(config.home)
    },
    async repair(options) {
      const { openRepair } = await import('./open-repair.ts')
      // The model is opened for this alone: one that was opened before it was mended would say so still.
      return openRepair(config, () => modelOf(config, guardedFetch('user')))(options)
    },
    followedLinks: async () => (await guards()).followLinks,
    async containment() {
      const [{ containment }, { describeContainment }] = await Promise.all([
        guards(),
        import('../adapters/processes/containment.ts'),
      ])
      const { name: sandbox } = containment.sandbox
      const fault = await containment.sandbox.fault()
      const held = { sandbox, within: describeContainment(containment, ''), fault }
      if (sandbox !== 'none') return held
      const { bubblewrap } = await import('../adapters/processes/sandbox/bubblewrap.ts')
      const { PATH: path = '' } = config.environment
      const works = (await bubblewrap({ home: '/', hidden: [], path }).fault()) === null
      return works ? { ...held, available: 'bubblewrap' } : held
    },
    guardedFetch,
    launchOf,
    async tryServer(entry, timeoutMs, signal) {
      const harvester = await harvesterFor(timeoutMs)
      const { tools } = await harvester.harvest(entry, signal ?? new AbortController().signal)
      return { tools: tools.length }
    },
    async tryOwnEntry(entry, timeoutMs, signal) {
      const [{ mcpHarvester }, { packageVersion }] = await Promise.all([
        import('../adapters/mcp-client/mcp-harvester.ts'),
        import('../package-version.ts'),
      ])
      const { environment } = config
      const harvester = mcpHarvester({ catalogFolder, environment, version: packageVersion(), timeoutMs })
      const { server, tools } = await harvester.harvest(entry, signal ?? new AbortController().signal)
      return { name: server.name, version: server.version, tools: tools.length }
    },
    async index(options) {
      const started = performance.now()
      const { indexSources } = await import('../indexing/index-sources.ts')
      const { fetchDocument } = await import('../adapters/http/fetch-document.ts')
      const { guard, followLinks } = await guards()
      const { hostUserOf } = await import('./open-guards.ts')
      const [harvester, launch] = await Promise.all([harvesterFor(options.harvestTimeoutMs), launchOf()])
      const writing: Parameters<typeof write>[0] = {
        intent: options.dryRun ? 'preview' : 'commit',
        onWait: ({ pid, host }) => {
          const what = `waiting for process ${pid} on ${host}, which is indexing`
          options.onProgress?.({ step: 'write', share: 0, what })
        },
        onOvertaken: () => {
          const what = 'another process changed the same sources: reading again'
          options.onProgress?.({ step: 'write', share: 0, what })
        },
        ...(options.signal ? { signal: options.signal } : {}),
      }
      const report = await write(writing, (writer) =>
        indexSources(
          writer,
          {
            harvester,
            launchOf: launch,
            bundledFolder,
            user: hostUserOf(config),
            cwd: process.cwd(),
            fetchDocument: (url, signal) => fetchDocument(url, signal, guard),
            label: shortPath,
            followLinks,
          },
          options,
        ),
      )
      return { ...report, seconds: (performance.now() - started) / 1000 }
    },
    async train(options) {
      const [{ loadPart }, { packageVersion }] = await Promise.all([
        import('./load-part.ts'),
        import('../package-version.ts'),
      ])
      const version = packageVersion()
      const { trainModel } = await loadPart('audition-trainer', version)
      return trainModel({ ...options, version })
    },
    async removeSources(ids) {
      const { removeSources } = await import('../trust/review/retire.ts')
      await write({}, (writer) => removeSources(writer, ids, bundledFolder))
    },
    reviews: async () => (await openReader()).reviews(),
    async accept(words) {
      const { acceptCards } = await import('../trust/review/decide.ts')
      return write({}, (writer) => acceptCards(writer, words))
    },
    async decideTrust(ids, decision) {
      const { decideTrust, forgetDecisions } = await import('../trust/review/decide.ts')
      return write({}, (writer) =>
        decision === 'undecided' ? forgetDecisions(writer, ids) : decideTrust(writer, ids, decision),
      )
    },
    async standingBack() {
      const { sourcesStandingBack } = await import('../retrieval/defences/sources-standing-back.ts')
      return onSnapshot(async ({ indexes }) => sourcesStandingBack(indexes))
    },
    async close() {
      await (await searches.opened())?.close()
      await (await openRecord.opened())?.close()
      const [reader, model, crossEncoder] = [
        openReader.opened(),
        openModel.opened(),
        openCrossEncoder.opened(),
      ]
      await (await reader)?.close()
      await (await model)?.close()
      await (await crossEncoder)?.encoder.close()
    },
  }
}

/** States of the store on which one search is tried. */
const mostAttempts = 4

/** The bundled catalog as hosts and people would write it. */
const bundledFolder = join(packageRoot, 'catalog')

/** The folder that servers of the bundled catalog are started from. */
const catalogFolder = join(packageRoot, 'dist', 'bundled')

/** The demonstration: its profiles, and the compiled catalog that holds the right answers to its tasks. */
const demo = { profiles: join(bundledFolder, 'demo', 'profiles'), compiled: catalogFolder }

/** Relative to the working folder when that is shorter. */
const shortPath = (path: string): string => {
  const folder = process.cwd()
  return contains({ folder, path }) ? relative(folder, path) || '.' : path
}

const modelMismatch = (stored: string, configured: string): EmbeddingModelError =>
  new EmbeddingModelError(
    `The store's vectors were made by ${stored}, but ${configured} is configured.`,
    'Run `audition index` to embed the catalog with the configured model, or configure the other one.',
  )
