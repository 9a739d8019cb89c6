import { setImmediate } from 'node:timers/promises'
import type { Card } from '../../../../src/domain/card.ts'
import type { StaticEmbedding } from '../../../../src/vectors/embedding/static-embedding.ts'
import { seedOf, mulberry32 } from '../../../../src/domain/random.ts'
import { textsOf } from '../../../../src/retrieval/text/card-texts.ts'
import type { TrainingCorpus, TrainingQuery } from '../data/corpus.ts'
import type { Folds } from '../folds.ts'
import type { OutOfFoldReadings } from '../reading/readings.ts'
import {
  type AskedQuery,
  type GradedQuery,
  gradedQuery,
  type RankedCorpus,
  rankedCorpus,
} from './ranked-corpus.ts'
import { sample } from '../sample.ts'

export type RankerRowsInput = {
  readonly corpora: readonly TrainingCorpus[]
  readonly folds: Folds
  /** Whose queries are asked. */
  readonly fold: number
  /** Trained without that fold. */
  readonly embedding: StaticEmbedding
  /** For a ranker that looks at readings of cards; null for one that does not. */
  readonly readings: OutOfFoldReadings | null
  /** Queries per corpus and way of looking at it, and for all corpora of a family together. */
  readonly most: { readonly perCorpus: number; readonly perFamily: number }
  readonly seed: number
  readonly signal?: AbortSignal | undefined
  /** Told the share of the corpora that is done, 0..1. */
  readonly onProgress?: (share: number) => void
}

/** One query of so many is also asked of the corpus without what serves it. */
const absentStride = 2
/** Queries that share one small corpus. */
const perSmallCorpus = 25
/** Other corpora that are searched together with one, at most; few of them more often than many. */
const mostOthers = 6
/** Cards that a small corpus has at least beside the relevant ones, and how often that may double. */
const smallest = 20
const doublings = 4

/**
 * Rows for the ranker from the queries of one fold, asked in four ways: of their own corpus, of small random parts of it
 * (as a user's handful of servers is), of it and some other corpora of the kind, and of all of these joined, some 50,000
 * cards: so that what is learned holds however large a catalog is.
 *
 * @returns only queries with a candidate that serves
 * @throws the signal's reason when it is aborted
 */
export async function rankerRows(input: RankerRowsInput): Promise<readonly GradedQuery[]> {
  const { corpora, folds, fold, embedding, readings, signal, onProgress = () => {} } = input
  const vectors = new Map<Card, Float32Array>()
  const vectorOf = (card: Card): Float32Array => {
    const vector = vectors.get(card) ?? embedding.document(textsOf(card))
    vectors.set(card, vector)
    return vector
  }
  const searched = (cards: readonly Card[]): RankedCorpus =>
    rankedCorpus(cards, { embedding, vectorOf, readings })
  const joined = new Map<string, RankedCorpus>()
  const joinedWith = (kind: string): RankedCorpus => {
    const known = joined.get(kind) ?? searched(corpora.filter((one) => kindOf(one) === kind).flatMap(cardsOf))
    joined.set(kind, known)
    return known
  }
  const found: GradedQuery[] = []
  const ask = async (
    ranked: RankedCorpus,
    { name, family, cards }: TrainingCorpus,
    among: AskedQuery['among'],
    queries: readonly TrainingQuery[],
  ): Promise<void> => {
    for (const [place, { text, relevant }] of queries.entries()) {
      await setImmediate()
      signal?.throwIfAborted()
      const asked = { text, relevant, corpus: name, family, kind: cards[0]!.kind, among }
      const graded = gradedQuery(ranked, asked, place % absentStride === 0)
      if (graded.grades.includes(1)) found.push(graded)
    }
  }
  for (const [place, corpus] of corpora.entries()) {
    onProgress(place / corpora.length)
    const own = corpus.queries.filter(({ text }) => folds.ofQuery(place, text) === fold)
    if (own.length === 0) continue
    const relatives = corpora.filter(({ family, queries }) => family === corpus.family && queries.length > 0)
    const most = Math.min(input.most.perCorpus, Math.ceil(input.most.perFamily / relatives.length))
    const random = mulberry32(input.seed + seedOf(corpus.name))
    const drawn = sample(own, 2 * most, random)
    await ask(searched(corpus.cards), corpus, 'own', drawn.slice(0, most))
    for (const { cards, queries } of smallCorpora(corpus, drawn.slice(most), random))
      await ask(searched(cards), corpus, 'part', queries)
    const kind = kindOf(corpus)
    const others = corpora.filter((one) => one !== corpus && kindOf(one) === kind)
    if (others.length > 0) {
      await ask(joinedWith(kind), corpus, 'joined', sample(own, most, random))
      const some = sample(others, 1 + Math.floor(mostOthers ** random()), random)
      await ask(searched([corpus, ...some].flatMap(cardsOf)), corpus, 'some', sample(own, most, random))
    }
  }
  onProgress(1)
  return found
}

const cardsOf = ({ cards }: TrainingCorpus): readonly Card[] => cards
const kindOf = ({ cards }: TrainingCorpus): string => cards[0]?.kind ?? ''

type SmallCorpus = { readonly cards: readonly Card[]; readonly queries: readonly TrainingQuery[] }

function smallCorpora(
  { cards }: TrainingCorpus,
  queries: readonly TrainingQuery[],
  random: () => number,
): readonly SmallCorpus[] {
  const byId = new Map(cards.map((card) => [card.id, card]))
  const parts: SmallCorpus[] = []
  for (let start = 0; start < queries.length; start += perSmallCorpus) {
    const some = queries.slice(start, start + perSmallCorpus)
    const size = Math.floor(smallest * 2 ** (doublings * random()))
    const relevant = some.flatMap((query) => query.relevant.flatMap((id) => byId.get(id) ?? []))
    parts.push({ cards: [...relevant, ...sample(cards, size, random)], queries: some })
  }
  return parts
}
