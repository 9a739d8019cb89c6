import { countsOf } from '../../domain/grouped.ts'
import type { TokenSpace } from '../../vectors/embedding/static-embedding.ts'
import { type Effect, effectFit, effects } from '../effects/effect.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { LexicalProbe } from '../index/lexical-probe.ts'
import { ownFieldNames } from '../text/card-texts.ts'
import { type EffectOnScores, effectOnScores } from './effect-on-scores.ts'
import { familySupport } from './family-support.ts'
import type { ScoreList } from './fusion.ts'
import {
  type TextReading,
  readingFeatureNames,
  readingFeatures,
  risingReadingFeatures,
} from './reading-features.ts'
import { type SoftMatch, type SoftMatcher, softMatcher } from './soft-match.ts'

/** What a learned ranker knows of a candidate, in the order of a row's columns. Missing values are NaN. */
export const featureNames = [
  'bm25', // BM25F score, share of the query's best
  'bm25-absolute', // the same, share of what a document with all terms could score
  'bm25-scaled', // min-max among the retrieved
  'bm25-rank', // 1 / (60 + rank) times 61, among the retrieved; 0 when not retrieved
  'coverage', // share of the query's idf
  ...ownFieldNames.map((field) => `coverage-${field}` as const),
  'terms-found', // share of the query's terms
  'name-covered', // share of the name's terms that the query has
  'length', // log of the document's terms
  'cosine',
  'cosine-gap', // to the best cosine of the query, <= 0
  'cosine-scaled', // min-max among the retrieved
  'cosine-rank',
  'fused', // mean of the scaled scores of the retrievers
  'fused-rank', // among the candidates
  'soft-score', // as SoftMatch
  'soft-gap', // to the best soft score among the candidates, <= 0
  'soft-coverage',
  'soft-by-name',
  'soft-of-name',
  'soft-weakest',
  'soft-rank',
  'family-share', // as FamilySupport
  'family-lift',
  'family-rank', // among the candidates of its family
  'namesakes', // log of the candidates of the same name, itself among them
  'effect', // what a tool does, as a number of `effects`
  'effect-fit', // as effectFit
  // The same for all candidates of a query:
  'query-terms',
  'query-unknown', // share of idf that no document holds
  'query-bm25', // best BM25F score, share of what was possible
  'query-cosine', // best cosine
  'query-spread', // best cosine less the hundredth
  'query-effect', // what is asked for, as a number of `effects`
  'corpus', // log of the number of documents
] as const

/** What a learned ranker knows where cards were read besides: `fused` and `fused-rank` are then of all three retrievers. */
export const readerFeatureNames = [...featureNames, ...readingFeatureNames] as const

/**
 * Features whose growth never speaks against a candidate: a ranker is held to that, so that it stays sane where it saw
 * little.
 */
export const risingFeatures: readonly (typeof readerFeatureNames)[number][] = [
  ...(['bm25', 'bm25-absolute', 'bm25-scaled', 'bm25-rank', 'coverage', 'terms-found'] as const),
  ...([
    'cosine',
    'cosine-gap',
    'cosine-scaled',
    'cosine-rank',
    'fused',
    'fused-rank',
    'soft-score',
    'soft-rank',
  ] as const),
  'effect-fit',
  ...risingReadingFeatures,
]

/** What the retrievers found for one text, and how to ask for what they did not. */
export type CandidateEvidence = {
  readonly index: CardIndex
  /** Of the text's words. */
  readonly probe: LexicalProbe
  /** Best first. */
  readonly lexical: ScoreList
  /** Best first; empty without a dense retriever. */
  readonly dense: ScoreList
  /** Cosine of a document that the dense retriever left out; NaN without one. */
  readonly cosineOf: (document: number) => number
  /** For a ranker over `readerFeatureNames`, and absent for others. */
  readonly reading?: TextReading
  /** How near cards come to the text word by word; null without what cards are matched by. */
  readonly soft: SoftMatcher | null
  /** What the text asks to be done, and what that changes. */
  readonly effect: EffectOnScores
}

/** What the text itself gives of that, read once for all its candidates. */
export const evidenceOfText = (
  index: CardIndex,
  text: string,
  matcher: TokenSpace,
): Pick<CandidateEvidence, 'soft' | 'effect'> => ({
  soft: index.tokens && softMatcher({ matcher, text, tokens: index.tokens }),
  effect: effectOnScores(text, index),
})

/**
 * Fills one row per document, row-major: documents x `readerFeatureNames` with a reading, else documents x `featureNames`.
 *
 * @param documents - in the order of the plain fusion, best first
 */
