import { join } from 'node:path'
import type { WriterOptions } from '../adapters/lancedb/lance-writer.ts'
import type { Config } from '../config.ts'
import { opener } from '../domain/once.ts'
import type { PlanAgainOptions } from '../indexing/index-sources.ts'
import { searcherOf } from '../retrieval/search/choose-ranker.ts'
import { hasAllParts } from '../retrieval/vectors-of-cards.ts'
import type { CatalogReader, CatalogSnapshot, EmbeddingModel } from '../retrieval/ports.ts'
import type { CrossEncoderStage } from '../retrieval/rank/cross-encoder.ts'
import { EmbeddingModelError } from '../retrieval/rank/embedding-model-error.ts'
import type { CatalogWriter } from '../store/catalog-writer.ts'
import type { StoreDiagnosis } from '../store/diagnosis.ts'
import { readyModel, unaskedModelOf } from './open-models.ts'
import { rerankerOf, rerankersOf } from './open-reranker.ts'

/** States of the store on which one search is tried. */
const mostAttempts = 4

/** The store of a configuration with the models that read it; each is opened on first use. */
export type OpenStore = ReturnType<typeof openStore>

/** The models that search, each opened on first use. */
export type SearchModels = ReturnType<typeof openSearchModels>

/** @param fetch - for models and addresses that the user named */
export function openSearchModels(config: Config, fetch: typeof globalThis.fetch) {
  const openUnasked = opener(() => unaskedModelOf(config, fetch))
  const openCrossEncoder = opener(() => rerankerOf(config, fetch))
  return {
    openUnasked: (): Promise<EmbeddingModel | null> => openUnasked(),
    openCrossEncoder: (): Promise<CrossEncoderStage | null> => openCrossEncoder(),
    async close(): Promise<void> {
      const opened = [openUnasked.opened(), openCrossEncoder.opened()] as const
      await (await opened[0])?.close()
      await (await opened[1])?.encoder.close()
    },
  }
}

/**
 * @param fetch - for models and addresses that the user named
 * @param shared - models that others search by as well; whoever opened them closes them
 */
export function openStore(config: Config, fetch: typeof globalThis.fetch, shared?: SearchModels) {
  const openReader = opener(() => readerOf(config))
  let isSearched = false
  const models = shared ?? openSearchModels(config, fetch)
  const { openUnasked, openCrossEncoder } = models
  const openModel = async () => readyModel(await openUnasked())
  const onSnapshot = snapshotsOf(async () => {
    isSearched = true
    return openReader()
  })
  return {
    openReader,
    openModel,
    /** As `openModel`, but nothing is sent to a service before it is used. */
    openUnasked,
    openCrossEncoder,
    openRerankers: (specs: readonly string[]) => rerankersOf(config, specs, fetch),
    onSnapshot,
    /** As `onSnapshot`, for who compares all cards with each other: an engine gives all of them. */
    onWhole: <T>(use: (snapshot: CatalogSnapshot) => Promise<T>): Promise<T> =>
      onSnapshot(async (snapshot) => {
        const { engine } = snapshot
        return use(engine ? await engine.whole((await openUnasked())?.ranker?.tokensOf) : snapshot)
      }),
    async write<T>(options: WriteOptions, use: (writer: CatalogWriter) => Promise<T>): Promise<T> {
      const written = await writeTo(config.home, { openUnasked, options }, use)
      // Whoever wrote sees it at once, and not when a search looks for news the next time; the first search opens what is newest.
      if (options.intent !== 'preview' && isSearched)
        await (await openReader.opened())?.snapshot('now').catch(() => undefined)
      return written
    },
    storeAge: async () => (await openReader.opened())?.age?.() ?? null,
    /** The model that searches a snapshot's vectors; null without any. */
    modelFor: async ({ embedding }: CatalogSnapshot): Promise<EmbeddingModel | null> =>
      embedding && readyModel(searchingModel(embedding.model, await openUnasked()), embedding.dimensions),
    diagnose: (): Promise<StoreDiagnosis> => diagnose(config, openUnasked),
    async close(): Promise<void> {
      const reader = openReader.opened()
      await Promise.all([(await reader)?.close(), shared === undefined ? models.close() : undefined])
    },
  }
}

