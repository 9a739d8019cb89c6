import type { Card, CardKind } from '../../domain/card.ts'
import { defined } from '../../domain/defined.ts'
import type { Ranker, Reranking, ScoredCard, SearchAnswer, SearchRequest } from '../answer.ts'
import { byProvenance, provenanceIn, tierOf } from '../defences/provenance.ts'
import { standsBackText } from '../defences/sources-standing-back.ts'
import { standBack } from '../defences/stand-back.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { Coverage } from '../index/lexical-index.ts'
import { missingSystem } from '../named-systems/missing-system.ts'
import { namedSystems, preferNamed } from '../named-systems/named-systems.ts'
import { requestWords } from '../named-systems/request-words.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../ports.ts'
import { type Beside, termsWith } from '../query/beside.ts'
import { type SplitRequest, shownStep, splitRequest } from '../query/facets.ts'
import type { Lookup, Need } from '../query/need.ts'
import type { CrossEncoderStage } from '../rank/cross-encoder.ts'
import { effectOnScores, unaskedLead } from '../rank/effect-on-scores.ts'
import type { ScoreList } from '../rank/fusion.ts'
import { judgeMatch, type LearnedEvidence, type MatchEvidence } from '../rank/judge-match.ts'
import type { LearnedRanker } from '../rank/learned-ranker.ts'
import type { PackedCard, RankedCard } from '../rank/ranked-card.ts'
import { knownShare } from '../rank/soft-match.ts'
import type { ToWeigh, Weighed } from '../record/weigh-search.ts'
import type { WeighScale } from '../record/weigh.ts'
import { analyzeQuery, type QueryTerm } from '../text/analyze.ts'
import { modelOf, rankerFor } from './choose-ranker.ts'
import { enoughCandidates, type Packer, packer, usualCandidates } from './pack.ts'
import { rankCards } from './rank-cards.ts'
import { type RequestTexts, textsOfRequest } from './request-texts.ts'
import { noCrossEncoder, rerankByCrossEncoder } from './rerank.ts'
import { type RetrievalSettings, retrievalDefaults } from './retrieve.ts'

/** Most query words told per candidate. */
const maxMatched = 8
/** Candidates whose coverage speaks for the whole answer. */
const coveringTop = 3
/** Candidates that speak for the steps of a request. */
const judgedHead = 5

/** What a search runs on. */
export type SearchContext = {
  readonly snapshot: CatalogSnapshot
  /** The model that made the stored vectors; null searches by words alone. */
  readonly model: EmbeddingModel | null
  /** Reranks the first candidates of the rankers `auto` and `cross-encoder`. @defaultValue none does */
  readonly crossEncoder?: CrossEncoderStage | null
  readonly settings?: RetrievalSettings
  /** Weighs the candidates by what happened when they were run. @defaultValue nothing is known of it */
  readonly weigh?: (found: ToWeigh) => Promise<Weighed>
}

/**
 * Finds the cards for a need: retrieve, fuse, lift, choose, and say why. The same request on the same snapshot gives the
 * same answer.
 *
 * @throws RankerError when the request asks for a dense ranker and the store has no vectors, or for a cross-encoder and there is
 *   none
 */
