import type { Ranker } from '../answer.ts'
import { allDefences, type DefenceSettings } from '../defences/defence-settings.ts'
import { scoresAlone } from '../defences/scores-alone.ts'
import { firstDepth, spreadHits } from '../defences/spread-hits.ts'
import type { DocumentHits } from '../index/best-documents.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { ScoredPart } from '../index/joined-rows.ts'
import { besideWeights, termsWith, vectorWith } from '../query/beside.ts'
import type { Lookup } from '../query/need.ts'
import { type CandidateEvidence, evidenceOfText } from '../rank/candidate-features.ts'
import { effectOnScores } from '../rank/effect-on-scores.ts'
import type { StepGain } from '../rank/fuse-steps.ts'
import { fuseWithReading, minMax, reciprocalRankFusion, type ScoreList, weightedSum } from '../rank/fusion.ts'
import { type LearnedRanker, rankByLearned, scoredByLearned } from '../rank/learned-ranker.ts'
import type { Retrieved } from '../rank/ranked-card.ts'
import { type RecordSettings, recordDefaults } from '../record/weigh.ts'
import { analyzeQuery } from '../text/analyze.ts'

/** Weights and depths of retrieval. */
export type RetrievalSettings = RecordSettings & {
  /** Candidates taken from each retriever before fusion. Integer >= 1. */
  readonly depth: number
  /** Weights of the retrievers in the weighted sum, >= 0. */
  readonly weights: { readonly lexical: number; readonly dense: number }
  /** What a card gains that serves a step of a many-step query. */
  readonly stepGain: StepGain
  /** Share of an agent's final score that its best tool may add, 0..1. */
  readonly liftShare: number
  /** What guards against cards that were written to be found. */
  readonly defences: DefenceSettings
}

export const retrievalDefaults: RetrievalSettings = {
  depth: 100,
  weights: { lexical: 0.5, dense: 0.5 },
  stepGain: { learned: 0.5, plain: 0.2 },
  liftShare: 0.3,
  ...recordDefaults,
  defences: allDefences,
}

/** How cards are looked for, and which of them. */
export type Retrieval = {
  readonly ranker: Ranker
  readonly settings: RetrievalSettings
  /** 1 per document that may be found; null for all. */
  readonly admitted: Uint8Array | null
  /** For the rankers `learned` and `reader`. */
  readonly learned: LearnedRanker | null
}

/** Looks for one text among the admitted cards of one kind. */
export function retrieve(index: CardIndex, lookup: Lookup, retrieval: Retrieval): Retrieved {
  const { ranker, settings, learned } = retrieval
  const { text, besides = [] } = lookup
  const probe = index.probe(analyzeQuery(text))
  if (learned === null || (ranker !== 'learned' && ranker !== 'reader')) {
    const { lexical, dense, fused } = found(index, lookup, retrieval)
    return { lexical, dense, fused: byEffect(fused, index, text), answerable: undefined, alone: none, probe }
  }
  const find = (one: Pick<Lookup, 'text' | 'vector'>): Evidence => ({
    ...found(index, { text: one.text, vector: one.vector }, retrieval),
    index,
    probe: one === lookup ? probe : index.probe(analyzeQuery(one.text)),
    ...evidenceOfText(index, one.text, learned.matcher),
  })
  // Cosines stand until another text is looked for: each text is scored when it was found last.
  const { fused } = besides.length === 0 ? { fused: none } : find(lookup)
  const all = besides.map((beside) => ({ beside, found: find(beside) }))
  const candidates = weightedSum([
    { scores: fused, weight: 1 },
    ...all.map(({ beside, found }) => ({ scores: found.fused, weight: besideWeights[beside.kind].learned })),
  ])
  const scored = all.reverse().map(({ beside, found }, place) => {
    const evidence = place === 0 ? found : find(beside)
    return { kind: beside.kind, scores: scoredByLearned(learned, evidence, candidates) }
  })
  const own = find(lookup)
  const counted = besides.filter(({ kind }) => besideWeights[kind].words > 0)
  const ranked = besides.length === 0 ? own.fused : candidates
  const said = besides.length === 0 ? undefined : { scored, probe: index.probe(termsWith(text, counted)) }
  const { scores, answerable } = rankByLearned(learned, own, { fused: ranked, besides: said })
  const alone = settings.defences.provenance
    ? scoresAlone(learned, own, { fused: ranked, scores, besides: said })
    : none
  const { lexical, dense, reading } = own
  return {
    lexical,
    dense,
    ...(reading ? { readings: reading.list } : {}),
    fused: scores,
    answerable,
    alone,
    probe,
  }
}