/** Writes, and again on the newest state when another writer was faster. */
async function writeTo<T>(
  home: string,
  {
    openUnasked,
    options,
  }: { readonly openUnasked: SearchModels['openUnasked']; readonly options: WriteOptions },
  use: (writer: CatalogWriter) => Promise<T>,
): Promise<T> {
  const [{ lanceWriter }, { planAgain }] = await Promise.all([
    import('../adapters/lancedb/lance-writer.ts'),
    import('../indexing/index-sources.ts'),
  ])
  return planAgain(async () => {
    const writer = await lanceWriter(home, { model: await openUnasked(), ...options })
    try {
      return await use(writer)
    } finally {
      await writer.close()
    }
  }, options)
}

/** The state of the store, with the model that would make vectors, or the fault where that cannot be opened. */
async function diagnose(config: Config, openUnasked: SearchModels['openUnasked']): Promise<StoreDiagnosis> {
  const { diagnoseStore } = await import('../adapters/lancedb/diagnose-store.ts')
  const stored = await diagnoseStore(config.home)
  try {
    const model = await openUnasked()
    if (model?.service?.isAgreed() !== false) await readyModel(model)
    else if (stored.storedModel !== model.id) return { ...stored, configuredModel: model.id, isUnasked: true }
    // A reader is opened when something is read: a damaged one shows here and not at the next search.
    if (model?.parts !== undefined) await model.embed(['audition'], 'query')
    return { ...stored, configuredModel: model?.id ?? null, ...tooManyToRead(model, stored) }
  } catch (error) {
    if (!(error instanceof EmbeddingModelError)) throw error
    const { message, remedy } = error
    return { ...stored, configuredModel: config.model, modelFault: { message, remedy } }
  }
}

async function readerOf({ home, cache }: Config): Promise<CatalogReader> {
  const { lanceReader } = await import('../adapters/lancedb/lance-reader.ts')
  const tell = (line: string): void => console.error(`audition: ${line}`)
  return lanceReader(home, { replica: { folder: join(cache, 'object-storage'), tell } })
}

/**
 * A commit may forget the state a search is reading: then the search is made once more on the new state, and again if
 * commits follow each other that fast.
 */
const snapshotsOf =
  (openReader: () => Promise<CatalogReader>) =>
  async <T>(use: (snapshot: CatalogSnapshot) => Promise<T>): Promise<T> => {
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

/** Of so many cards the kinds that the model leaves unread. */
export function tooManyToRead(
  model: EmbeddingModel | null,
  { tools, agents }: Pick<StoreDiagnosis, 'tools' | 'agents'>,
): Pick<StoreDiagnosis, 'tooManyToRead'> {
  if (model?.mostCards === undefined) return {}
  const counts = { tool: tools, agent: agents }
  const kinds = (['tool', 'agent'] as const).filter((kind) => !hasAllParts(model, counts[kind]))
  return kinds.length === 0 ? {} : { tooManyToRead: { kinds, mostCards: model.mostCards } }
}

export type WriteOptions = Omit<WriterOptions, 'model'> & Pick<PlanAgainOptions, 'onOvertaken'>

/** @throws EmbeddingModelError when the configured model is not the one that made the vectors */
function searchingModel(stored: string, model: EmbeddingModel | null): EmbeddingModel | null {
  const searcher = model && searcherOf(stored, model)
  if (model !== null && searcher === null) throw modelMismatch(stored, model.id)
  return searcher
}

const modelMismatch = (stored: string, configured: string): EmbeddingModelError =>
  new EmbeddingModelError(
    `The store's vectors were made by ${stored}, but ${configured} is configured.`,
    'Run `audition index` to embed the catalog with the configured model, or configure the other one.',
  )
