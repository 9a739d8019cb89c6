import type { CardKind } from '../domain/card.ts'
import { analyzeQuery } from './analyze.ts'
import type { CardIndex } from './card-index.ts'
import { minMax, reciprocalRankFusion, type ScoreList, weightedSum } from './fusion.ts'
import type { CatalogSnapshot } from './ports.ts'

/** Which retrievers take part and how their scores meet. */
export type Ranker = 'lexical' | 'dense' | 'hybrid' | 'rrf'

/** Weights and depths of retrieval. */
export type RetrievalSettings = {
  /** Candidates taken from each retriever before fusion. Integer >= 1. */
  readonly depth: number
  /** Weights of the retrievers in the weighted sum, >= 0. */
  readonly weights: { readonly lexical: number; readonly dense: number }
  /** Share of the final score that the best step of a many-step query decides, 0..1. */
  readonly facetShare: number
  /** Share of an agent's final score that its best tool may add, 0..1. */
  readonly liftShare: number
}

export const retrievalDefaults: RetrievalSettings = {
  depth: 100,
  weights: { lexical: 0.5, dense: 0.5 },
  facetShare: 0.3,
  liftShare: 0.3,
}

/** One text to look for: the words, and its vector when a dense retriever takes part. */
export type Lookup = { readonly text: string; readonly vector: Float32Array | null }

/** What one text retrieved: raw scores per retriever and the fused ones, 0..1. */
export type Retrieved = { readonly lexical: ScoreList; readonly dense: ScoreList; readonly fused: ScoreList }

/** Looks for one text among the admitted cards of one kind. */
export async function retrieve(
  snapshot: CatalogSnapshot,
  kind: CardKind,
  { text, vector }: Lookup,
  ranker: Ranker,
  settings: RetrievalSettings,
  admitted: Uint8Array | null,
): Promise<Retrieved> {
  const index = snapshot.indexes[kind]
  const [lexical, dense] = await Promise.all([
    ranker === 'dense' ? none : lexicalScores(index, text, settings.depth, admitted),
    ranker === 'lexical' || vector === null
      ? none
      : denseScores(snapshot, kind, vector, settings.depth, admitted),
  ])
  return { lexical, dense, fused: fuse(lexical, dense, ranker, settings) }
}

const none: ScoreList = new Map()

function fuse(
  lexical: ScoreList,
  dense: ScoreList,
  ranker: Ranker,
  { weights }: RetrievalSettings,
): ScoreList {
  if (ranker === 'rrf') return minMax(reciprocalRankFusion([[...lexical.keys()], [...dense.keys()]]), 0)
  const lists = [
    { scores: minMax(lexical, 0), weight: weights.lexical },
    { scores: minMax(dense), weight: weights.dense },
  ].filter(({ scores, weight }) => scores.size > 0 && weight > 0)
  return lists.length === 0 ? none : weightedSum(lists)
}

function lexicalScores(
  index: CardIndex,
  text: string,
  depth: number,
  admitted: Uint8Array | null,
): ScoreList {
  const { documents, scores } = index.search(analyzeQuery(text), depth, admitted)
  return new Map(Array.from(documents, (document, rank) => [document, scores[rank]!]))
}

async function denseScores(
  snapshot: CatalogSnapshot,
  kind: CardKind,
  vector: Float32Array,
  depth: number,
  admitted: Uint8Array | null,
): Promise<ScoreList> {
  const nearest = await snapshot.nearest(kind, vector, depth, admitted)
  const index = snapshot.indexes[kind]
  const found = nearest.map(({ id, score }) => [index.ids.indexOf(id), score] as const)
  return new Map(found.filter(([document]) => document >= 0))
}