/** Looks for the vectors of several texts that are going to be looked for, two in one pass. */
export function lookAhead(
  { vectors }: CardIndex,
  lookups: readonly Lookup[],
  { ranker, settings, admitted }: Retrieval,
): void {
  if (ranker === 'lexical') return
  const depth = settings.defences.depth ? firstDepth(settings.depth) : settings.depth
  const alone = lookups.flatMap(({ vector, besides }) => (besides === undefined && vector ? [vector] : []))
  const parts = ranker === 'reader' ? 'all' : ranker === 'learned' ? 'first' : 'last'
  vectors?.lookAhead(alone, { depth, admitted, parts })
}

type Evidence = CandidateEvidence & { readonly fused: ScoreList }

/** What the retrievers find, each with what is said beside the request in it. */
function found(
  index: CardIndex,
  { text, vector, besides = [] }: Lookup,
  { ranker, settings, admitted }: Retrieval,
): Pick<Evidence, 'lexical' | 'dense' | 'fused' | 'cosineOf' | 'reading'> {
  const hits = (look: (depth: number) => DocumentHits): DocumentHits =>
    settings.defences.depth ? spreadHits(look, settings.depth, index.defences) : look(settings.depth)
  const query = termsWith(text, besides)
  const looked = vector && vectorWith(vector, besides)
  const lexical = ranker === 'dense' ? none : listOf(hits((depth) => index.search(query, depth, admitted)))
  const scored = ranker === 'lexical' || looked === null ? undefined : index.vectors?.scored(looked, admitted)
  const nearest = (part: ScoredPart | undefined): ScoreList =>
    part === undefined ? none : listOf(hits((depth) => part.best(depth)))
  if (ranker === 'reader') {
    const [embedded, read] = scored?.parts ?? []
    const dense = nearest(embedded)
    const reading = { list: nearest(read), of: read?.of ?? unknown }
    const fused = fuseWithReading({ lexical, dense, reading: reading.list })
    return { lexical, dense, fused, cosineOf: embedded?.of ?? unknown, reading }
  }
  const part = scored?.parts.at(ranker === 'learned' ? 0 : -1)
  const dense = nearest(part)
  const fused = fuse(lexical, dense, { ranker, weights: settings.weights })
  return { lexical, dense, fused, cosineOf: part?.of ?? unknown }
}

const unknown = (): number => Number.NaN

/** What reads stands before what changes or destroys, for who asks to be told something; and the like. */
function byEffect(fused: ScoreList, index: CardIndex, text: string): ScoreList {
  const { factorOf } = effectOnScores(text, index)
  return new Map([...fused].map(([document, score]) => [document, score * factorOf(document)]))
}

const none: ScoreList = new Map()

function fuse(
  lexical: ScoreList,
  dense: ScoreList,
  { ranker, weights }: Pick<Retrieval, 'ranker'> & Pick<RetrievalSettings, 'weights'>,
): ScoreList {
  if (ranker === 'rrf') return minMax(reciprocalRankFusion([[...lexical.keys()], [...dense.keys()]]), 0)
  const lists = [
    { scores: minMax(lexical, 0), weight: weights.lexical },
    { scores: minMax(dense), weight: weights.dense },
  ].filter(({ scores, weight }) => scores.size > 0 && weight > 0)
  return lists.length === 0 ? none : weightedSum(lists)
}

const listOf = ({ documents, scores }: DocumentHits): ScoreList =>
  new Map(Array.from(documents, (document, rank) => [document, scores[rank]!]))
