import type { Card, ToolCard } from '../domain/card.ts'
import type { SearchAnswer, SearchRequest } from '../retrieval/answer.ts'
import { memorySnapshot } from '../retrieval/memory-snapshot.ts'
import { rerankerOrFailing } from './open-reranker.ts'
import type { CrossEncoderStage } from '../retrieval/rank/cross-encoder.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../retrieval/ports.ts'
import { search } from '../retrieval/search/search.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import { printableLine } from '../domain/text/printable.ts'
import type { SearchedTool } from '../evaluation/host-rankers/host-ranker.ts'
import type { Audition } from './audition.ts'

/** What a search in memory runs on, opened when it is needed. */
type Models = {
  readonly openModel: () => Promise<EmbeddingModel | null>
  readonly openCrossEncoder: () => Promise<CrossEncoderStage | null>
}

/** Packing a list costs a hundred times what a search in it does: whoever asks with the same cards again gets the same snapshot. */
const packed = new WeakMap<readonly Card[], Map<EmbeddingModel | null, Promise<CatalogSnapshot>>>()

function snapshotOf(cards: readonly Card[], model: EmbeddingModel | null): Promise<CatalogSnapshot> {
  const byModel = packed.get(cards) ?? new Map<EmbeddingModel | null, Promise<CatalogSnapshot>>()
  packed.set(cards, byModel)
  const snapshot = byModel.get(model) ?? memorySnapshot(cards, model)
  byModel.set(model, snapshot)
  snapshot.catch(() => byModel.delete(model))
  return snapshot
}

/** Searches cards that lie in memory, by the models that are configured. They are read only where the ranker `reader` is asked for. */
export async function searchAmong(
  cards: readonly Card[],
  { request, signal }: { readonly request: SearchRequest; readonly signal: AbortSignal | undefined },
  { openModel, openCrossEncoder }: Models,
): Promise<SearchAnswer> {
  const [whole, crossEncoder] = await Promise.all([openModel(), rerankerOrFailing(openCrossEncoder)])
  const model = request.ranker === 'reader' ? whole : (whole?.plain ?? whole)
  const snapshot = await snapshotOf(cards, model)
  signal?.throwIfAborted()
  return search({ snapshot, model, crossEncoder }, request, signal)
}

/** Most tools that are read of one source. */
const mostTools = 10_000

/**
 * The tools of a source of the index, as hosts list them.
 *
 * @param as - the name under which hosts have the server. @defaultValue what the cards say
 * @throws RemedyError when it has none
 */
export async function toolsOfSource(
  app: Pick<Audition, 'completeIds' | 'cards'>,
  source: string,
  as?: string,
): Promise<readonly SearchedTool[]> {
  const cards = await toolCardsOf(app, source)
  if (cards.length === 0)
    throw new RemedyError(`The source "${printableLine(source)}" has no tools.`, 'Name one that has.')
  return cards.map(({ name, title, description, inputSchema, server }) => ({
    name,
    description,
    server: as ?? server ?? source,
    ...(title === undefined ? {} : { title }),
    ...(inputSchema === undefined ? {} : { inputSchema }),
  }))
}

/** Cards of the tools of a source, in the order of their names. */
export async function toolCardsOf(
  app: Pick<Audition, 'completeIds' | 'cards'>,
  source: string,
): Promise<readonly ToolCard[]> {
  const ids = await app.completeIds(`${source}/`, mostTools, 'tool')
  return (await app.cards(ids)).filter(
    (card): card is ToolCard => card.kind === 'tool' && card.source === source,
  )
}
