import { setImmediate } from 'node:timers/promises'
import type { Card, CardKind } from '../../../../src/domain/card.ts'
import { seedOf, mulberry32 } from '../../../../src/domain/random.ts'
import { textsOf } from '../../../../src/retrieval/text/card-texts.ts'
import type { TrainingCorpus, TrainingQuery } from '../data/corpus.ts'
import { type GradedQuery, gradedQuery, type RankedCorpus, rankedCorpus } from './ranked-corpus.ts'
import type { RankerRowsInput } from './ranker-rows.ts'
import { inStory, keywordsOf, type RequestForm } from './request-forms.ts'
import { wholeServers } from './whole-servers.ts'
import { sample } from '../sample.ts'

/** Queries of a family that are asked, at most, and of one of its corpora. */
const most = { perFamily: 240, perCorpus: 120 } as const
/** Whole servers are asked for by so many. */
const mostByServer = 120
/** Cards of the mixed catalogs; the last holds all there are. */
const mixedSizes = [300, 3000, Number.POSITIVE_INFINITY] as const
/** Foreign catalogs of a kind, and how many cards they have: from so many, doubled so often. */
const foreign = { catalogs: 16, smallest: 4, doublings: 6 } as const
const forms: readonly RequestForm[] = ['written', 'story', 'written', 'keywords']
/** Requests that stories may tell of. */
const mostUnrelated = 400

/**
 * Rows about how sure an answer is, from the queries of one fold: each is asked once of its own corpus, or of one of three
 * catalogs mixed from all corpora of the kind, as it was written, as keywords, or in the middle of a story; of tools, of
 * agents, and of whole servers; and once of what serves it in a small catalog of another family. Each is asked with and
 * without what serves it.
 *
 * @returns also queries of whose candidates none serves: a person would be answered wrongly, and the verdict should tell
 * @throws the signal's reason when it is aborted
 */
export async function verdictRows(input: RankerRowsInput): Promise<readonly GradedQuery[]> {
  const { corpora, folds, fold, embedding, readings, signal, seed, onProgress = () => {} } = input
  const vectors = new Map<Card, Float32Array>()
  const vectorOf = (card: Card): Float32Array => {
    const vector = vectors.get(card) ?? embedding.document(textsOf(card))
    vectors.set(card, vector)
    return vector
  }
  const searched = (cards: readonly Card[]): RankedCorpus =>
    rankedCorpus(cards, { embedding, vectorOf, readings })
  const isAsked = (place: number, { text }: TrainingQuery): boolean => folds.ofQuery(place, text) === fold
  const drawn = corpora.flatMap((corpus, place) => drawnFrom(corpus, place, { corpora, isAsked, seed }))
  const unrelated = sample(
    corpora.flatMap(({ queries }, place) => queries.filter((query) => !isAsked(place, query))),
    mostUnrelated,
    mulberry32(seed),
  ).map(({ text }) => text)
  const mixed = mixedCatalogs(corpora, drawn, searched, seed)
  const foreignTo = foreignCatalogs(corpora, seed)
  const found: GradedQuery[] = []
  for (const [place, { corpus, queries }] of drawn.entries()) {
    onProgress(place / drawn.length)
    const random = mulberry32(seed + seedOf(corpus.name))
    const own = searched(corpus.cards)
    const { cards } = corpus
    const kind = cards[0]!.kind
    const catalogs: readonly (() => RankedCorpus)[] = [() => own, ...mixed(kind)]
    for (const [turn, query] of queries.entries()) {
      await setImmediate()
      signal?.throwIfAborted()
      // Forms and catalogs take turns at different paces, so that each form meets each catalog.
      const form = forms[turn % forms.length]!
      const size = Math.floor(turn / forms.length) % catalogs.length
      const catalog = catalogs[size]!()
      const text =
        form === 'story'
          ? inStory(query.text, unrelated, random)
          : form === 'keywords'
            ? keywordsOf(query.text, catalog.index)
            : query.text
      const { name, family } = corpus
      const asked = { text, corpus: name, family, kind, relevant: query.relevant }
      const among = size === 0 ? 'own' : 'joined'
      found.push(gradedQuery(catalog, { ...asked, among }, true))
      const others = foreignTo(kind, family, turn)
      if (others.length === 0) continue
      const mixedIn = searched([...cards.filter(({ id }) => query.relevant.includes(id)), ...others])
      found.push(gradedQuery(mixedIn, { ...asked, among: 'foreign' }, true))
    }
  }
  onProgress(1)
  return found
}

