import type { Card, CardKind } from '../../../../src/domain/card.ts'
import type { StaticEmbedding } from '../../../../src/vectors/embedding/static-embedding.ts'
import { analyzeQuery } from '../../../../src/retrieval/text/analyze.ts'
import { bestDocuments } from '../../../../src/retrieval/index/best-documents.ts'
import { candidateFeatures, evidenceOfText } from '../../../../src/retrieval/rank/candidate-features.ts'
import { type CardIndex, openCardIndex, packCardIndex } from '../../../../src/retrieval/index/card-index.ts'
import {
  fuseWithReading,
  minMax,
  type ScoreList,
  weightedSum,
} from '../../../../src/retrieval/rank/fusion.ts'
import { mostScored } from '../../../../src/retrieval/rank/learned-ranker.ts'
import { matchedTokens } from '../../../../src/retrieval/rank/soft-match.ts'
import { cosines } from '../held-out.ts'
import type { OutOfFoldReadings, Readings } from '../reading/readings.ts'

/** Cards of one kind, searched by words, by an embedding, and by what was read of them where there is a reader. */
export type RankedCorpus = {
  readonly index: CardIndex
  /** Document by card id. */
  readonly documentOf: ReadonlyMap<string, number>
  readonly embedding: StaticEmbedding
  /** Of the documents, row-major. */
  readonly vectors: Float32Array
  /** Cosines of a query with what was read of the documents, by a reader that has not seen the family; null without readers. */
  readonly readingsFor: ((text: string, family: string) => Float32Array) | null
}

/** How the cards of a corpus are searched. */
type SearchedBy = {
  readonly embedding: StaticEmbedding
  /** Of a card; a unit vector. */
  readonly vectorOf: (card: Card) => Float32Array
  readonly readings: OutOfFoldReadings | null
}

/** Which query was asked, and of what. */
export type AskedQuery = {
  readonly text: string
  /** Name and family of the corpus that the query belongs to. */
  readonly corpus: string
  readonly family: string
  readonly kind: CardKind
  /**
   * The corpus itself, a random part of it as a user's handful of servers is, some corpora of the kind with it, all of
   * them, or what serves among cards of another family.
   */
  readonly among: 'own' | 'part' | 'some' | 'joined' | 'foreign'
  /** How many cards these are. */
  readonly cards: number
}

/** The candidates of one query as rows for the ranker. */
export type GradedQuery = {
  readonly asked: AskedQuery
  /** Candidates x features, row-major. */
  readonly features: Float32Array
  /** Per candidate 1 when it serves the query, else 0. */
  readonly grades: Float32Array
  /** Candidates x features, row-major, when all that serves is left out of the search; empty where that was not asked. */
  readonly absent: Float32Array
}

/** Candidates that each retriever gives: as many as a search asks for. */
const depth = 100

export function rankedCorpus(
  cards: readonly Card[],
  { embedding, vectorOf, readings }: SearchedBy,
): RankedCorpus {
  const byId = new Map(cards.map((card) => [card.id, card]))
  const index = openCardIndex(
    packCardIndex([...byId.values()], { tokensOf: matchedTokens(embedding.tokens) }),
  )
  if (index === null) throw new Error('A search image that was just packed cannot be opened.')
  const documentOf = new Map<string, number>()
  const vectors = new Float32Array(index.size * embedding.dimensions)
  for (let document = 0; document < index.size; document += 1) {
    const id = index.ids.at(document)
    documentOf.set(id, document)
    vectors.set(vectorOf(byId.get(id)!), document * embedding.dimensions)
  }
  return {
    index,
    documentOf,
    embedding,
    vectors,
    readingsFor: readings && readingsOver(byId, index, readings),
  }
}

/** What each reader makes of the cards is put together when it is first asked. */
function readingsOver(
  cards: ReadonlyMap<string, Card>,
  index: CardIndex,
  readings: OutOfFoldReadings,
): NonNullable<RankedCorpus['readingsFor']> {
  const rowsBy = new Map<Readings, Float32Array>()
  return (text, family) => {
    const own = readings.of(family)
    const rows = rowsBy.get(own) ?? new Float32Array(index.size * own.dimensions)
    if (!rowsBy.has(own))
      for (let document = 0; document < index.size; document += 1)
        rows.set(own.card(cards.get(index.ids.at(document))!), document * own.dimensions)
    rowsBy.set(own, rows)
    return cosines(rows, own.query(text))
  }
}

/**
 * Finds candidates as a search does, and says of each what is known and whether it serves.
 *
 * @param asked - with the ids of the cards that serve
 * @param withAbsent - whether to search once more without the cards that serve
 */
export function gradedQuery(
  corpus: RankedCorpus,
  { relevant, ...asked }: Omit<AskedQuery, 'cards'> & { readonly relevant: readonly string[] },
  withAbsent: boolean,
): GradedQuery {
  const { index, documentOf, embedding, vectors } = corpus
  const { text } = asked
  const serving = new Set(relevant.flatMap((id) => documentOf.get(id) ?? []))
  const found = {
    cosines: cosines(vectors, embedding.query(text)),
    readings: corpus.readingsFor?.(text, asked.family) ?? null,
  }
  const { documents, features } = candidatesOf(corpus, text, found, null)
  const others = withAbsent ? new Uint8Array(index.size).fill(1) : null
  for (const document of serving) if (others) others[document] = 0
  return {
    asked: { ...asked, cards: index.size },
    features,
    grades: Float32Array.from(documents, (document) => (serving.has(document) ? 1 : 0)),
    absent: others ? candidatesOf(corpus, text, found, others).features : new Float32Array(0),
  }
}

/** The best of the plain fusion, among the admitted documents, with their features. */
function candidatesOf(
  { index, embedding }: RankedCorpus,
  text: string,
  scores: { readonly cosines: Float32Array; readonly readings: Float32Array | null },
  admitted: Uint8Array | null,
): { readonly documents: readonly number[]; readonly features: Float32Array } {
  const query = analyzeQuery(text)
  const all = Uint32Array.from({ length: index.size }, (_, document) => document)
  const among = admitted === null ? all : all.filter((document) => admitted[document] === 1)
  const lexical = scoresOf(index.search(query, depth, admitted))
  const dense = scoresOf(bestDocuments(scores.cosines, among, depth))
  const { readings } = scores
  const read = readings && scoresOf(bestDocuments(readings, among, depth))
  const fused = read ? fuseWithReading({ lexical, dense, reading: read }) : fuseBoth(lexical, dense)
  const documents = [...fused.keys()]
    .sort((a, b) => fused.get(b)! - fused.get(a)! || b - a)
    .slice(0, mostScored)
  const cosineOf = (document: number): number => scores.cosines[document]!
  const readingOf = (document: number): number => readings![document]!
  const evidence = {
    index,
    probe: index.probe(query),
    lexical,
    dense,
    cosineOf,
    ...(read ? { reading: { list: read, of: readingOf } } : {}),
    ...evidenceOfText(index, text, embedding.tokens),
  }
  return { documents, features: candidateFeatures(evidence, documents) }
}

const fuseBoth = (lexical: ScoreList, dense: ScoreList): ScoreList =>
  weightedSum([
    { scores: minMax(lexical, 0), weight: 1 },
    { scores: minMax(dense), weight: 1 },
  ])

const scoresOf = (hits: { readonly documents: Uint32Array; readonly scores: Float32Array }): ScoreList =>
  new Map(Array.from(hits.documents, (document, place) => [document, hits.scores[place]!]))
