import { type Config, isEngine } from '../config.ts'
import { opener } from '../domain/once.ts'
import { errorText } from '../domain/remedy-error.ts'
import type { SearchAnswer, SearchRequest } from '../retrieval/answer.ts'
import { isOtherVersion, searcherOf } from '../retrieval/search/choose-ranker.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../retrieval/ports.ts'
import type { CrossEncoderStage } from '../retrieval/rank/cross-encoder.ts'
import { EmbeddingServiceError } from '../retrieval/rank/embedding-model-error.ts'
import type { RecordIndex } from '../retrieval/record/record-index.ts'
import type { SearchContext } from '../retrieval/search/search.ts'
import { rerankerOrFailing } from './open-reranker.ts'

/** What searches are made of; all of it is opened when it is first needed. */
type SearchParts = {
  readonly onSnapshot: <T>(use: (snapshot: CatalogSnapshot) => Promise<T>) => Promise<T>
  readonly openUnasked: () => Promise<EmbeddingModel | null>
  /** The model that searches a snapshot's vectors; null without any. @throws EmbeddingModelError when another is configured */
  readonly modelFor: (snapshot: CatalogSnapshot) => Promise<EmbeddingModel | null>
  readonly openCrossEncoder: () => Promise<CrossEncoderStage | null>
  readonly openRecord: () => Promise<{ index(): Promise<RecordIndex> }>
}

/** Searches by what is configured, what is recorded, and what the user's settings say of the record. */
export function openSearch(
  config: Config,
  { onSnapshot, openUnasked, modelFor, openCrossEncoder, openRecord }: SearchParts,
): {
  search(request: SearchRequest, signal: AbortSignal | undefined): Promise<SearchAnswer>
  close(): Promise<void>
} {
  const byRecord = recordWeigher(config, openRecord)
  const threads = opener(async () =>
    (await import('./search-threads/search-threads.ts')).searchThreads(config, config.searchThreads - 1),
  )

  /** Other models have threads of their own, and need much memory. */
  const isShared =
    !isEngine(config.home) &&
    config.reranker === null &&
    (config.model === null || config.model === 'none' || config.model.startsWith('static:'))

  const searcher = async () =>
    isShared ? (await threads()).search : (await import('../retrieval/search/search.ts')).search

  const searchWith: SearchBy = async (request, signal, by) => {
    const { ranker = 'auto' } = request
    const crossEncoder =
      ranker === 'auto'
        ? await rerankerOrFailing(openCrossEncoder)
        : ranker === 'cross-encoder'
          ? await openCrossEncoder()
          : null
    const [weighing, search] = await Promise.all([byRecord(), searcher()])
    return onSnapshot(async (snapshot) => {
      const isAsked = by === 'model' && ranker !== 'lexical'
      const isWhole = isAsked && ranker === 'auto' && snapshot.embedding !== null
      const wholeModel = isWhole ? await openUnasked() : null
      const fallback = fallbackOn(snapshot, wholeModel)
      const model = isAsked && fallback !== byWordsAlone ? await modelFor(snapshot) : null
      const asked = await searchedIn({ snapshot, model }, request, signal)
      const answer = await search({ ...asked, crossEncoder, ...weighing(asked.snapshot) }, request, signal)
      return fallback ? withNote(answer, fallback) : answer
    })
  }

  return {
    search: orByWords(searchWith),
    close: async () => (await threads.opened())?.close(),
  }
}

/** What a search hears of the record; nothing where there is none. */
function recordWeigher(config: Config, openRecord: SearchParts['openRecord']) {
  const weights = opener(() => weightsOf(config))
  return async (): Promise<(snapshot: CatalogSnapshot) => Pick<SearchContext, 'weigh' | 'settings'>> => {
    const record = await (await openRecord()).index()
    if (record.size === 0) return () => ({})
    const [settings, { weighedBy }] = await Promise.all([
      weights(),
      import('../retrieval/record/weigh-search.ts'),
    ])
    if (settings.recordWeight === 0) return () => ({})
    return (snapshot) => ({ settings, ...weighedBy(record, snapshot, settings) })
  }
}

/** How the user has the record weigh in searches; read once, since searches are many. */
async function weightsOf(config: Config) {
  const [{ readSettings }, { retrievalDefaults }] = await Promise.all([
    import('../probing/settings/settings-file.ts'),
    import('../retrieval/search/retrieve.ts'),
  ])
  const { recordWeight, exploration, undocumented } = await readSettings(config.settings)
  return {
    ...retrievalDefaults,
    exploration,
    undocumented,
    ...(recordWeight === null ? {} : { recordWeight }),
  }
}

/** What a search runs on: of a catalog in an engine the candidates that it gives. */
async function searchedIn(
  whole: Pick<SearchContext, 'snapshot' | 'model'>,
  request: SearchRequest,
  signal: AbortSignal | undefined,
): Promise<Pick<SearchContext, 'snapshot' | 'model'>> {
  if (whole.snapshot.engine === undefined) return whole
  const { amongCandidates } = await import('../retrieval/search/among-candidates.ts')
  return amongCandidates(whole, request, signal)
}

type SearchBy = (
  request: SearchRequest,
  signal: AbortSignal | undefined,
  by: 'model' | 'words',
) => Promise<SearchAnswer>

/** A model that others run and that cannot be reached costs no search: words alone answer, and the answer says so. */
const orByWords =
  (search: SearchBy) =>
  async (request: SearchRequest, signal: AbortSignal | undefined): Promise<SearchAnswer> => {
    try {
      return await search(request, signal, 'model')
    } catch (error) {
      if ((request.ranker ?? 'auto') !== 'auto' || !(error instanceof EmbeddingServiceError)) throw error
      return withNote(await search(request, signal, 'words'), `Ranked by words alone: ${errorText(error)}`)
    }
  }

const withNote = (answer: SearchAnswer, note: string): SearchAnswer => ({
  ...answer,
  note: [answer.note, note].filter(Boolean).join(' '),
})

/** What the model cannot make of a snapshot's vectors, as an answer says it; null when it can make all of them. */
function fallbackOn({ embedding }: CatalogSnapshot, model: EmbeddingModel | null): string | null {
  if (embedding === null || model === null || model.id === embedding.model) return null
  const searcher = searcherOf(embedding.model, model)
  if (searcher === null) return isOtherVersion(embedding.model, model.id) ? byWordsAlone : null
  return searcher === model ? null : withoutReader
}

/** Said of answers while the vectors are those of another version of the model: after an upgrade nobody's search may fail. */
const byWordsAlone =
  'Ranked by words alone: the index was made by another version of the model. Run `audition index` to embed it anew.'
/** Said while the cards have the vectors of the embedding alone, or those of another reader. */
const withoutReader =
  'Ranked without the reader, which has not read these cards yet: run `audition index`, or set AUDITION_READER=none.'