type Drawn = { readonly corpus: TrainingCorpus; readonly queries: readonly TrainingQuery[] }

/** Of a corpus, and of its servers. */
function drawnFrom(
  corpus: TrainingCorpus,
  place: number,
  {
    corpora,
    isAsked,
    seed,
  }: Pick<RankerRowsInput, 'corpora' | 'seed'> & {
    readonly isAsked: (place: number, query: TrainingQuery) => boolean
  },
): readonly Drawn[] {
  const own = corpus.queries.filter((query) => isAsked(place, query))
  if (own.length === 0) return []
  const relatives = corpora.filter(({ family, queries }) => family === corpus.family && queries.length > 0)
  const count = Math.min(most.perCorpus, Math.ceil(most.perFamily / relatives.length))
  const random = mulberry32(seed + seedOf(`verdict ${corpus.name}`))
  const servers = wholeServers({ ...corpus, queries: own })
  return [
    { corpus, queries: sample(own, count, random) },
    ...(servers === null
      ? []
      : [{ corpus: servers, queries: sample(servers.queries, mostByServer, random) }]),
  ]
}

/** Catalogs of one kind, each with all that serves the drawn queries and others as they come; made when first asked for. */
function mixedCatalogs(
  corpora: readonly TrainingCorpus[],
  drawn: readonly Drawn[],
  searched: (cards: readonly Card[]) => RankedCorpus,
  seed: number,
): (kind: CardKind) => readonly (() => RankedCorpus)[] {
  const made = new Map<string, RankedCorpus>()
  return (kind) =>
    mixedSizes.map((size) => () => {
      const key = `${kind} ${size}`
      const known = made.get(key)
      if (known) return known
      const pools = [...corpora, ...drawn.map(({ corpus }) => corpus)].filter(
        ({ cards }) => cards[0]?.kind === kind,
      )
      const serving = new Set(drawn.flatMap(({ queries }) => queries.flatMap(({ relevant }) => relevant)))
      const all = [...new Set(pools.flatMap(({ cards }) => cards))]
      const needed = all.filter(({ id }) => serving.has(id))
      const others = sample(all, Math.min(size, all.length), mulberry32(seed))
      const catalog = searched([...needed, ...others])
      made.set(key, catalog)
      return catalog
    })
}

/** Small catalogs, each of one corpus; a request gets one of another family by its turn. Empty where there is no other. */
function foreignCatalogs(
  corpora: readonly TrainingCorpus[],
  seed: number,
): (kind: CardKind, family: string, turn: number) => readonly Card[] {
  const random = mulberry32(seed)
  const made = (['tool', 'agent'] as const).map((kind) => {
    const pool = corpora.filter(({ cards }) => cards[0]?.kind === kind)
    return Array.from({ length: pool.length === 0 ? 0 : foreign.catalogs }, () => {
      const { family, cards } = pool[Math.floor(random() * pool.length)]!
      const size = Math.floor(foreign.smallest * 2 ** (foreign.doublings * random()))
      return { kind, family, catalog: sample(cards, size, random) }
    })
  })
  return (kind, family, turn) => {
    const others = made.flat().filter((one) => one.kind === kind && one.family !== family)
    return others[turn % others.length]?.catalog ?? []
  }
}