export function candidateFeatures(evidence: CandidateEvidence, documents: readonly number[]): Float32Array {
  const { index, probe, dense, cosineOf, reading } = evidence
  const query = queryFeatures(evidence)
  const { asked, possible, bestLexical, leastLexical, bestCosine, leastCosine } = query
  const { soft, bestSoft, softRanks } = softRanking(evidence, documents)
  const { families, familyRanks, namesakes } = companyOf(index, documents)
  const [lexicalRanks, denseRanks] = [ranksOf(evidence.lexical), ranksOf(dense)]
  const read = reading && readingFeatures(reading)
  const width = read ? readerFeatureNames.length : featureNames.length
  const rows = new Float32Array(documents.length * width)
  for (let place = 0; place < documents.length; place++) {
    const document = documents[place]!
    const words = probe.of(document)
    const cosine = dense.get(document) ?? cosineOf(document)
    const scaledLexical = bestLexical > 0 ? words.score / bestLexical : 0
    // Nothing where the cosine is missing, as in the plain fusion.
    const scaledCosine = between(cosine, leastCosine, bestCosine)
    let at = place * width
    rows[at++] = scaledLexical
    rows[at++] = words.score / possible
    rows[at++] = bestLexical > 0 ? between(words.score, leastLexical, bestLexical) : 0
    rows[at++] = reciprocal(lexicalRanks.get(document))
    rows[at++] = words.share
    for (const share of words.fieldShares) rows[at++] = share
    rows[at++] = probe.terms === 0 ? 0 : words.found / probe.terms
    rows[at++] = words.nameCovered
    rows[at++] = Math.log(1 + words.length)
    rows[at++] = cosine
    rows[at++] = cosine - bestCosine
    rows[at++] = scaledCosine
    rows[at++] = reciprocal(denseRanks.get(document))
    rows[at++] = read
      ? read.fused(document, { lexical: scaledLexical, dense: scaledCosine })
      : 0.5 * scaledLexical + 0.5 * scaledCosine
    rows[at++] = reciprocal(place)
    const match = soft?.[place] ?? noMatch
    rows[at++] = match.score
    rows[at++] = match.score - bestSoft
    rows[at++] = match.coverage
    rows[at++] = match.byName
    rows[at++] = match.ofName
    rows[at++] = match.weakest
    rows[at++] = softRanks ? reciprocal(softRanks[place]) : Number.NaN
    rows[at++] = families[place]!.share
    rows[at++] = families[place]!.lift
    rows[at++] = reciprocal(familyRanks[place])
    rows[at++] = namesakes[place]!
    const effect = index.effect(document)
    rows[at++] = effectNumber(effect)
    rows[at++] = effectFit(asked, effect)
    for (const value of query.values) rows[at++] = value
    if (read) for (const value of read.of(document)) rows[at++] = value
  }
  return rows
}

/** What is the same for all candidates of a query. */
function queryFeatures({ index, probe, lexical, dense, effect: { asked } }: CandidateEvidence) {
  const possible = probe.weight > 0 ? probe.weight * bestPossible : 1
  const bestLexical = firstOf(lexical) ?? 0
  const bestCosine = firstOf(dense) ?? Number.NaN
  const leastCosine = lastOf(dense) ?? Number.NaN
  return {
    asked,
    /** What a document with all terms could score. */
    possible,
    bestLexical,
    leastLexical: lastOf(lexical) ?? 0,
    bestCosine,
    leastCosine,
    /** From `query-terms` on. */
    values: [
      probe.terms,
      probe.unknownShare,
      bestLexical / possible,
      bestCosine,
      bestCosine - leastCosine,
      effectNumber(asked),
      Math.log(1 + index.total),
    ],
  }
}

const noMatch: SoftMatch = {
  score: Number.NaN,
  coverage: Number.NaN,
  byName: Number.NaN,
  ofName: Number.NaN,
  weakest: Number.NaN,
}

function softRanking({ soft: matchesOf }: CandidateEvidence, documents: readonly number[]) {
  const soft = matchesOf?.(documents)
  return {
    soft,
    bestSoft: soft?.reduce((best, { score }) => Math.max(best, score), 0) ?? Number.NaN,
    softRanks: soft && ranksOfScores(soft.map(({ score }) => score)),
  }
}

/** Candidates of the same family, and of the same name. */
function companyOf(index: CardIndex, documents: readonly number[]) {
  const familiesOf = Array.from(documents, (document) => index.family(document))
  const names = Array.from(documents, (document) => index.signature(document).name)
  const counts = countsOf(names)
  return {
    families: familySupport(familiesOf, (family) => index.familySize(family) / index.total),
    familyRanks: ranksWithin(familiesOf),
    namesakes: names.map((name) => Math.log(counts.get(name)!)),
  }
}

/** Score of a document that holds a term in full, per unit of idf: BM25's k1 + 1. */
const bestPossible = 3

/** Where a value lies from the least, 0, to the best, 1; 0 for one that is missing. */
const between = (value: number, least: number, best: number): number =>
  value >= best ? 1 : value > least ? (value - least) / (best - least) : 0

const reciprocal = (rank: number | undefined): number => (rank === undefined ? 0 : 61 / (61 + rank))

const ranksOf = (scores: ScoreList): ReadonlyMap<number, number> =>
  new Map([...scores.keys()].map((document, rank) => [document, rank]))

/** Of each how many of the same stand before it. */
function ranksWithin(families: readonly number[]): readonly number[] {
  const met = new Map<number, number>()
  return families.map((family) => {
    const rank = met.get(family) ?? 0
    met.set(family, rank + 1)
    return rank
  })
}

/** Equal scores have one rank. */
function ranksOfScores(scores: readonly number[]): readonly number[] {
  const sorted = [...scores].sort((a, b) => b - a)
  const rankOf = new Map<number, number>()
  for (const [rank, score] of sorted.entries()) if (!rankOf.has(score)) rankOf.set(score, rank)
  return scores.map((score) => rankOf.get(score)!)
}

const effectNumber = (effect: Effect | undefined): number =>
  effect === undefined ? Number.NaN : effects.indexOf(effect)

function firstOf(scores: ScoreList): number | undefined {
  for (const score of scores.values()) return score
  return undefined
}

const lastOf = (scores: ScoreList): number | undefined => [...scores.values()].at(-1)