export async function search(
  context: SearchContext,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<SearchAnswer> {
  const { snapshot } = context
  const { kind, k = usualCandidates, enough = false, filter } = request
  const index = snapshot.indexes[kind]
  const ranker = rankerFor(context, { kind, wanted: request.ranker ?? 'auto' })
  const crossEncoder = crossEncoderFor(context, request.ranker ?? 'auto')
  const admitted = filter ? index.admit(filter) : null
  const texts = textsOfRequest(request, index)
  const { written, text, besides } = texts
  const { steps: facets, asked, perhaps, story } = splitRequest(text, areProbabilities(ranker))
  const model = modelOf(ranker, context.model)
  const need = { ...(await needOf(texts, { asked, perhaps }, { model, signal })), story }
  const { settings = retrievalDefaults } = context
  const learned = model?.ranker ?? null
  const retrieved = rankCards(snapshot, need, { kind, ranker, settings, admitted, learned })
  signal?.throwIfAborted()
  // A name stands in a sentence of its own language.
  const words = requestWords(written)
  const named = namedSystems(words, index)
  const preferred = preferNamed(retrieved.cards, { named, steps: facets.length }, index)
  const reranked = crossEncoder
    ? await rerankByCrossEncoder(
        crossEncoder,
        {
          snapshot,
          kind,
          ranked: preferred,
          query: [text, ...besides.map((beside) => beside.text)].join('\n'),
        },
        signal,
      )
    : { ranked: preferred, relevance: none, reranking: undefined, note: '' }
  const { relevance, reranking } = reranked
  const isReranked = reranking !== undefined && reranking.failure === undefined
  const scale = isReranked ? 'close' : scaleOf[ranker]
  const defended = standBack(reranked.ranked, index, retrieved.suspicionOf)
  const weighed = weighing(context, { kind, need, scale })
  const { ranked, signalOf } = await weighed(defended)
  // What a defence puts behind may serve all the same: the verdict is on the ranking without them.
  const undefended = defended === reranked.ranked ? ranked : (await weighed(reranked.ranked)).ranked
  signal?.throwIfAborted()
  const { defences } = settings
  const chosen = (cards: readonly RankedCard[]): Packer =>
    request.pack === 'ranking' ? (most) => asRanked(cards, most) : packer(cards, index, defences)
  const query = termsWith(text, besides)
  const ordered = defences.provenance
    ? byProvenance(
        ranked,
        provenanceIn(index, signalOf, areProbabilities(ranker) ? null : index.probe(query)),
      )
    : ranked
  const pack = chosen(ordered)
  const packed = pack(enough && areProbabilities(ranker) ? enoughCandidates(pack) : k)
  // The verdict is on the answer a host usually gets, however many candidates were asked for.
  const matchEvidence = async (): Promise<MatchEvidence> => {
    const head = chosen(undefended)(judgedHead)
    return {
      ...evidenceOf({ snapshot, kind }, { query, asked }, head),
      learned: learnedEvidence(learned, text, {
        probability: retrieved.answerable,
        lead: kind === 'tool' && areProbabilities(ranker) && !isReranked ? head[0]?.score : undefined,
      }),
      unasked: unaskedLead(
        // Of the candidates that are shown the first, then all that it may have overtaken.
        [...head.slice(0, 1), ...undefended],
        effectOnScores(text, index),
        areProbabilities(ranker) && !isReranked ? learned?.calibration.slope : undefined,
      ),
      searched: admitted === null ? index.total : admitted.reduce((sum, flag) => sum + flag, 0),
      missing: await missingSystem({
        // What is known of names are vectors of single words; others are not asked for them.
        words,
        named,
        index,
        head,
        model: model?.service ? null : (model?.plain ?? model),
      }),
    }
  }
  // In this order: the verdict is made while the store reads.
  const [cards, evidence] = await Promise.all([
    snapshot.cards(packed.map(({ document }) => index.ids.at(document))),
    matchEvidence(),
  ])
  const verdict = judgeMatch(evidence)
  const shown = enough && verdict.match === 'none' ? packed.slice(0, k) : packed
  return {
    kind,
    candidates: scoredCards(index, shown, { cards, query, relevance, recordOf: signalOf }),
    ...verdict,
    note: [verdict.note, reranked.note].filter(Boolean).join(' '),
    ...defined({ likelihood: retrieved.answerable }),
    ...(text === written ? {} : { readAs: text }),
    facets: facets.length > 1 ? facets.map(shownStep) : facets,
    searched: evidence.searched,
    ranker: isReranked ? 'cross-encoder' : ranker,
    ...defined({ reranking: reranking && reasonsInOrder(reranking, [...packed, ...ordered], index) }),
    generation: snapshot.generation,
  }
}

/** Reasons in the order of the answer, which a record or a defence may change. */
function reasonsInOrder(reranking: Reranking, ordered: readonly RankedCard[], { ids }: CardIndex): Reranking {
  const { reasons } = reranking
  if (reasons === undefined) return reranking
  const placed = ordered.flatMap(({ document }) => {
    const id = ids.at(document)
    return reasons[id] === undefined ? [] : [[id, reasons[id]]]
  })
  return { ...reranking, reasons: Object.fromEntries(placed) }
}

/** The texts a dense search of this request embeds, the request first: for callers that embed many at once. */
export function embeddedTexts(request: SearchRequest): readonly string[] {
  const { text, read, besides } = textsOfRequest(request)
  const { asked, perhaps } = splitRequest(text)
  return [read, ...asked, ...perhaps.map((one) => one.text), ...besides.map((beside) => beside.text)]
}

function crossEncoderFor(
  { crossEncoder = null }: SearchContext,
  wanted: NonNullable<SearchRequest['ranker']>,
): CrossEncoderStage | null {
  if (wanted === 'cross-encoder' && crossEncoder === null) throw noCrossEncoder()
  return wanted === 'auto' || wanted === 'cross-encoder' ? crossEncoder : null
}

const none: ScoreList = new Map()

/** What the scores of each ranker are. */
const scaleOf: { readonly [ranker in Ranker]: WeighScale } = {
  learned: 'probability',
  reader: 'probability',
  rrf: 'close',
  lexical: 'share',
  dense: 'share',
  hybrid: 'share',
}

const areProbabilities = (ranker: Ranker): boolean => scaleOf[ranker] === 'probability'

/** Near-copies are folded after this, so that the one that worked stands for all. */
const weighing =
  ({ weigh, model }: SearchContext, of: Pick<ToWeigh, 'kind' | 'need' | 'scale'>) =>
  async (ranked: readonly RankedCard[]): Promise<Weighed> =>
    weigh === undefined
      ? { ranked, signalOf: () => undefined }
      : weigh({ ...of, model: model?.id ?? null, ranked })

async function needOf(
  { text, read, besides }: RequestTexts,
  { asked, perhaps }: Pick<SplitRequest, 'asked' | 'perhaps'>,
  { model, signal }: Pick<SearchContext, 'model'> & { readonly signal: AbortSignal | undefined },
): Promise<Need> {
  const instruction = besides.find(({ kind }) => kind === 'instruction')
  const looked = [...asked, ...perhaps.map((one) => one.text)]
  const texts = [text, ...looked]
  // A model with a place for instructions reads request and instruction as one; else each text is read by itself.
  const asOne = instruction && (await model?.embedInstructed?.(read, instruction.text, signal))
  const apart = besides.filter((beside) => !(asOne && beside === instruction))
  const vectors = model
    ? await model.embed([read, ...looked, ...apart.map((beside) => beside.text)], 'query', signal)
    : []
  const [own, ...steps] = texts.map((step, place): Lookup => ({ text: step, vector: vectors[place] ?? null }))
  const said = besides.map((beside): Beside => {
    const place = apart.indexOf(beside)
    return { ...beside, vector: place < 0 ? null : (vectors[texts.length + place] ?? null) }
  })
  const whole = { ...own!, ...(asOne ? { vector: asOne } : {}) }
  return {
    whole: said.length === 0 ? whole : { ...whole, besides: said },
    facets: steps.slice(0, asked.length),
    perhaps: perhaps.map(({ doubt }, place) => ({ lookup: steps[asked.length + place]!, doubt })),
  }
}

const asRanked = (ranked: readonly RankedCard[], k: number): readonly PackedCard[] =>
  ranked.slice(0, k).map((card) => ({ ...card, duplicates: [] }))

/** Terms of a request, and what its steps ask for. */
type AskedTerms = { readonly query: readonly QueryTerm[]; readonly asked: readonly string[] }

type CoverageOf = (query: readonly QueryTerm[], card: PackedCard) => Coverage

/** What of a query a card covers itself, or the tool that lifted it where that covers more: an agent does what it can. */
function coverageIn({ indexes }: CatalogSnapshot, kind: CardKind): CoverageOf {
  return (query, { document, lift }) => {
    const own = indexes[kind].coverage(query, document)
    if (lift === undefined) return own
    const ofTool = indexes.tool.coverage(query, indexes.tool.ids.indexOf(lift.tool))
    return ofTool.share > own.share ? ofTool : own
  }
}

/** What the words and vectors of the first candidates say about whether anything serves. */
function evidenceOf(
  { snapshot, kind }: { readonly snapshot: CatalogSnapshot; readonly kind: CardKind },
  terms: AskedTerms,
  head: readonly PackedCard[],
): Omit<MatchEvidence, 'learned' | 'searched' | 'missing' | 'unasked'> {
  const { query } = terms
  const coverageOf = coverageIn(snapshot, kind)
  return {
    kind,
    coverage: bestCoverage(coverageOf, head, terms),
    matchedWords: maximum(head.map((card) => coverageOf(query, card).words.length)) ?? 0,
    queryWords: new Set(query.map(({ word }) => word)).size,
    cosine: maximum(head.map(({ dense }) => dense)),
    reading: maximum(head.map(({ reading }) => reading)),
    indexed: snapshot.indexes[kind].total,
  }
}

/** @param said - that anything serves, and that the first candidate does; undefined when no learned ranker took part */
function learnedEvidence(
  ranker: LearnedRanker | null,
  text: string,
  { probability, lead }: { readonly [said in 'probability' | 'lead']: number | undefined },
): LearnedEvidence | undefined {
  if (probability === undefined || ranker === null) return undefined
  const { matcher, thresholds } = ranker
  return { probability, lead, known: knownShare(text, matcher), thresholds }
}

/** The whole query's best coverage, or the mean over the steps of each step's best: whichever is higher. */
function bestCoverage(
  coverageOf: CoverageOf,
  packed: readonly PackedCard[],
  { query, asked }: AskedTerms,
): number {
  const bestOf = (terms: readonly QueryTerm[], cards: readonly PackedCard[]): number =>
    maximum(cards.map((card) => coverageOf(terms, card).share)) ?? 0
  const whole = bestOf(query, packed.slice(0, coveringTop))
  if (asked.length === 0) return whole
  const perStep = asked.map((step) => bestOf(analyzeQuery(step), packed))
  return Math.max(whole, perStep.reduce((sum, share) => sum + share, 0) / perStep.length)
}

type Findings = {
  readonly cards: readonly Card[]
  readonly query: readonly QueryTerm[]
  readonly relevance: ScoreList
  readonly recordOf: Weighed['signalOf']
}

/** A card that lost less of its score is not said to stand back. */
const leastShown = 0.05

/** Of a card no more than the id is read: who holds no cards may search as well. */
function scoredCards(
  index: CardIndex,
  packed: readonly PackedCard[],
  { cards, query, relevance, recordOf }: Findings,
): ScoredCard[] {
  const byId = new Map(cards.map((card) => [card.id, card]))
  return packed.flatMap((candidate) => {
    const { document, score, lexical, dense, reading, lift, facets, duplicates, standsBack } = candidate
    const card = byId.get(index.ids.at(document))
    if (card === undefined) return []
    const { share, words } = index.coverage(query, document)
    const best = maximum(facets) ?? 0
    const record = recordOf(document)
    const provenance = tierOf({ standing: index.standing(document), speaks: record?.speaks })
    const signals = {
      ...defined({ lexical, dense, reading, crossEncoder: relevance.get(document) }),
      coverage: share,
      matched: words.slice(0, maxMatched),
      ...(lift ? { lift: { from: lift.tool, share: lift.share } } : {}),
      facets: facets.flatMap((served, facet) => (served > 0 && served === best ? [facet] : [])),
      duplicates: duplicates.map((other) => index.ids.at(other)),
      ...(provenance === 'installed' || index.standing(document) === 'installed' ? {} : { provenance }),
      ...(standsBack === undefined || standsBack.share < leastShown
        ? {}
        : { standsBack: standsBackText(standsBack, index.source(document), index.standing(document)) }),
      ...defined({ record }),
    }
    return [{ card, score, signals }]
  })
}

const maximum = (values: readonly (number | undefined)[]): number | undefined =>
  values.reduce(
    (best, value) => (value !== undefined && (best === undefined || value > best) ? value : best),
    undefined,
  )
